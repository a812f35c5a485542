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
package org.apache.hadoop.clone.score;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SpeculationCapTest {
    private final SpeculationCap stock = new SpeculationCap(10, 0.01, 0.1);

    @Test
    void theLargestLimitCounts() {
        assertThat(stock.allowed(20, 20)).isEqualTo(10);
        assertThat(stock.allowed(5000, 100)).isEqualTo(50);
        assertThat(stock.allowed(5000, 900)).isEqualTo(90);
    }

    @Test
    void partsOfATaskDoNotCount() {
        assertThat(new SpeculationCap(0, 0.01, 0.1).allowed(99, 9)).isZero();
        assertThat(new SpeculationCap(0, 0.01, 0.1).allowed(100, 9)).isEqualTo(1);
    }

    @Test
    void nothingAllowedIsNothing() {
        assertThat(new SpeculationCap(0, 0, 0).allowed(1000, 1000)).isZero();
    }
}
