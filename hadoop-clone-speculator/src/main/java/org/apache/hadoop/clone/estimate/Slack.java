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
package org.apache.hadoop.clone.estimate;

import org.apache.hadoop.classification.InterfaceAudience;

/**
 * What must change before an attempt that hasn't reported again can be off its schedule.
 *
 * @param slowness at most so much of what it has to do does it still take; infinite if that isn't
 *     known
 * @param until until then nothing of its own changes that, in milliseconds
 * @param then how far what is usual had drifted
 */
@InterfaceAudience.Private
public record Slack(double slowness, long until, Drift then) {
    /** It may be at any moment. */
    public static final Slack NONE =
            new Slack(Double.POSITIVE_INFINITY, Long.MIN_VALUE, Drift.UNKNOWN);

    /** Far more than what sums of doubles are off by. */
    private static final double ROUNDING = 1 + 1e-9;

    /** Whether nothing of its own has changed yet. */
    public boolean lasts(long now) {
        return now <= until;
    }

    /**
     * Whether {@link Estimate#isOnSchedule} would hold for it now.
     *
     * @param price of a second in a container, in seconds that must be saved
     * @param drift as of now
     * @return false also if that isn't known
     */
    public boolean covers(double price, Drift drift) {
        return slowness * drift.factorSince(then) * ROUNDING <= 1 + price;
    }
}
