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
import org.apache.commons.math3.stat.descriptive.StatisticalSummary;
import org.apache.commons.math3.stat.descriptive.SummaryStatistics;

/**
 * The geometric mean of ratios, and the interval in which the true one lies with 95 % confidence if
 * their logarithms are normally distributed (Student's t).
 *
 * @param low NaN if there is but one
 * @param high as low
 * @param count how many ratios; of means the smaller of both numbers
 */
record MeanRatio(double mean, double low, double high, long count) {
    private static final double CONFIDENCE = 0.95;

    /**
     * @throws IllegalArgumentException if there is none, or one isn't above 0
     */
    static MeanRatio of(Collection<Double> ratios) {
        StatisticalSummary logs = logs(ratios);
        return of(logs.getMean(), meansVariance(logs), logs.getN() - 1, logs.getN());
    }

    /**
     * Of two geometric means, where nothing pairs what they are of (Welch's t).
     *
     * @throws IllegalArgumentException if there is nothing in one of them, or not above 0
     */
    static MeanRatio ofMeans(Collection<Double> above, Collection<Double> below) {
        StatisticalSummary one = logs(above);
        StatisticalSummary other = logs(below);
        double ones = meansVariance(one);
        double others = meansVariance(other);
        double variance = ones + others;
        double freedom =
                variance
                        * variance
                        / (ones * ones / (one.getN() - 1) + others * others / (other.getN() - 1));
        return of(
                one.getMean() - other.getMean(),
                variance,
                freedom,
                Math.min(one.getN(), other.getN()));
    }

    private static StatisticalSummary logs(Collection<Double> values) {
        if (values.isEmpty() || values.stream().anyMatch(value -> !(value > 0))) {
            throw new IllegalArgumentException("no ratios: " + values);
        }
        SummaryStatistics logs = new SummaryStatistics();
        values.forEach(value -> logs.addValue(Math.log(value)));
        return logs;
    }

    private static double meansVariance(StatisticalSummary logs) {
        return logs.getVariance() / logs.getN();
    }

    private static MeanRatio of(double mean, double variance, double freedom, long count) {
        double half =
                count == 1
                        ? Double.NaN
                        : variance == 0 ? 0 : student(freedom) * Math.sqrt(variance);
        return new MeanRatio(Math.exp(mean), Math.exp(mean - half), Math.exp(mean + half), count);
    }

    private static double student(double freedom) {
        return new TDistribution(freedom).inverseCumulativeProbability((1 + CONFIDENCE) / 2);
    }

    /** Such as 0.71 (0.66–0.77). */
    @Override
    public String toString() {
        return count == 1
                ? String.format(Locale.ROOT, "%.2f", mean)
                : String.format(Locale.ROOT, "%.2f (%.2f–%.2f)", mean, low, high);
    }
}
