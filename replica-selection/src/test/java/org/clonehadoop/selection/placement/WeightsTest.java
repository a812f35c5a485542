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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WeightsTest {
    private static double[] times(int count, double size) {
        double[] sizes = new double[count];
        Arrays.fill(sizes, size);
        return sizes;
    }

    /** Sums alone say 6, 2, 3 and 2. */
    @ParameterizedTest
    @CsvSource({"10, 0.51, 10", "5, 0.34, 3", "16, 0.18, 4", "7, 0.26, 3"})
    void countsTheRoomThatIsLeft(int count, double size, int bins) {
        assertThat(Weights.bins(times(count, size), 1)).isEqualTo(bins);
    }

    @Test
    void neverAsksForMoreThanThereIsAPackingFor() {
        for (long seed = 0; seed < 2000; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            double capacity = random.nextDouble(0.5, 1000);
            int bins = random.nextInt(1, 6);
            double[] sizes = new double[bins * 40];
            int count = 0;
            for (int bin = 0; bin < bins; bin++) {
                // Full to the brim, of equal parts as well: there roundings matter.
                int parts = random.nextInt(1, 40);
                double[] cuts = random.doubles(parts - 1).sorted().toArray();
                boolean equal = random.nextBoolean();
                double before = 0;
                for (int part = 0; part < parts; part++) {
                    double end = part < cuts.length ? cuts[part] : 1;
                    sizes[count++] = equal ? capacity / parts : (end - before) * capacity;
                    before = end;
                }
            }
            double[] packed = Arrays.copyOf(sizes, count);
            assertThat(Weights.bins(packed, capacity)).as("seed %d", seed).isBetween(1, bins);
        }
    }

    @Test
    void needsNoBinForNothing() {
        assertThat(Weights.bins(new double[0], 1)).isZero();
    }
}
