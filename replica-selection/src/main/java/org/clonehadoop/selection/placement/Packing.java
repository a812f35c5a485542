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
package org.clonehadoop.selection.placement;

import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.IntStream;

/**
 * Items of several sizes in as few bins of one size as possible.
 *
 * @param bins each item's bin, numbered from 0
 * @param count of bins
 * @param least as many bins are needed at least: equal to count where that is proven
 */
record Packing(int[] bins, int count, int least) {
    /** Steps of search after which the best packing found is taken without a proof. */
    private static final int STEPS = 200_000;

    /**
     * First fit of the largest first; where that takes more bins than the sum of sizes asks for,
     * branch and bound.
     *
     * @param sizes none above the capacity
     */
    static Packing of(double[] sizes, double capacity) {
        int[] order =
                IntStream.range(0, sizes.length)
                        .boxed()
                        .sorted(Comparator.comparingDouble(i -> -sizes[i]))
                        .mapToInt(i -> i)
                        .toArray();
        double[] sorted = Arrays.stream(order).mapToDouble(i -> sizes[i]).toArray();
        Search search = new Search(sorted, capacity);
        search.run();
        int[] bins = new int[sizes.length];
        for (int i = 0; i < order.length; i++) {
            bins[order[i]] = search.best[i];
        }
        return new Packing(bins, search.bestCount, search.least);
    }

    /** Depth first, items from the largest on, each into every bin of another load or a new one. */
    private static final class Search {
        private final double[] sizes;
        private final double capacity;
        private final double[] load;
        private final int[] bins;
        private int[] best;
        private int bestCount;
        private int least;
        private int steps;

        Search(double[] sizes, double capacity) {
            this.sizes = sizes;
            this.capacity = capacity;
            load = new double[sizes.length];
            bins = new int[sizes.length];
        }

        void run() {
            least = bound();
            firstFit();
            if (bestCount > least) {
                place(0, 0);
                if (steps < STEPS) {
                    least = bestCount;
                }
            }
        }

        private int bound() {
            double sum = Arrays.stream(sizes).sum();
            int bySum = (int) Math.ceil(sum / capacity - 1e-9);
            return Math.max(bySum, Weights.bins(sizes, capacity));
        }

        private void firstFit() {
            best = new int[sizes.length];
            double[] filled = new double[sizes.length];
            for (int i = 0; i < sizes.length; i++) {
                int bin = 0;
                while (Problem.exceeds(filled[bin] + sizes[i], capacity)) {
                    bin++;
                }
                filled[bin] += sizes[i];
                best[i] = bin;
                bestCount = Math.max(bestCount, bin + 1);
            }
        }

        private void place(int item, int used) {
            if (bestCount == least || used >= bestCount || ++steps >= STEPS) {
                return;
            }
            if (item == sizes.length) {
                bestCount = used;
                best = bins.clone();
                return;
            }
            for (int bin = 0; bin <= used && bin < bestCount - 1; bin++) {
                if (!alike(bin) && !Problem.exceeds(load[bin] + sizes[item], capacity)) {
                    load[bin] += sizes[item];
                    bins[item] = bin;
                    place(item + 1, Math.max(used, bin + 1));
                    load[bin] -= sizes[item];
                }
            }
        }

        /** Whether a bin before it is filled as much: then nothing new would come of it. */
        private boolean alike(int bin) {
            for (int other = 0; other < bin; other++) {
                if (Math.abs(load[other] - load[bin]) < 1e-9) {
                    return true;
                }
            }
            return false;
        }
    }
}
