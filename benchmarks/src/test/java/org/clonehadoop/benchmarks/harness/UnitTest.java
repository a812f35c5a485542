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
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class UnitTest {
    @Test
    void isAWordOfTheKey() {
        assertThat(Unit.ofKey("freeze_ms")).isEqualTo(Unit.MILLISECONDS);
        assertThat(Unit.ofKey("freeze_ms_64mb")).isEqualTo(Unit.MILLISECONDS);
        assertThat(Unit.ofKey("image_bytes")).isEqualTo(Unit.BYTES);
        assertThat(Unit.ofKey("start_stock_instructions")).isEqualTo(Unit.INSTRUCTIONS);
        assertThat(Unit.ofKey("start_instructions_ratio")).isEqualTo(Unit.RATIO);
        assertThat(Unit.ofKey("freeze_over_copy")).isEqualTo(Unit.RATIO);
        assertThat(Unit.ofKey("throughput_ratio")).isEqualTo(Unit.RATIO);
        assertThat(Unit.ofKey("p99_gain_low")).isEqualTo(Unit.RATIO);
        assertThat(Unit.ofKey("p99_9_ms_single_low")).isEqualTo(Unit.MILLISECONDS);
        assertThat(Unit.ofKey("requests_single_low")).isEqualTo(Unit.COUNT);
        assertThat(Unit.ofKey("das_unstable")).isEqualTo(Unit.COUNT);
    }

    @Test
    void aKeyWithoutOneIsAMistake() {
        assertThatThrownBy(() -> Unit.ofKey("freeze"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("freeze");
    }

    @Test
    void formatsForPeople() {
        assertThat(Unit.BYTES.format(465_049_600)).isEqualTo("465.0");
        assertThat(Unit.MILLISECONDS.format(12.345)).isEqualTo("12.3");
        assertThat(Unit.RATIO.format(1)).isEqualTo("1.000");
    }
}
