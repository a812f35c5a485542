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
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

class PairsTest {
    private static final Offset<Double> EXACTLY = within(1e-12);

    @Test
    void manyRoundsOfOneSessionTellNoMoreThanOneOfAnother() {
        Pairs pairs =
                pairs(ratio("1-1", 50), ratio("1-2", 200), ratio("2-1", 80), ratio("3-1", 40));

        assertThat(pairs.roundsOverStock().all()).containsExactly(0.5, 2.0, 0.8, 0.4);
        List<Double> sessions = pairs.overStock().all();
        assertThat(sessions).hasSize(3);
        assertThat(sessions.get(0)).as("the geometric mean of 0.5 and 2").isCloseTo(1, EXACTLY);
        assertThat(sessions.get(1)).isCloseTo(0.8, EXACTLY);
        assertThat(sessions.get(2)).isCloseTo(0.4, EXACTLY);
    }

    @Test
    void fewSessionsHaveNoInterval() {
        Ratios few = pairs(ratio("1-1", 50), ratio("1-2", 200), ratio("2-1", 80)).overStock();

        assertThat(few.all()).containsExactly(0.5, 2.0, 0.8);
        assertThat(few.text()).isEqualTo("0.50, 2.00, 0.80");
        assertThat(Ratios.ofRounds(List.of(0.9, 1.2, 0.8, 1.0, 0.7, 1.1, 1.0)).text())
                .isEqualTo("0.70 to 1.20");
        assertThat(pairs(ratio("1-1", 80), ratio("2-1", 80), ratio("3-1", 80)).overStock().text())
                .isEqualTo("0.80 (0.80–0.80)");
    }

    /** Hadoop's job takes 100 s. */
    private static List<JobLine> ratio(String round, double seconds) {
        return List.of(
                Jobs.job("v", "even", "stock", round, 100),
                Jobs.job("v", "even", "all", round, seconds));
    }

    @SafeVarargs
    private static Pairs pairs(List<JobLine>... rounds) {
        List<JobLine> lines = new ArrayList<>();
        for (List<JobLine> round : rounds) {
            lines.addAll(round);
        }
        return WholeJobs.of(lines).pairs("even").orElseThrow();
    }
}
