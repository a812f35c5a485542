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
import static org.clonehadoop.benchmarks.report.Jobs.inThreeSessions;
import static org.clonehadoop.benchmarks.report.Jobs.pairs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OnsetSweepTest {
    @Test
    void byTheFormulaACloneGainsWhereMuchIsDoneAndTheRestIsSlow() {
        // 10 % left: a clone takes 0.1 + 0.1 of a map's time, an attempt from zero 1, itself 2 and
        // 0.2.
        assertThat(OnsetSweep.byFormula(90, 20, 0.1)).isCloseTo(0.2, within(1e-12));
        assertThat(OnsetSweep.byFormula(90, 2, 0.1)).isCloseTo(1, within(1e-12));
        // 90 % left: a clone would take as long as one from zero.
        assertThat(OnsetSweep.byFormula(10, 20, 0.1)).isCloseTo(1, within(1e-12));
    }

    @Test
    void whatACloneTakesIsOverWhatAMapTakes() {
        OnsetSweep sweep = sweep(Jobs.all(pairs("b", "onset-90-20", "2", 1, 60)));

        assertThat(sweep.percents()).containsExactly(90);
        assertThat(sweep.factors()).containsExactly(20);
        assertThat(sweep.cloneShare()).contains(0.1);
    }

    /** Else neighbouring cells would be of different versions. */
    @Test
    void isOfTheOneVersionThatHasMostPointsOftenEnough() {
        OnsetSweep sweep =
                sweep(
                        Jobs.all(
                                inThreeSessions("old", "onset-10-2", 2, 50),
                                inThreeSessions("old", "onset-90-2", 3, 50),
                                inThreeSessions("new", "onset-10-2", 2, 90),
                                pairs("new", "onset-90-2", "2", 1, 90)));

        assertThat(sweep.setup().version()).isEqualTo("old");
        assertThat(sweep.pairs(90, 2))
                .hasValueSatisfying(of -> assertThat(of.count()).isEqualTo(9));
        assertThat(sweep.pairs(90, 5)).isEmpty();
        assertThat(
                        sweep(
                                        Jobs.all(
                                                inThreeSessions("old", "onset-10-2", 2, 50),
                                                later("onset-90-2", 90)))
                                .setup()
                                .version())
                .as("as many points")
                .isEqualTo("new");
    }

    @Test
    void aCellSaysOfHowManyRunsItIsAndIsBoldIfItIsSure() {
        Markdown page = new Markdown();
        new OnsetSection(page)
                .measured(
                        sweep(
                                Jobs.all(
                                        inThreeSessions("v", "onset-10-2", 2, 50),
                                        pairs("v", "onset-10-20", "1", 1, 50))),
                        new Pictures(Map.of()));

        assertThat(page.toString())
                .contains("All of version `v`.")
                .contains(
                        "| 10 % | **0.50 (0.50–0.50)**; 6 runs; 6 clones, 0 from zero"
                                + " | 0.50; 1 run; 1 clones, 0 from zero |");
    }

    @Test
    void aHeatMapMayHaveBlankCells(@TempDir Path scratch) throws IOException {
        OnsetSweep sweep =
                sweep(
                        Jobs.all(
                                pairs("v", "onset-10-2", "1", 1, 50),
                                pairs("v", "onset-90-20", "1", 1, 50)));
        Path file = scratch.resolve("onset.svg");

        new OnsetPlot(
                        "Times",
                        sweep.percents(),
                        sweep.factors(),
                        (percent, factor) -> sweep.overStock(percent, factor).map(MeanRatio::mean))
                .write(file);

        assertThat(Files.readString(file).contains("<svg")).isTrue();
    }

    /** Enough of them, of sessions after those of {@link Jobs#inThreeSessions}. */
    private static Stream<JobLine> later(String trouble, double seconds) {
        return Stream.of("4", "5", "6")
                .flatMap(session -> pairs("new", trouble, session, 2, seconds));
    }

    private static OnsetSweep sweep(List<JobLine> lines) {
        return OnsetSweep.of(WholeJobs.of(lines)).orElseThrow();
    }
}
