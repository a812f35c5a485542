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
package org.clonehadoop.simulator.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class MaxMinTest {
    private static final double TINY = 1e-9;

    @Test
    void whoWantsLittleGetsItAndTheOthersShareTheRest() {
        assertThat(MaxMin.shares(10, new double[] {100, 1, 5})).containsExactly(4.5, 1, 4.5);
    }

    @Test
    void nobodyGetsMoreThanTheyWant() {
        assertThat(MaxMin.shares(10, new double[] {1, 2})).containsExactly(1, 2);
    }

    /** Against the definition, by filling everyone's glass drop by drop. */
    @Test
    void itIsWhatFillingAllAtTheSameRateGives() {
        SplittableRandom random = new SplittableRandom(1);
        for (int world = 0; world < 200; world++) {
            double capacity = 10 * random.nextDouble();
            double[] demands = random.doubles(1 + random.nextInt(8), 0, 5).toArray();

            double[] shares = MaxMin.shares(capacity, demands);

            double[] filled = fill(capacity, demands);
            for (int i = 0; i < shares.length; i++) {
                assertThat(shares[i]).isCloseTo(filled[i], within(0.01));
            }
            double all = Math.min(capacity, Arrays.stream(demands).sum());
            assertThat(Arrays.stream(shares).sum()).isCloseTo(all, within(TINY));
        }
    }

    private static double[] fill(double capacity, double[] demands) {
        double drop = 0.001;
        double[] glasses = new double[demands.length];
        double left = capacity;
        boolean some = true;
        while (some && left > 0) {
            some = false;
            for (int i = 0; i < glasses.length && left > 0; i++) {
                double more = Math.min(Math.min(drop, demands[i] - glasses[i]), left);
                glasses[i] += more;
                left -= more;
                some |= more > 0;
            }
        }
        return glasses;
    }
}
