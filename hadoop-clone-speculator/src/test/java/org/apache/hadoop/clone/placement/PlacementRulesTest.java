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

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class PlacementRulesTest {
    /** A third of an interval, but not before another thread has made a new one, nor for long. */
    @ParameterizedTest
    @CsvSource({"1000, 1000", "6000, 2000", "30000, 10000", "864000, 10000"})
    void anOrderOfHostsIsGoodForAThirdOfAnInterval(long interval, long lasts) {
        assertThat(PlacementRules.PRESET.reportedEach(interval).lastsMillis()).isEqualTo(lasts);
    }

    @Test
    void byThePresetIntervalOrNoneTheyAreThePreset() {
        assertThat(PlacementRules.PRESET.reportedEach(6_000)).isEqualTo(PlacementRules.PRESET);
        assertThat(PlacementRules.PRESET.reportedEach(0)).isEqualTo(PlacementRules.PRESET);
    }

    @ParameterizedTest
    @CsvSource({"1, 0, true", "2, 0, false", "2, 29999, false", "2, 30000, true"})
    void noOtherHostIsThereOrHadRoomForALongTime(int nodes, long waited, boolean isNoOther) {
        assertThat(PlacementRules.PRESET.isNoOther(nodes, waited)).isEqualTo(isNoOther);
    }
}
