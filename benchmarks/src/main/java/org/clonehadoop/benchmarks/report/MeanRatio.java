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
package org.clonehadoop.benchmarks.report;

import java.util.Collection;
import java.util.Locale;
import org.apache.commons.math3.distribution.TDistribution;

/**
 * The geometric mean of ratios, and the interval in which the true one lies with 95 % confidence if
 * their logarithms are normally distributed (Student's t).
 *
 * @param low NaN if there is but one
 * @param high as low
 */
record MeanRatio(double mean, double low, double high, int count) {
    private static final double CONFIDENCE = 0.95;

    /**
     * @throws IllegalArgumentException if there is none, or one isn't above 0
     */
    static MeanRatio of(Collection<Double> ratios) {
        int count = ratios.size();
        if (count == 0 || ratios.stream().anyMatch(ratio -> !(ratio > 0))) {
            throw new IllegalArgumentException("no ratios: " + ratios);
        }
        double mean = ratios.stream().mapToDouble(Math::log).average().getAsDouble();
        double squares =
                ratios.stream()
                        .mapToDouble(Math::log)
                        .map(log -> (log - mean) * (log - mean))
                        .sum();
        double half =
                count == 1
                        ? Double.NaN
                        : new TDistribution(count - 1)
                                        .inverseCumulativeProbability((1 + CONFIDENCE) / 2)
                                * Math.sqrt(squares / (count - 1) / count);
        return new MeanRatio(Math.exp(mean), Math.exp(mean - half), Math.exp(mean + half), count);
    }

    /** Such as 0.71 (0.66–0.77). */
    @Override
    public String toString() {
        return count == 1
                ? String.format(Locale.ROOT, "%.2f", mean)
                : String.format(Locale.ROOT, "%.2f (%.2f–%.2f)", mean, low, high);
    }
}
