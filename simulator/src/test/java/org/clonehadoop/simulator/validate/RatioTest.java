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

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RatioTest {
    @ParameterizedTest
    @CsvSource({
        "0.70, 0.79, true",
        "0.70, 0.61, true",
        "0.70, 0.81, false",
        "0.94, 1.01, false",
        "1.06, 0.99, false",
        "0.97, 1.02, true"
    })
    void itIsWithinATenthAndOnTheSameSideOfOneIfThatIsClear(
            double real, double simulated, boolean within) {
        assertThat(new Ratio("a", "late-map", "all", real, simulated).isWithin()).isEqualTo(within);
    }
}
