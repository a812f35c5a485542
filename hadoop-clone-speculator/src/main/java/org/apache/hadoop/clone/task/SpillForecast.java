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
package org.apache.hadoop.clone.task;

import java.time.Duration;
import java.util.Optional;
import org.apache.hadoop.mapred.SpillProgress;

/**
 * Whether a wait for a spill is in vain, by the spill's speed since the wait began. Before a
 * spill's first byte it is sorted, and nobody knows how long that takes: then the speed counts from
 * that byte on. What is foreseen is the earliest end, as some bytes are left out.
 *
 * <p>It must be foreseen to be too late for a while without a break: what comes first after a
 * pause, of a garbage collection or a disk, says that all the rest takes for ever.
 */
final class SpillForecast {
    /** Part of the time allowed for which all forecasts must be too late. */
    private static final int LOOK = 10;

    private final long startNanos;
    private final long allowedNanos;
    private boolean begun;
    private long firstNanos;
    private long firstBytes;
    private boolean late;
    private long lateSince;

    /**
     * @param startNanos when the wait begins
     * @param allowedNanos how long it may last, at least 0
     */
    SpillForecast(long startNanos, long allowedNanos) {
        this.startNanos = startNanos;
        this.allowedNanos = allowedNanos;
    }

    /**
     * To be asked again and again.
     *
     * @param nanos the time
     * @return how long the spill takes from now on, if that is too long; empty if it may end in
     *     time, and as long as nothing is known
     */
    Optional<Duration> tooLong(SpillProgress spill, long nanos) {
        if (!begun && spill.written() > 0) {
            begun = true;
            firstNanos = nanos;
            firstBytes = spill.written();
        }
        long bytes = spill.written() - firstBytes;
        if (!begun || bytes <= 0) {
            return Optional.empty();
        }
        long left = Math.max(0, spill.least() - spill.written());
        long leftNanos = (long) ((double) left / bytes * (nanos - firstNanos));
        boolean wasLate = late;
        late = leftNanos > startNanos + allowedNanos - nanos;
        if (late && !wasLate) {
            lateSince = nanos;
        }
        return late && nanos - lateSince >= allowedNanos / LOOK
                ? Optional.of(Duration.ofNanos(leftNanos))
                : Optional.empty();
    }
}
