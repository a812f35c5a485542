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
package org.clonehadoop.simulator.validate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class PaceTest {
    @Test
    void itIsFoundWhereverItIs() {
        for (double pace : new double[] {0.05, 0.7, 1, 3, 20}) {
            assertThat(Pace.fit(some -> 10 + 30 / some, 10 + 30 / pace).orElseThrow())
                    .isCloseTo(pace, within(0.003 * pace));
        }
    }

    @Test
    void noPaceMakesAJobShorterThanItsHeartbeats() {
        assertThat(Pace.fit(some -> 10 + 30 / some, 9)).isEmpty();
    }
}
