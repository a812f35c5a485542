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
 * steady scan then sends hardly any duplicates.
 *
 * <p>It would never know that another DataNode is faster, if its own has been slow from the
 * beginning. So it tries that: with the first window and, as long as nobody has helped, after 1, 2,
 * 4, 8 … of them.
 *
 * <p>Safe for use by several threads.
 */
final class Pace {
    /** An odd number, so that one is in the middle. */
    private static final int REMEMBERED = 15;

    private static final double TOO_LONG = 2;

    private final double[] nanosPerByte = new double[REMEMBERED];
    private long seen;

    /** A window was read, without help: without a duplicate, or by one that was no faster. */
    synchronized void took(long bytes, long waitedNanos) {
        nanosPerByte[(int) (seen++ % REMEMBERED)] = (double) waitedNanos / bytes;
    }

    /**
     * How long to wait for a window before a duplicate is sent.
     *
     * @param leastNanos that of windows with which it tries, and of each the least; 0, at once, is
     *     for all of them
     */
    synchronized long patienceNanos(long bytes, long leastNanos) {
        if (leastNanos == 0 || Long.bitCount(seen) <= 1) {
            return leastNanos;
        }
        int known = (int) Math.min(seen, REMEMBERED);
        double[] sorted = Arrays.copyOf(nanosPerByte, known);
        Arrays.sort(sorted);
        return Math.max(leastNanos, (long) (TOO_LONG * sorted[known / 2] * bytes));
    }
}
