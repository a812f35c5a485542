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
package org.clonehadoop.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;

class MeanRatioTest {
    @Test
    void isTheGeometricMeanWithStudentsInterval() {
        MeanRatio ratio = MeanRatio.of(List.of(0.5, 2.0, 1.0));

        assertThat(ratio.mean()).isCloseTo(1, within(1e-12));
        // Of ln 0.5, ln 2 and 0 the standard error is 0.4002; t of two degrees is 4.303.
        assertThat(ratio.high()).isCloseTo(Math.exp(4.3027 * 0.40019), within(1e-3));
        assertThat(ratio.low()).isCloseTo(1 / ratio.high(), within(1e-12));
        assertThat(ratio).hasToString("1.00 (0.18–5.59)");
    }

    @Test
    void ofTwoMeansHasWelchsInterval() {
        MeanRatio ratio =
                MeanRatio.ofMeans(
                        List.of(2.0, 2 * Math.exp(0.2), 2 * Math.exp(-0.2)),
                        List.of(1.0, 1.0, 1.0, 1.0));

        assertThat(ratio.mean()).isCloseTo(2, within(1e-12));
        // Only the first varies: two degrees, and a standard error of 0.2 / √3.
        assertThat(ratio.high()).isCloseTo(2 * Math.exp(4.3027 * 0.11547), within(1e-3));
        assertThat(ratio.count()).isEqualTo(3);
        assertThat(MeanRatio.ofMeans(List.of(3.0), List.of(2.0, 2.0))).hasToString("1.50");
    }

    @Test
    void ofOneHasNoInterval() {
        MeanRatio ratio = MeanRatio.of(List.of(0.7));

        assertThat(ratio.low()).isNaN();
        assertThat(ratio).hasToString("0.70");
    }

    @Test
    void hasAtLeastOneAndAllAboveZero() {
        assertThatThrownBy(() -> MeanRatio.of(List.of()))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> MeanRatio.of(List.of(1.0, 0.0)))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
