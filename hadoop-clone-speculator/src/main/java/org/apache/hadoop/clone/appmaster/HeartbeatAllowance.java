/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package org.apache.hadoop.clone.appmaster;

import java.util.function.LongSupplier;
import org.apache.hadoop.clone.placement.PlacementRules;

/**
 * How often the ResourceManager may be asked beside stock's own exchanges: on average less often
 * than by those, so that a job never asks more than twice as often as stock. What isn't used is
 * saved up for the next backup, to some extent. Not thread-safe.
 */
final class HeartbeatAllowance {
    /** What can be saved up. */
    static final int MOST = PlacementRules.PRESET.hurries();

    /** For each of stock's. Stock's take their time as well, beyond the interval between them. */
    static final double SHARE = 0.75;

    private final double perMilli;
    private final LongSupplier clock;
    private double saved;
    private long asOf;

    /**
     * @param intervalMillis between two of stock's exchanges
     * @param clock in milliseconds, never goes back
     */
    HeartbeatAllowance(long intervalMillis, LongSupplier clock) {
        perMilli = SHARE / Math.max(1, intervalMillis);
        this.clock = clock;
        asOf = clock.getAsLong();
    }

    /** Whether there may be another exchange now; if so, it counts. */
    boolean take() {
        long now = clock.getAsLong();
        saved = Math.min(MOST, saved + perMilli * (now - asOf));
        asOf = now;
        if (saved < 1) {
            return false;
        }
        saved--;
        return true;
    }
}
