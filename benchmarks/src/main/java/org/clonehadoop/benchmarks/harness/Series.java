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
package org.clonehadoop.benchmarks.harness;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** The measurements of one quantity, one a run, in the order of the runs. */
public final class Series {
    private static final double CONFIDENCE = 0.95;

    private final List<Double> values = new ArrayList<>();

    public static Series of(double... values) {
        Series series = new Series();
        for (double value : values) {
            series.add(value);
        }
        return series;
    }

    public void add(double value) {
        if (!Double.isFinite(value)) {
            throw new IllegalArgumentException("not a measurement: " + value);
        }
        values.add(value);
    }

    public int size() {
        return values.size();
    }

    public double get(int run) {
        return values.get(run);
    }

    public double median() {
        double[] sorted = sorted();
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }

    public double min() {
        return sorted()[0];
    }

    public double max() {
        return sorted()[values.size() - 1];
    }

    /** Run by run, this divided by that: what both share, such as a slow minute, cancels out. */
    public Series over(Series that) {
        if (size() != that.size()) {
            throw new IllegalArgumentException(
                    "not pairs: " + size() + " and " + that.size() + " measurements");
        }
        return IntStream.range(0, size())
                .mapToDouble(run -> get(run) / that.get(run))
                .collect(Series::new, Series::add, (a, b) -> a.values.addAll(b.values));
    }

    /**
     * The interval that holds the true median with a probability of 95 %, whatever the distribution
     * is: it lies between two order statistics, as the number of values below it is binomial. Fewer
     * than six values can't give that much; then it is everything from the least to the greatest.
     */
    public Interval medianInterval() {
        double[] sorted = sorted();
        int outside = 0;
        while (coverage(sorted.length, outside + 1) >= CONFIDENCE) {
            outside++;
        }
        return new Interval(
                sorted[outside],
                sorted[sorted.length - 1 - outside],
                coverage(sorted.length, outside));
    }

    /** The probability that the median is not among the outer values, {@code outside} each side. */
    private static double coverage(int count, int outside) {
        if (2 * outside >= count) {
            return 0;
        }
        double binomial = 1;
        double below = 0;
        for (int i = 0; i <= outside; i++) {
            below += binomial;
            binomial = binomial * (count - i) / (i + 1);
        }
        return 1 - 2 * below / Math.pow(2, count);
    }

    private double[] sorted() {
        if (values.isEmpty()) {
            throw new IllegalStateException("nothing was measured");
        }
        return values.stream().mapToDouble(Double::doubleValue).sorted().toArray();
    }

    /** From {@code low} to {@code high} with this {@code confidence}, at most 1. */
    public record Interval(double low, double high, double confidence) {}
}
