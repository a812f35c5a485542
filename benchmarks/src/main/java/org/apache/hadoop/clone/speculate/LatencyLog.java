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
package org.apache.hadoop.clone.speculate;

import java.util.concurrent.TimeUnit;
import org.HdrHistogram.SynchronizedHistogram;

/** How long things took that happen very often. */
public final class LatencyLog {
    /** Of a number's digits. */
    private static final int PRECISION = 3;

    private static final double PERCENTILE = 99;

    private final SynchronizedHistogram nanos = new SynchronizedHistogram(PRECISION);
    private volatile boolean open;

    /** Nothing is recorded before, and what was is forgotten. */
    public void open() {
        nanos.reset();
        open = true;
    }

    boolean isOpen() {
        return open;
    }

    public void close() {
        open = false;
    }

    public void record(long took) {
        if (open) {
            nanos.recordValue(took);
        }
    }

    /** 99 of 100 took no longer, in milliseconds; 0 if there was none. */
    public double p99() {
        return nanos.getValueAtPercentile(PERCENTILE) / (double) TimeUnit.MILLISECONDS.toNanos(1);
    }
}
