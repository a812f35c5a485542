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

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;

class AimTest {
    private static Optional<Ratios> sessions(double... ratios) {
        return Optional.of(new Ratios(DoubleStream.of(ratios).boxed().toList(), true));
    }

    private static Optional<MeanRatio> mean(double... ratios) {
        return sessions(ratios).map(Ratios::mean);
    }

    /** Rounds by turns of as many sessions, in which Hadoop's jobs took 100 s. */
    private static Pairs pairs(int sessions, double... seconds) {
        List<JobLine> lines = new ArrayList<>();
        for (int number = 0; number < seconds.length; number++) {
            String session = String.valueOf(number % sessions);
            String round = session + "-" + number;
            lines.add(Jobs.job("v", "late-map", WholeJobs.STOCK, round, 100));
            lines.add(Jobs.job("v", "late-map", WholeJobs.ALL, round, seconds[number]));
        }
        return WholeJobs.of(lines).pairs("late-map").orElseThrow();
    }

    @Test
    void isOpenUnlessAllOfTheIntervalIsOnOneSide() {
        Aim aim = Aim.ofHadoops(0.7);
        Optional<MeanRatio> none = Optional.empty();

        assertThat(aim.said(pairs(3, 50, 50.1, 50.2, 50.3, 50.4), none))
                .isEqualTo("≤ 0.70 of Hadoop's: reached");
        assertThat(aim.said(pairs(3, 80, 81, 82, 83, 84), none))
                .isEqualTo("≤ 0.70 of Hadoop's: **missed**");
        assertThat(aim.said(pairs(3, 50, 60, 70, 80, 90), none))
                .isEqualTo("≤ 0.70 of Hadoop's: open");
    }

    @Test
    void whatAnEvenJobSurelyDoesntReachIsOutOfReach() {
        Aim aim = Aim.ofHadoops(0.7);
        Pairs missed = pairs(3, 80, 81, 82, 83, 84);

        assertThat(aim.outOfReach(missed, sessions(0.79, 0.8, 0.81)))
                .isEqualTo("; out of reach here (0.80)");
        assertThat(aim.outOfReach(missed, sessions(0.6, 0.8, 1.1)))
                .as("its interval begins below the aim")
                .isEmpty();
        assertThat(aim.outOfReach(missed, Optional.of(Ratios.ofRounds(List.of(0.79, 0.8, 0.81)))))
                .as("rounds of too few sessions")
                .isEmpty();
        assertThat(aim.outOfReach(missed, sessions(0.6, 0.6, 0.6))).isEmpty();
        assertThat(aim.outOfReach(pairs(3, 50, 50, 50, 50, 50), sessions(0.8, 0.8, 0.8))).isEmpty();
    }

    @Test
    void saysHowFarAnIntervalGoesWhereRoundingWouldHideIt() {
        assertThat(Aim.ofHadoops(0.7).said(pairs(3, 69.9, 69.9, 70, 69.9, 69.9), Optional.empty()))
                .matches("≤ 0.70 of Hadoop's: open \\(up to 0.701\\)");
    }

    @Test
    void fewRunsOrSessionsDontTell() {
        Aim aim = Aim.ofHadoops(0.7);
        String tooFew = "≤ 0.70 of Hadoop's: too few runs or sessions";

        assertThat(aim.said(pairs(3, 50, 50, 50, 50), Optional.empty())).isEqualTo(tooFew);
        assertThat(aim.said(pairs(2, 50, 50, 50, 50, 50, 50), Optional.empty())).isEqualTo(tooFew);
    }

    @Test
    void overAnEvenClusterAllOfTheIntervalDecidesToo() {
        Aim aim = Trouble.SLOW_HOST.aim();
        Pairs stock = pairs(3, 90, 90, 90, 90, 90);

        assertThat(aim.said(stock, mean(1.1, 1.2, 1.3))).isEqualTo("≤ 1.35 of even: open");
        assertThat(aim.said(stock, mean(1.19, 1.2, 1.21))).isEqualTo("≤ 1.35 of even: reached");
        assertThat(aim.said(stock, mean(1.4, 1.41, 1.42))).isEqualTo("≤ 1.35 of even: **missed**");
        assertThat(aim.said(pairs(2, 90, 90, 90, 90, 90), mean(1.1, 1.1, 1.1)))
                .isEqualTo("≤ 1.35 of even: too few runs or sessions");
        assertThat(aim.said(stock, Optional.empty())).isEqualTo("≤ 1.35 of even");
        assertThat(Trouble.SLOW_HOST_FULL.aim()).isEqualTo(aim);
    }

    @Test
    void aWorkloadIsAimedToBeAsQuickAsHadoopOrAsAnEvenCluster() {
        Pairs above = pairs(3, 102, 102.1, 102.2, 102, 102.1);
        Optional<MeanRatio> below = Optional.of(MeanRatio.of(List.of(1.4, 1.41, 1.42, 1.4, 1.41)));

        assertThat(WorkloadLine.aim("terasort").said(above, Optional.empty()))
                .isEqualTo("≤ 1.01 of Hadoop's: **missed**");
        assertThat(WorkloadLine.aim("terasort, a host at 25 %").said(above, below))
                .isEqualTo("≤ 1.50 of even: reached");
        assertThat(WorkloadLine.aim("sort, attempts=m_000001_0=300").said(above, below))
                .isEqualTo("≤ 1.03 of Hadoop's: reached");
    }
}
