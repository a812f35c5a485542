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
package org.apache.hadoop.clone.stage;

import java.time.Duration;
import java.util.List;

/**
 * How a job is duplicated (the paper's {@code duplication()}, {@code atStart()} and {@code
 * atEnd()}, table 3). The six below are those that the paper compares (section 5); what each is
 * good for is in docs/duplicate-stage.md.
 *
 * @param duplicates what there is beside the primary, in order: the first is copy 1
 * @param atStart what is purged when a copy begins to be served
 * @param atEnd what is purged when a copy has been served
 */
public record Policy(List<Duplicate> duplicates, Purge atStart, Purge atEnd) {

    /**
     * A copy beside the primary.
     *
     * @param priority that at which it is served, everywhere
     * @param delay from the job's dispatch until the copy's own (the paper's {@code sched-time});
     *     not negative
     */
    public record Duplicate(Priority priority, Duration delay) {
        public Duplicate {
            if (delay.isNegative()) {
                throw new IllegalArgumentException(
                        "a duplicate can't be dispatched " + delay + " after its job");
            }
        }
    }

    public Policy {
        duplicates = List.copyOf(duplicates);
    }

    /** No duplicate. */
    public static Policy single() {
        return new Policy(List.of(), Purge.NOTHING, Purge.NOTHING);
    }

    /** Two copies at once, the first to end wins. Unstable from half of the capacity on. */
    public static Policy cloning() {
        return hedged(Duration.ZERO);
    }

    /**
     * A second copy if the first takes longer than most do.
     *
     * @param threshold the paper's is the 95th percentile of what jobs take
     */
    public static Policy hedged(Duration threshold) {
        return second(Priority.PRIMARY, threshold, Purge.NOTHING, Purge.OTHERS);
    }

    /** As {@link #hedged}, but the second takes the first one's place (the paper's AppTO). */
    public static Policy appTimeout(Duration timeout) {
        return second(Priority.PRIMARY, timeout, Purge.EARLIER, Purge.OTHERS);
    }

    /** Two copies wait in two queues; the first to begin is the only one that is served. */
    public static Policy tied() {
        return second(Priority.PRIMARY, Duration.ZERO, Purge.OTHERS, Purge.OTHERS);
    }

    /**
     * Duplicate-aware scheduling: a second copy that gives way to every primary, and is purged when
     * the first ends (section 2.2).
     *
     * @param delay the paper's is 0; a tenth of what a job usually takes spares most duplicates and
     *     costs no tail
     */
    public static Policy das(Duration delay) {
        return second(Priority.DUPLICATE, delay, Purge.NOTHING, Purge.OTHERS);
    }

    private static Policy second(Priority priority, Duration delay, Purge atStart, Purge atEnd) {
        return new Policy(List.of(new Duplicate(priority, delay)), atStart, atEnd);
    }
}
