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
package org.clonehadoop.simulator.requests.engine;

import org.HdrHistogram.Histogram;

/** Latencies in nanoseconds, kept to three digits. */
public final class Latencies {
    private static final long LONGEST = 1_000_000_000_000L;

    private final Histogram histogram = new Histogram(LONGEST, 3);
    private double sum;

    public void add(long nanos) {
        histogram.recordValue(Math.min(nanos, LONGEST));
        sum += nanos;
    }

    public long count() {
        return histogram.getTotalCount();
    }

    /** In nanoseconds, exactly; NaN of none. */
    public double mean() {
        return sum / count();
    }

    /**
     * @param percent from 0 to 100
     * @return in nanoseconds
     */
    public double percentile(double percent) {
        return histogram.getValueAtPercentile(percent);
    }
}
