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
import org.junit.jupiter.api.Test;

class ThrownAwayTest {
    @Test
    void theWorstComesFirstAndLittleIsntPointedAt() {
        Markdown page = new Markdown();

        ThrownAway.write(
                List.of(
                        pairs("as-much", 100, 115),
                        pairs("half-more", 100, 150),
                        pairs("some-seconds", 2, 9),
                        pairs("thrice", 10, 30)),
                page);

        assertThat(page.toString())
                .contains(
                        "than by Hadoop: `thrice` 3.0 times (30 s a job, Hadoop 10 s),"
                                + " `half-more` 1.5 times (150 s a job, Hadoop 100 s). [A job's budget]");
    }

    @Test
    void isNoTimesOfNothing() {
        Markdown page = new Markdown();

        ThrownAway.write(List.of(pairs("late-reduce", 0, 45)), page);

        assertThat(page.toString()).contains("`late-reduce` (45 s a job, Hadoop 0 s)");
    }

    @Test
    void saysNothingOfNothing() {
        Markdown page = new Markdown();

        ThrownAway.write(List.of(pairs("as-much", 100, 100)), page);

        assertThat(page.toString()).isEmpty();
    }

    private static Pairs pairs(String trouble, double stocks, double ours) {
        return WholeJobs.of(
                        List.of(
                                Jobs.alone(trouble, "stock", "1-1", 100, stocks),
                                Jobs.alone(trouble, "all", "1-1", 100, ours)))
                .pairs(trouble)
                .orElseThrow();
    }
}
