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
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/**
 * A mean of simulated runs over another, and how far seeds alone may move it.
 *
 * @param low the lower end of the 95 % interval
 * @param high its upper end
 */
public record Interval(double value, double low, double high) {
    private static final int RESAMPLES = 1000;
    private static final double TAIL = 0.025;

    /**
     * By the percentile bootstrap over seeds: delays are log-normal, so no normal law is assumed.
     *
     * @param over seed by seed what stands above the line
     * @param under as many, of the same seeds
     */
    public static Interval ofMeans(double[] over, double[] under) {
        return ofGeometricMeans(List.of(over), List.of(under));
    }

    /**
     * The geometric mean of such ratios, each of another job. All have the same seeds: of these it
     * is drawn, for all jobs at once.
     */
    public static Interval ofGeometricMeans(List<double[]> over, List<double[]> under) {
        int seeds = over.get(0).length;
        Random random = new Random(1);
        double[] means = new double[RESAMPLES];
        for (int i = 0; i < RESAMPLES; i++) {
            means[i] =
                    geometricMean(
                            over,
                            under,
                            IntStream.generate(() -> random.nextInt(seeds)).limit(seeds).toArray());
        }
        Arrays.sort(means);
        int tail = (int) (TAIL * RESAMPLES);
        return new Interval(
                geometricMean(over, under, IntStream.range(0, seeds).toArray()),
                means[tail],
                means[RESAMPLES - 1 - tail]);
    }

    private static double geometricMean(List<double[]> over, List<double[]> under, int[] drawn) {
        double logarithms = 0;
        for (int job = 0; job < over.size(); job++) {
            double above = 0;
            double below = 0;
            for (int seed : drawn) {
                above += over.get(job)[seed];
                below += under.get(job)[seed];
            }
            logarithms += Math.log(above / below);
        }
        return Math.exp(logarithms / over.size());
    }
}
