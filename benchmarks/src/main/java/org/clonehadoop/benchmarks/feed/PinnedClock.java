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
package org.clonehadoop.benchmarks.feed;

import org.apache.hadoop.yarn.util.Clock;

/** Stands still at a line's time while the line is played. */
public final class PinnedClock implements Clock {
    private static final long FREE = -1;

    private final Clock beyond;
    private volatile long pinned = FREE;

    /**
     * @param beyond tells the time while nothing is played
     */
    public PinnedClock(Clock beyond) {
        this.beyond = beyond;
    }

    /** For one that only ever shows what it is told. */
    public PinnedClock() {
        this(() -> 0);
    }

    /**
     * @param millis 0 or more
     */
    public void pin(long millis) {
        pinned = millis;
    }

    void release() {
        pinned = FREE;
    }

    @Override
    public long getTime() {
        long time = pinned;
        return time == FREE ? beyond.getTime() : time;
    }
}
