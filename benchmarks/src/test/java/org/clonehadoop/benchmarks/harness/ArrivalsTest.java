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

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class ArrivalsTest {
    @Test
    void asManyComeAsWereAskedForAndInOrder() {
        long[] arrivals = Arrivals.poisson(100, 100, 1);
        assertThat(arrivals.length).isCloseTo(10_000, within(300));
        assertThat(arrivals).isSorted();
        assertThat(arrivals[arrivals.length - 1]).isLessThan(100_000_000_000L);
    }

    @Test
    void gapsAreAsLongAsTheyDeviate() {
        long[] arrivals = Arrivals.poisson(1000, 100, 2);
        double mean = 0;
        double squares = 0;
        for (int i = 1; i < arrivals.length; i++) {
            double gap = (arrivals[i] - arrivals[i - 1]) / 1e6;
            mean += gap / (arrivals.length - 1);
            squares += gap * gap / (arrivals.length - 1);
        }
        assertThat(mean).isCloseTo(1, within(0.02));
        assertThat(squares - mean * mean).isCloseTo(1, within(0.05));
    }

    @Test
    void aSeedMakesThemTheSame() {
        assertThat(Arrivals.poisson(5, 10, 3)).isEqualTo(Arrivals.poisson(5, 10, 3));
    }
}
