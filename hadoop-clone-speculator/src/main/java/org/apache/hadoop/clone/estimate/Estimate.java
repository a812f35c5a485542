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
 * What is known of a running attempt's time, in milliseconds.
 *
 * @param remaining t*_a, from now on; infinite if it will not end by itself
 * @param fresh what an attempt of the same task would take elsewhere, from its container's launch
 *     on: t̄_a
 * @param rest the part of that which is still to do: (1 − p)·t̄_a
 * @param slack how long it will be on schedule without being estimated again
 */
@InterfaceAudience.Private
public record Estimate(double remaining, double fresh, double rest, Slack slack) {
    /** Of an attempt of which this may be another at any moment. */
    public Estimate(double remaining, double fresh, double rest) {
        this(remaining, fresh, rest, Slack.NONE);
    }

    /** p: how much of what another attempt would take is done, from 0 to 1. */
    public double done() {
        return 1 - rest / fresh;
    }

    /** The same if the task is done in so many milliseconds, unless the attempt is sooner. */
    public Estimate orSooner(double remaining) {
        return new Estimate(Math.min(this.remaining, remaining), fresh, rest);
    }

    /** The same if each takes so much longer. */
    Estimate later(double remaining, double fresh, double rest) {
        return new Estimate(
                this.remaining + remaining, this.fresh + fresh, this.rest + rest, slack);
    }

    /**
     * Whether not even a clone that cost nothing would save enough.
     *
     * @param price of a second in a container, in seconds that must be saved
     */
    public boolean isOnSchedule(double price) {
        return remaining <= (1 + price) * rest;
    }
}
