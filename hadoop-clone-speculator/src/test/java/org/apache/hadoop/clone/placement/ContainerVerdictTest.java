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
package org.apache.hadoop.clone.placement;

import static org.apache.hadoop.clone.placement.ContainerVerdict.REFUSE;
import static org.apache.hadoop.clone.placement.ContainerVerdict.REFUSE_AND_WAIT;
import static org.apache.hadoop.clone.placement.ContainerVerdict.TAKE;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ContainerVerdictTest {
    @ParameterizedTest
    @CsvSource({"0", "3", "100"})
    void anyOtherHostIsTaken(int refusedBefore) {
        assertThat(ContainerVerdict.of(false, false, refusedBefore, PlacementRules.PRESET))
                .isEqualTo(TAKE);
    }

    @ParameterizedTest
    @CsvSource({"0, REFUSE", "9, REFUSE", "10, TAKE"})
    void aSlowHostIsTakenInTheEnd(int refusedBefore, ContainerVerdict verdict) {
        assertThat(ContainerVerdict.of(false, true, refusedBefore, PlacementRules.PRESET))
                .isEqualTo(verdict);
    }

    @ParameterizedTest
    @CsvSource({"true", "false"})
    void theOriginalsHostNeverIsAndAfterAWhileThereIsNoHurry(boolean straggling) {
        assertThat(ContainerVerdict.of(true, straggling, 0, PlacementRules.PRESET))
                .isEqualTo(REFUSE);
        assertThat(ContainerVerdict.of(true, straggling, 9, PlacementRules.PRESET))
                .isEqualTo(REFUSE);
        assertThat(ContainerVerdict.of(true, straggling, 10, PlacementRules.PRESET))
                .isEqualTo(REFUSE_AND_WAIT);
    }
}
