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

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * How far attempts of a kind are apart.
 *
 * @param deviation of the logarithm of their times, the standard one of a normal distribution
 * @param weight how many whole attempts have been seen
 */
record Spread(double deviation, double weight) {

    /**
     * What another attempt may be off by: the deviation, and what so few attempts say of it.
     *
     * @param unseen the deviation that is to be expected when nothing has been seen; counts as one
     *     attempt
     */
    static double ofAnother(double deviation, double weight, double unseen) {
        double variance = (unseen * unseen + weight * deviation * deviation) / (1 + weight);
        return Math.sqrt(variance * (1 + 1 / weight));
    }

    /**
     * Takes the median of the deviations from the median, so that a fifth of stragglers don't make
     * straggling usual; each attempt counts for the part of its work that it has done.
     */
    static final class Builder {
        /** Of a normal distribution: its standard deviation over the median one. */
        private static final double OVER_MEDIAN = 1.4826;

        private record Weighted(double value, double weight) {}

        private final List<Weighted> slownesses = new ArrayList<>();
        private double weight;

        /**
         * @param slowness the time that an attempt took over what is usual for it
         * @param done the share of its work, from 0 to 1
         */
        void add(double slowness, double done) {
            if (done > 0 && slowness > 0) {
                slownesses.add(new Weighted(Math.log(slowness), done));
                weight += done;
            }
        }

        Spread build() {
            if (slownesses.isEmpty()) {
                return new Spread(0, 0);
            }
            double middle = median(slownesses);
            List<Weighted> off =
                    slownesses.stream()
                            .map(one -> new Weighted(Math.abs(one.value - middle), one.weight))
                            .toList();
            return new Spread(OVER_MEDIAN * median(off), weight);
        }

        private double median(List<Weighted> values) {
            List<Weighted> sorted = new ArrayList<>(values);
            sorted.sort(Comparator.comparingDouble(Weighted::value));
            double half = weight / 2;
            for (Weighted one : sorted) {
                half -= one.weight;
                if (half <= 0) {
                    return one.value;
                }
            }
            return sorted.get(sorted.size() - 1).value;
        }
    }
}
