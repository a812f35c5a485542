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
 * @param count how many ratios; of means the smaller of both numbers
 */
record MeanRatio(double mean, double low, double high, int count) {
    private static final double CONFIDENCE = 0.95;

    /**
     * @throws IllegalArgumentException if there is none, or one isn't above 0
     */
    static MeanRatio of(Collection<Double> ratios) {
        Logs logs = Logs.of(ratios);
        return of(logs.mean, logs.meansVariance(), logs.count - 1, logs.count);
    }

    /**
     * Of two geometric means, where nothing pairs what they are of (Welch's t).
     *
     * @throws IllegalArgumentException if there is nothing in one of them, or not above 0
     */
    static MeanRatio ofMeans(Collection<Double> above, Collection<Double> below) {
        Logs one = Logs.of(above);
        Logs other = Logs.of(below);
        double variance = one.meansVariance() + other.meansVariance();
        double freedom =
                variance
                        * variance
                        / (one.meansVariance() * one.meansVariance() / (one.count - 1)
                                + other.meansVariance()
                                        * other.meansVariance()
                                        / (other.count - 1));
        return of(one.mean - other.mean, variance, freedom, Math.min(one.count, other.count));
    }

    private static MeanRatio of(double mean, double variance, double freedom, int count) {
        double half =
                count == 1
                        ? Double.NaN
                        : variance == 0
                                ? 0
                                : new TDistribution(freedom)
                                                .inverseCumulativeProbability((1 + CONFIDENCE) / 2)
                                        * Math.sqrt(variance);
        return new MeanRatio(Math.exp(mean), Math.exp(mean - half), Math.exp(mean + half), count);
    }

    private record Logs(double mean, double squares, int count) {
        static Logs of(Collection<Double> values) {
            if (values.isEmpty() || values.stream().anyMatch(value -> !(value > 0))) {
                throw new IllegalArgumentException("no ratios: " + values);
            }
            double mean = values.stream().mapToDouble(Math::log).average().getAsDouble();
            double squares =
                    values.stream()
                            .mapToDouble(Math::log)
                            .map(log -> (log - mean) * (log - mean))
                            .sum();
            return new Logs(mean, squares, values.size());
        }

        double meansVariance() {
            return squares / (count - 1) / count;
        }
    }

    /** Such as 0.71 (0.66–0.77). */
    @Override
    public String toString() {
        return count == 1
                ? String.format(Locale.ROOT, "%.2f", mean)
                : String.format(Locale.ROOT, "%.2f (%.2f–%.2f)", mean, low, high);
    }
}
