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

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class AimTest {
    private static Optional<Ratios> ratios(Double... all) {
        return Optional.of(new Ratios(List.of(all)));
    }

    @Test
    void isOpenUnlessAllOfTheIntervalIsOnOneSide() {
        Aim aim = Aim.ofHadoops(0.7);
        Optional<Ratios> none = Optional.empty();

        assertThat(aim.said(ratios(0.5, 0.501, 0.502, 0.503, 0.504), none))
                .isEqualTo("≤ 0.70 of Hadoop's: reached");
        assertThat(aim.said(ratios(0.8, 0.81, 0.82, 0.83, 0.84), none))
                .isEqualTo("≤ 0.70 of Hadoop's: **missed**");
        assertThat(aim.said(ratios(0.5, 0.6, 0.7, 0.8, 0.9), none))
                .isEqualTo("≤ 0.70 of Hadoop's: open");
        assertThat(aim.said(ratios(0.5, 0.5, 0.5, 0.5), none))
                .isEqualTo("≤ 0.70 of Hadoop's: too few runs");
        assertThat(aim.said(none, none)).isEqualTo("≤ 0.70 of Hadoop's");
    }

    /** Its mean is 1.66 and its interval wide; the aim is for the median. */
    @Test
    void ofTheMedianNeedsFiveRunsAndNoInterval() {
        Aim aim = Trouble.SLOW_HOST.aim();
        Optional<Ratios> stock = ratios(9.0);
        String text = "≤ 1.35 of even, the median of 5 runs or more: ";

        assertThat(aim.said(stock, ratios(1.1, 1.2, 1.35, 2.0, 3.5))).isEqualTo(text + "reached");
        assertThat(aim.said(stock, ratios(1.1, 1.2, 1.36, 2.0, 3.5)))
                .isEqualTo(text + "**missed**");
        assertThat(aim.said(stock, ratios(1.1, 1.2, 1.3, 1.3))).isEqualTo(text + "too few runs");
        assertThat(Trouble.SLOW_HOST_FULL.aim()).isEqualTo(aim);
    }

    @Test
    void aWorkloadIsAimedToBeAsQuickAsHadoopOrAsAnEvenCluster() {
        Optional<MeanRatio> above =
                Optional.of(MeanRatio.of(List.of(1.02, 1.021, 1.022, 1.02, 1.021)));
        Optional<MeanRatio> below = Optional.of(MeanRatio.of(List.of(1.4, 1.41, 1.42, 1.4, 1.41)));

        assertThat(WorkloadLine.aim("terasort").saidOfMeans(above, Optional.empty()))
                .isEqualTo("≤ 1.01 of Hadoop's: **missed**");
        assertThat(WorkloadLine.aim("terasort, a host at 25 %").saidOfMeans(above, below))
                .isEqualTo("≤ 1.50 of even: reached");
        assertThat(WorkloadLine.aim("sort, attempts=m_000001_0=300").saidOfMeans(above, below))
                .isEqualTo("≤ 1.03 of Hadoop's: reached");
    }

    @Test
    void whatAnEvenClusterWouldntReachIsBeyond() {
        Aim aim = Aim.ofHadoops(0.7);
        assertThat(aim.isBeyond(ratios(0.72, 0.73, 0.74))).isTrue();
        assertThat(aim.isBeyond(ratios(0.6, 0.72, 0.8))).isFalse();
        assertThat(aim.isBeyond(ratios(0.9))).as("no interval").isFalse();
        assertThat(aim.isBeyond(Optional.empty())).isFalse();
        assertThat(Trouble.SLOW_HOST.aim().isBeyond(ratios(9.0, 9.1, 9.2))).as("of even").isFalse();
    }
}
