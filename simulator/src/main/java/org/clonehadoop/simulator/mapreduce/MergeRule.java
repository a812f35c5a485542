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
package org.clonehadoop.simulator.mapreduce;

import java.util.PriorityQueue;

/** How often Hadoop's {@code Merger} writes the same bytes, {@code factor} streams at a time. */
public final class MergeRule {
    private MergeRule() {}

    /**
     * @param segments of equal size, that are to be merged into one stream
     * @param factor of streams that are merged at once, from 2
     * @return the share of all bytes that are written and read again before the last merge: 0 for
     *     as many segments as the factor, more than 1 if most go through more than one merge
     */
    public static double rewritten(int segments, int factor) {
        PriorityQueue<Double> sizes = new PriorityQueue<>();
        for (int i = 0; i < segments; i++) {
            sizes.add(1.0 / segments);
        }
        double written = 0;
        for (int pass = 1; sizes.size() > factor; pass++) {
            int streams = passFactor(sizes.size(), factor, pass);
            double merged = 0;
            for (int i = 0; i < streams; i++) {
                merged += sizes.remove();
            }
            sizes.add(merged);
            written += merged;
        }
        return written;
    }

    /** {@code Merger.MergeQueue.getPassFactor}: so that all passes but the first are full. */
    private static int passFactor(int segments, int factor, int pass) {
        if (pass > 1 || segments <= factor) {
            return factor;
        }
        int rest = (segments - 1) % (factor - 1);
        return rest == 0 ? factor : rest + 1;
    }
}
