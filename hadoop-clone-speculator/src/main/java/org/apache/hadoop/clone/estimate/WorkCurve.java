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

import java.util.Arrays;

/**
 * How much work was done by when: in milliseconds that it usually takes, or in any other unit. To
 * be used again: a look at ten thousand attempts would else leave a hundred thousand short-lived
 * objects, and a collection of them takes longer than the look.
 */
final class WorkCurve {
    private double[] work = new double[64];
    private double[] at = new double[64];
    private int size;

    void clear() {
        size = 0;
    }

    /** Not before the last one. */
    void add(double work, double at) {
        if (size == this.work.length) {
            this.work = Arrays.copyOf(this.work, 2 * size);
            this.at = Arrays.copyOf(this.at, 2 * size);
        }
        this.work[size] = work;
        this.at[size++] = at;
    }

    /** The last is where it is, as far as is known. */
    int last() {
        return size - 1;
    }

    double work(int point) {
        return work[point];
    }

    double at(int point) {
        return at[point];
    }

    /** Evenly between two points; no later than the last and after the first. */
    double workAt(double time) {
        int after = last();
        while (at[after - 1] > time) {
            after--;
        }
        double share = (time - at[after - 1]) / (at[after] - at[after - 1]);
        return work[after - 1] + share * (work[after] - work[after - 1]);
    }
}
