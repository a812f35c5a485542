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

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class PackingTest {
    @Test
    void firstFitIsProvenWhereTheSumNeedsAsMany() {
        Packing packing = Packing.of(new double[] {6, 4, 5, 5}, 10);
        assertThat(packing.count()).isEqualTo(2);
        assertThat(packing.least()).isEqualTo(2);
    }

    /** First fit of the largest first takes three bins here. */
    @Test
    void searchesWhereFirstFitIsntEnough() {
        Packing packing = Packing.of(new double[] {4, 4, 3, 3, 3, 3}, 10);
        assertThat(packing.count()).isEqualTo(2);
        assertThat(packing.least()).isEqualTo(2);
    }

    @Test
    void provesThatSumsDontFit() {
        Packing packing = Packing.of(new double[] {6, 6, 6}, 10);
        assertThat(packing.count()).isEqualTo(3);
        assertThat(packing.least()).isEqualTo(3);
    }

    @Test
    void nothingNeedsNothing() {
        assertThat(Packing.of(new double[0], 10).count()).isZero();
    }

    @Test
    void isAsGoodAsTryingEverythingAndOverfillsNothing() {
        SplittableRandom random = new SplittableRandom(1);
        for (int i = 0; i < 300; i++) {
            double[] sizes = random.doubles(random.nextInt(1, 8), 1, 10).toArray();
            Packing packing = Packing.of(sizes, 12);
            double[] load = new double[packing.count()];
            for (int item = 0; item < sizes.length; item++) {
                load[packing.bins()[item]] += sizes[item];
            }
            assertThat(Arrays.stream(load).max().orElseThrow()).isLessThanOrEqualTo(12 + 1e-6);
            assertThat(packing.count()).isEqualTo(fewest(sizes, new double[sizes.length], 0));
            assertThat(packing.least()).isEqualTo(packing.count());
        }
    }

    private static int fewest(double[] sizes, double[] load, int item) {
        if (item == sizes.length) {
            return (int) Arrays.stream(load).filter(bin -> bin > 1e-6).count();
        }
        int fewest = sizes.length;
        for (int bin = 0; bin < load.length; bin++) {
            if (load[bin] + sizes[item] <= 12) {
                load[bin] += sizes[item];
                fewest = Math.min(fewest, fewest(sizes, load, item + 1));
                load[bin] -= sizes[item];
            }
        }
        return fewest;
    }
}
