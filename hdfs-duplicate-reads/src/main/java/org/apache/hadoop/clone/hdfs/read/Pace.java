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
package org.apache.hadoop.clone.hdfs.read;

import java.util.Arrays;

/**
 * How long one stream waits for its windows, and so how long is too long: twice the median. A
 * steady scan then sends no duplicates, however slow it is.
 *
 * <p>Safe for use by several threads.
 */
final class Pace {
    /** An odd number, so that one is in the middle. */
    private static final int REMEMBERED = 15;

    private static final double TOO_LONG = 2;

    private final double[] nanosPerByte = new double[REMEMBERED];
    private int seen;

    /** A window was read, without help. */
    synchronized void took(long bytes, long waitedNanos) {
        nanosPerByte[seen++ % REMEMBERED] = (double) waitedNanos / bytes;
        // Keeps its place in the ring, and never overflows.
        seen = seen >= 2 * REMEMBERED ? seen - REMEMBERED : seen;
    }

    /**
     * How long to wait for a window before a duplicate is sent.
     *
     * @param leastNanos that of the first window, and of each the least
     */
    synchronized long patienceNanos(long bytes, long leastNanos) {
        int known = Math.min(seen, REMEMBERED);
        if (known == 0) {
            return leastNanos;
        }
        double[] sorted = Arrays.copyOf(nanosPerByte, known);
        Arrays.sort(sorted);
        return Math.max(leastNanos, (long) (TOO_LONG * sorted[known / 2] * bytes));
    }
}
