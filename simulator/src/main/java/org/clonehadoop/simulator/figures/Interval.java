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

import java.util.List;
import org.apache.commons.math3.distribution.TDistribution;
import org.apache.commons.math3.stat.StatUtils;

/**
 * A mean of simulated runs over another, and how far seeds alone may move it.
 *
 * @param low the lower end of the 95 % interval
 * @param high its upper end
 */
public record Interval(double value, double low, double high) {
    private static final double TAIL = 0.975;

    /**
     * By Student's t on what each seed adds to the logarithm of the ratio, to the first order. With
     * the few seeds that there are, resampling them would give intervals that are too narrow.
     *
     * @param over seed by seed what stands above the line
     * @param under as many, of the same seeds
     */
    public static Interval ofMeans(double[] over, double[] under) {
        return ofGeometricMeans(List.of(over), List.of(under));
    }

    /**
     * The geometric mean of such ratios, each of another job. All have the same seeds, so that what
     * a seed adds to all jobs is added up first. Of one seed there is no interval: both ends are
     * the value.
     */
    public static Interval ofGeometricMeans(List<double[]> over, List<double[]> under) {
        int jobs = over.size();
        double[] added = new double[over.get(0).length];
        double logarithm = 0;
        for (int job = 0; job < jobs; job++) {
            double above = StatUtils.mean(over.get(job));
            double below = StatUtils.mean(under.get(job));
            logarithm += Math.log(above / below) / jobs;
            for (int seed = 0; seed < added.length; seed++) {
                added[seed] += (over.get(job)[seed] / above - under.get(job)[seed] / below) / jobs;
            }
        }
        double half = halfWidth(added);
        return new Interval(
                Math.exp(logarithm), Math.exp(logarithm - half), Math.exp(logarithm + half));
    }

    private static double halfWidth(double[] added) {
        if (added.length == 1) {
            return 0;
        }
        double error = Math.sqrt(StatUtils.variance(added) / added.length);
        return error * new TDistribution(added.length - 1).inverseCumulativeProbability(TAIL);
    }
}
