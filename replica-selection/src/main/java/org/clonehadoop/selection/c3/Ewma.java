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
package org.clonehadoop.selection.c3;

/** Exponentially weighted moving averages. */
public final class Ewma {
    private Ewma() {}

    /**
     * The average after one more sample: {@code weight * sample + (1 - weight) * average}.
     *
     * @param average before; NaN if there was no sample yet
     * @param weight of the sample, from 0 to 1
     */
    public static double next(double average, double sample, double weight) {
        return Double.isNaN(average) ? sample : average + weight * (sample - average);
    }
}
