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
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class SummaryTest {
    @Test
    void saysWhereWhatIsGainedIsNoClones() {
        String page =
                summary(
                        Jobs.all(
                                withoutClones("slow-host", 50),
                                withoutClones("even", 101),
                                Jobs.inThreeSessions("v", "late-map", 2, 50)));

        assertThat(page).contains("No clone won in `slow-host`: what is gained there");
    }

    @Test
    void hasWhatEveryVersionTookOnBothMachinesBesideEachRow() {
        String page =
                summary(
                        Jobs.all(
                                Jobs.pairs("old", "late-map", "20261125T101010Z", 2, 90),
                                Jobs.pairs("new", "late-map", "20261128T101010Z", 5, 80),
                                Jobs.pairs("new", "late-map", "20261129T101010Z", 1, 80),
                                Jobs.pairs("new", "late-map", "20261130T101010Z", 1, 80)));

        assertThat(page)
                .contains(
                        "| 0.80 (0.80–0.80) | 7 | 3 | 7 clones, 0 from zero | `new` | 0.90, 0.90, 2 runs | 0.80 (0.80–0.80), 7 runs |");
    }

    /** Of three sessions, in which Hadoop's jobs took 100 s. */
    private static Stream<JobLine> withoutClones(String trouble, double seconds) {
        return Jobs.ENOUGH.stream()
                .flatMap(
                        round ->
                                Stream.of(
                                        Jobs.alone(trouble, "stock", round, 100, 0),
                                        Jobs.alone(trouble, "all", round, seconds, 0)));
    }

    private static String summary(List<JobLine> lines) {
        Summary summary = new Summary();
        summary.add("", WholeJobs.of(lines));
        Markdown page = new Markdown();
        summary.write(page);
        return page.toString();
    }
}
