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
 * How long one stream waits for its windows, how long its application is busy with them, and so how
 * long is too long: when waiting makes a window take twice as long as usual. So a steady scan sends
 * hardly any duplicates, nor does one whose application is slower than its DataNode, for waits that
 * come of busy processors.
 *
 * <p>It would never know that another DataNode is faster, if its own has been slow from the
 * beginning. So it tries that: with the first window and, as long as nobody has helped, after 1, 2,
 * 4, 8 … of them. Even there no sooner than waiting has taken as long as the application does:
 * until then no DataNode could make the stream twice as fast.
 *
 * <p>Safe for use by several threads.
 */
final class Pace {
    /** An odd number, so that one is in the middle. */
    private static final int REMEMBERED = 15;

    private static final double TOO_LONG = 2;

    private final double[] waited = new double[REMEMBERED];
    private final double[] busy = new double[REMEMBERED];
    private long seen;

    /**
     * A window was read, without help: without a duplicate, or by one that was no faster.
     *
     * @param bytes from 1
     * @param waitedNanos for them
     * @param busyNanos of the time that it took otherwise, most of it the application's
     */
    synchronized void took(long bytes, long waitedNanos, long busyNanos) {
        int next = (int) (seen++ % REMEMBERED);
        waited[next] = (double) waitedNanos / bytes;
        busy[next] = (double) busyNanos / bytes;
    }

    /**
     * How long to wait for a window before a duplicate is sent.
     *
     * @param leastNanos for each window; 0, at once, is for all of them
     */
    synchronized long patienceNanos(long bytes, long leastNanos) {
        if (leastNanos == 0 || seen == 0) {
            return leastNanos;
        }
        double usualWait = median(waited);
        double usualBusy = median(busy);
        boolean tries = isTry() && usualWait > usualBusy;
        double most = tries ? usualBusy : TOO_LONG * (usualWait + usualBusy) - usualBusy;
        return Math.max(leastNanos, (long) (most * bytes));
    }

    private boolean isTry() {
        return Long.bitCount(seen) == 1;
    }

    private double median(double[] nanosPerByte) {
        int known = (int) Math.min(seen, REMEMBERED);
        double[] sorted = Arrays.copyOf(nanosPerByte, known);
        Arrays.sort(sorted);
        return sorted[known / 2];
    }
}
