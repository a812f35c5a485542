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
package org.clonehadoop.simulator.figures;

import java.util.Arrays;
import java.util.Random;

/**
 * A mean of simulated runs over another, and how far seeds alone may move it.
 *
 * @param low the lower end of the 95 % interval
 * @param high its upper end
 */
record Interval(double value, double low, double high) {
    private static final int RESAMPLES = 1000;
    private static final double TAIL = 0.025;

    /**
     * By the percentile bootstrap over seeds: delays are log-normal, so no normal law is assumed.
     *
     * @param over seed by seed what stands above the line
     * @param under as many, of the same seeds
     */
    static Interval ofMeans(double[] over, double[] under) {
        Random random = new Random(1);
        double[] ratios = new double[RESAMPLES];
        for (int i = 0; i < RESAMPLES; i++) {
            double above = 0;
            double below = 0;
            for (int draw = 0; draw < over.length; draw++) {
                int seed = random.nextInt(over.length);
                above += over[seed];
                below += under[seed];
            }
            ratios[i] = above / below;
        }
        Arrays.sort(ratios);
        int tail = (int) (TAIL * RESAMPLES);
        return new Interval(
                Arrays.stream(over).sum() / Arrays.stream(under).sum(),
                ratios[tail],
                ratios[RESAMPLES - 1 - tail]);
    }
}
