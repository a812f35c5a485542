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
package org.clonehadoop.simulator.requests.store;

import org.HdrHistogram.Histogram;

/** Which time 95 % of the answers before took at most, by ten thousands of them. */
final class Expected {
    private static final int WINDOW = 10_000;
    private static final double PERCENT = 95;

    private final Histogram histogram = new Histogram(1_000_000_000_000L, 2);
    private long percentile = Long.MAX_VALUE;

    void add(long nanos) {
        histogram.recordValue(nanos);
        if (histogram.getTotalCount() == WINDOW) {
            percentile = histogram.getValueAtPercentile(PERCENT);
            histogram.reset();
        }
    }

    boolean known() {
        return percentile != Long.MAX_VALUE;
    }

    long nanos() {
        return percentile;
    }
}
