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
package org.clonehadoop.benchmarks.harness;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.HdrHistogram.Histogram;

/**
 * What has become of requests that came in an open loop. Latency counts from the time at which a
 * request should have come, so that a client that is late itself hides nothing (coordinated
 * omission).
 */
public final class Outcome {
    /** To the precision of 0.1 %. */
    private static final int DIGITS = 3;

    /** What grows steadily is 2.3 times as much in the last quarter as in the second. */
    private static final double GROWTH = 1.5;

    private final Histogram latency = new Histogram(DIGITS);
    private final Histogram lateness = new Histogram(DIGITS);
    private final int[] backlog;

    /** Of runs that were added: each has grown by itself, or hasn't. */
    private final List<int[]> backlogs = new ArrayList<>();

    private int failed;
    private boolean abandoned;

    /**
     * @param arrivals how many
     */
    public Outcome(int arrivals) {
        this.backlog = new int[arrivals];
        backlogs.add(backlog);
    }

    public synchronized void ended(long latencyNanos) {
        latency.recordValue(latencyNanos / 1000);
    }

    public synchronized void failed() {
        failed++;
    }

    /** What the client took itself until it asked. */
    public synchronized void began(long lateNanos) {
        lateness.recordValue(Math.max(0, lateNanos) / 1000);
    }

    /** How many were under way when this one came. */
    public synchronized void came(int number, int underWay) {
        backlog[number] = underWay;
    }

    /** So many are under way that there is no end to be seen. */
    public synchronized void abandoned() {
        abandoned = true;
    }

    /** All requests of two runs that have ended; unstable if either is. */
    public Outcome plus(Outcome that) {
        Outcome sum = new Outcome(0);
        for (Outcome one : List.of(this, that)) {
            sum.latency.add(one.latency);
            sum.lateness.add(one.lateness);
            sum.backlogs.addAll(one.backlogs);
            sum.failed += one.failed;
            sum.abandoned |= one.abandoned;
        }
        return sum;
    }

    public synchronized long requests() {
        return latency.getTotalCount();
    }

    public synchronized int failures() {
        return failed;
    }

    /** NaN if it is unstable: it is as high as the time that it was given then. */
    public synchronized double millis(double percentile, int disks) {
        return isUnstable(disks) || latency.getTotalCount() == 0
                ? Double.NaN
                : latency.getValueAtPercentile(percentile) / 1e3;
    }

    public synchronized double lateMillis(double percentile) {
        return lateness.getValueAtPercentile(percentile) / 1e3;
    }

    /** Whether more and more were under way: those of the last quarter against the second. */
    public synchronized boolean isUnstable(int disks) {
        return abandoned || backlogs.stream().anyMatch(one -> grows(one, disks));
    }

    static boolean grows(int[] backlog, int disks) {
        int quarter = backlog.length / 4;
        double before = mean(backlog, quarter, 2 * quarter);
        double last = mean(backlog, backlog.length - quarter, backlog.length);
        return last >= 2 * disks && last >= GROWTH * before;
    }

    private static double mean(int[] of, int from, int to) {
        return Arrays.stream(of, from, to).average().orElse(0);
    }
}
