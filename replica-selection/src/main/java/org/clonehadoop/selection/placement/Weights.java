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

/**
 * How many bins some items need at least, where few go into one: sums know nothing of the room that
 * is left in each.
 *
 * <p>By weights in whole numbers: an item of size s in bins of size C has the greatest weight below
 * (k + 1) s / C. What is together in a bin is then below k + 1, so k at most; and all weights
 * together are at most k times the bins, whatever k is. (A dual feasible function, as of Fekete and
 * Schepers, New classes of fast lower bounds for bin packing problems, 2001. With k = 1 it counts
 * items larger than half a bin.)
 */
final class Weights {
    /** Beyond it, items are so small that their sum says as much. */
    static final int MOST = 32;

    /** More than what {@link Problem#exceeds} lets pass of a bin, {@link #MOST} + 1 times. */
    private static final double ROUNDING = 1e-6;

    private Weights() {}

    /**
     * @param k 1 to {@link #MOST}
     * @return 0 to k
     */
    static int of(double size, double capacity, int k) {
        return Math.max(0, (int) Math.ceil((k + 1) * size / capacity - ROUNDING) - 1);
    }

    /** As many bins are needed at least. */
    static int bins(double[] sizes, double capacity) {
        int most = sizes.length > 0 ? 1 : 0;
        for (int k = 1; k <= MOST; k++) {
            int by = k;
            int sum = Arrays.stream(sizes).mapToInt(size -> of(size, capacity, by)).sum();
            most = Math.max(most, (sum + k - 1) / k);
        }
        return most;
    }
}
