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

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WholeJobsTest {
    private static final String SLOW_SORT = "sort, a host at 25 %";

    private static JobLine job(
            String commit, String trouble, String variant, String round, double s) {
        return new JobLine(
                commit, trouble, variant, round, s, 10, 2, 1, 1, 1, 80.0, 1000.0, null, 10.0, 500,
                Map.of());
    }

    @Test
    void comparesJobsOfOneRoundOnly() {
        WholeJobs jobs =
                new WholeJobs(
                        List.of(
                                job("b", "late-map", "stock", "2-1", 100),
                                job("b", "late-map", "all", "2-1", 50),
                                job("b", "late-map", "stock", "2-2", 200),
                                job("b", "late-map", "all", "2-2", 50),
                                job("b", "late-map", "all", "2-3", 1)),
                        1);

        MeanRatio ratio = jobs.overStock(jobs.cell("late-map", "all").orElseThrow()).orElseThrow();

        assertThat(ratio.count()).isEqualTo(2);
        assertThat(ratio.mean()).isCloseTo(Math.sqrt(0.5 * 0.25), within(1e-12));
    }

    @Test
    void comparesLongTasksWithAnEvenClustersLongTasks() {
        WholeJobs jobs =
                new WholeJobs(
                        List.of(
                                job("b", "even", "stock", "2-1", 50),
                                job("b", "long-even", "stock", "2-1", 100),
                                job("b", "long-late-map", "all", "2-1", 150)),
                        1);

        MeanRatio ratio =
                jobs.overEven(jobs.cell("long-late-map", "all").orElseThrow()).orElseThrow();

        assertThat(ratio.mean()).isCloseTo(1.5, within(1e-12));
    }

    @Test
    void takesOfEachTroubleTheVersionThatWasMeasuredLast() {
        WholeJobs jobs =
                new WholeJobs(
                        List.of(
                                job("new", "late-map", "all", "3-1", 50),
                                job("old", "late-map", "all", "2-1", 70),
                                job("old", "late-map", "stock", "2-1", 70),
                                job("old", "even", "stock", "2-1", 35)),
                        1);

        assertThat(jobs.cell("late-map", "all").orElseThrow().jobs())
                .extracting(JobLine::commit)
                .containsExactly("new");
        assertThat(jobs.cell("late-map", "stock")).isEmpty();
        assertThat(jobs.cell("even", "stock")).isPresent();
    }

    @Test
    void aVersionOfWhichRoundsAreStillToComeDoesNotDisplaceAnother() {
        List<JobLine> lines =
                List.of(
                        job("old", "late-map", "stock", "2-1", 70),
                        job("old", "late-map", "all", "2-1", 60),
                        job("old", "late-map", "all", "2-2", 61),
                        job("new", "late-map", "stock", "3-1", 72),
                        job("new", "late-map", "all", "3-1", 50));

        assertThat(new WholeJobs(lines, 2).cell("late-map", "all").orElseThrow().version())
                .isEqualTo("old");
        assertThat(new WholeJobs(lines, 3).cell("late-map", "all").orElseThrow().version())
                .as("none has enough")
                .isEqualTo("new");
    }

    @Test
    void tellsOfNewerRoundsThatAreTooFew() {
        WholeJobs jobs =
                new WholeJobs(
                        List.of(
                                job("old", "late-map", "stock", "2-1", 70),
                                job("old", "late-map", "all", "2-1", 60),
                                job("old", "late-map", "all", "2-2", 61),
                                job("older", "late-map", "stock", "1-1", 70),
                                job("older", "late-map", "all", "1-1", 60),
                                job("new", "late-map", "stock", "3-1", 80),
                                job("new", "late-map", "all", "3-1", 40)),
                        2);

        assertThat(jobs.newer())
                .singleElement()
                .satisfies(
                        newer -> {
                            assertThat(newer.cell().version()).isEqualTo("new");
                            assertThat(newer.overStock().mean()).isEqualTo(0.5);
                        });
    }

    /** Another round, made since the first ones didn't say what was hoped for, would count. */
    @Test
    void takesTheFirstRoundsWhereTheirNumberIsFixed() {
        WholeJobs jobs =
                WholeJobs.ofFirst(
                        List.of(
                                job("a", "even", "all", "2-2", 50),
                                job("a", "even", "all", "2-1", 40),
                                job("a", "even", "all", "2-3", 90)),
                        2);
        assertThat(jobs.cell("even", "all").orElseThrow().jobs())
                .extracting(JobLine::round)
                .containsExactly("2-1", "2-2");
    }

    @Test
    void aRunWhoseOutputIsNotHadoopsIsNone(@TempDir Path scratch) throws IOException {
        Path file =
                Files.writeString(
                        scratch.resolve("workloads-a.ndjson"),
                        "{\"commit\": \"a\", \"workload\": \"sort\", \"variant\": \"all\","
                                + " \"round\": \"1\", \"jobs_s\": 3.5, \"identical\": false}\n");
        WorkloadLine line = Lines.read(file, WorkloadLine.class, "run of a workload").get(0);
        assertThatThrownBy(line::asJob).hasMessageContaining("isn't Hadoop's");
    }

    @Test
    void comparesWithTheEvenClusterOfTheSameRoundAndVersion() {
        WholeJobs jobs =
                new WholeJobs(
                        List.of(
                                job("a", "even", "stock", "2-1", 40),
                                job("a", "slow-host", "all", "2-1", 50),
                                job("a", "slow-host", "all", "2-2", 90)),
                        1);

        assertThat(jobs.overEven(jobs.cell("slow-host", "all").orElseThrow()))
                .hasValueSatisfying(
                        ratio -> {
                            assertThat(ratio.count()).isEqualTo(1);
                            assertThat(ratio.mean()).isEqualTo(1.25);
                        });
        assertThat(jobs.overStock(jobs.cell("slow-host", "all").orElseThrow())).isEmpty();
    }

    @Test
    void comparesAFullClusterWithOneThatIsFullAndEven() {
        WholeJobs jobs =
                new WholeJobs(
                        List.of(
                                job("a", "even", "stock", "2-1", 10),
                                job("a", "even-full", "stock", "2-1", 40),
                                job("a", "slow-host-full", "all", "2-1", 50)),
                        1);

        assertThat(jobs.overEven(jobs.cell("slow-host-full", "all").orElseThrow()))
                .hasValueSatisfying(ratio -> assertThat(ratio.mean()).isEqualTo(1.25));
    }

    @Test
    void anAimIsOpenUnlessAllOfTheIntervalIsOnOneSide() {
        Optional<MeanRatio> over = Optional.of(MeanRatio.of(List.of(1.4, 1.41, 1.42)));
        Optional<MeanRatio> under = Optional.of(MeanRatio.of(List.of(0.5, 0.501, 0.502)));
        Optional<MeanRatio> both = Optional.of(MeanRatio.of(List.of(0.5, 0.9)));
        Optional<MeanRatio> one = Optional.of(MeanRatio.of(List.of(0.5)));

        assertThat(Trouble.SLOW_HOST.aim(under, over)).isEqualTo("≤ 1.35 of even: **missed**");
        assertThat(Trouble.LATE_REDUCE.aim(under, over)).isEqualTo("≤ 0.55 of Hadoop's: reached");
        assertThat(Trouble.LATE_MAP.aim(both, over)).isEqualTo("≤ 0.70 of Hadoop's: open");
        assertThat(Trouble.LATE_MAP.aim(one, over)).isEqualTo("≤ 0.70 of Hadoop's: open");
        assertThat(Trouble.LATE_MAP.aim(Optional.empty(), over)).isEqualTo("≤ 0.70 of Hadoop's");
    }

    @Test
    void aWorkloadWithASlowHostIsAnotherTrouble(@TempDir Path scratch) throws IOException {
        Path file =
                Files.writeString(
                        scratch.resolve("workloads-a.ndjson"),
                        "{\"commit\": \"a\", \"workload\": \"sort\", \"variant\": \"all\","
                                + " \"round\": \"1\", \"jobs_s\": 3.5, \"slow_host_percent\": 25,"
                                + " \"identical\": true, \"clones_won\": 2}\n");

        JobLine job = Lines.read(file, WorkloadLine.class, "run of a workload").get(0).asJob();

        assertThat(job.trouble()).isEqualTo(SLOW_SORT);
        assertThat(job.seconds()).isEqualTo(3.5);
        assertThat(job.clonesWon()).isEqualTo(2);
    }

    @Test
    void thePageHasARowForEachTroubleAndACellForEachPointOfTheSweep() {
        String page =
                new ResultsPage(
                                new WholeJobs(
                                        List.of(
                                                job("abcdef0", "even", "stock", "2-1", 40),
                                                job("abcdef0", "late-map", "stock", "2-1", 100),
                                                job("abcdef0", "late-map", "all", "2-1", 50),
                                                job("abcdef0", "onset-50-20", "stock", "2-1", 80),
                                                job("abcdef0", "onset-50-20", "all", "2-1", 60)),
                                        1),
                                Map.of(
                                        "workloads",
                                        new WholeJobs(
                                                List.of(
                                                        job("b", "sort", "stock", "2-1", 40),
                                                        job("b", "sort", "all", "2-1", 30),
                                                        job("b", SLOW_SORT, "stock", "3-1", 90),
                                                        job("b", SLOW_SORT, "all", "3-1", 60)),
                                                1)),
                                List.of(
                                        new SingleResult(
                                                "am-cost",
                                                "abcdef0",
                                                Map.of("look_p99_ms", "3"),
                                                "",
                                                Optional.of("benchmarks/am-cost/run --x"))))
                        .markdown(Map.of());

        assertThat(page)
                .contains(
                        "| 1 | 100.0 s (100.0–100.0) | 50.0 s (50.0–50.0) | 0.50 | 0.40 | 1.25 | ≤ 0.70 of Hadoop's: open"
                                + " | `abcdef0` |")
                .contains(
                        "| sort | CloneHadoop | 1 | 30.0 s (30.0–30.0) | 0.75 |  | 2 | 1 | 1 | 1 | `b` |")
                .contains(
                        "| sort, a host at 25 % | CloneHadoop | 1 | 60.0 s (60.0–60.0) | 0.67 | 1.50 | 2 |")
                .contains("| 50 % | 0.75; 1, 0 |")
                .contains(
                        "| p99 of a look for stragglers, on a thread of its own | 3 ms | ≤ 10 ms: reached |")
                .contains("| exchanges with the ResourceManager over Hadoop's | not measured |  |")
                .contains("`benchmarks/am-cost/run --x`, version `abcdef0`");
    }

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
        OnsetSweep sweep =
                OnsetSweep.of(
                                new WholeJobs(
                                        List.of(
                                                job("b", "even", "all", "2-1", 40),
                                                job("b", "onset-90-20", "stock", "2-1", 80),
                                                job("b", "onset-90-20", "all", "2-1", 60)),
                                        1))
                        .orElseThrow();

        assertThat(sweep.percents()).containsExactly(90);
        assertThat(sweep.factors()).containsExactly(20);
        assertThat(sweep.cloneShare()).contains(0.1);
    }

    @Test
    void replacesNothingOfAPageButItsBlock(@TempDir Path scratch) throws IOException {
        Path page =
                Files.writeString(
                        scratch.resolve("README.md"),
                        "a\n<!-- results -->\nold\n<!-- end of results -->\nb\n");
        String summary =
                new ResultsPage(
                                new WholeJobs(
                                        Stream.concat(rounds("even", 10), rounds("late-map", 9))
                                                .toList(),
                                        1),
                                Map.of(),
                                List.of())
                        .summary();

        MarkedBlock.replace(page, summary);

        assertThat(Files.readString(page))
                .startsWith("a\n<!-- results -->\n|  | runs |")
                .contains(
                        "| nothing straggles | 10 | 40.0 s (40.0–40.0) | 40.0 s (40.0–40.0) | 1.00 (1.00–1.00) |")
                .as("nine runs are too few")
                .doesNotContain("one map")
                .doesNotContain("old")
                .endsWith("\n<!-- end of results -->\nb\n");
        assertThatThrownBy(() -> MarkedBlock.replace(Files.writeString(page, "a\n"), summary))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("has no <!-- results -->");
    }

    private static Stream<JobLine> rounds(String trouble, int count) {
        return IntStream.rangeClosed(1, count)
                .boxed()
                .flatMap(
                        run ->
                                Stream.of("stock", "all")
                                        .map(
                                                variant ->
                                                        job(
                                                                "a",
                                                                trouble,
                                                                variant,
                                                                "2-" + run,
                                                                40)));
    }

    @Test
    void saysWhichLineIsNoJob(@TempDir Path scratch) throws IOException {
        Path file = Files.writeString(scratch.resolve("jobs.ndjson"), "{\"commit\": \"a\"}\n");

        assertThatThrownBy(() -> JobLine.read(file))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(file + ":1: no job");
    }

    @Test
    void aResultIsNamedByItsBenchmarkAndVersion(@TempDir Path scratch) throws IOException {
        Path file =
                Files.writeString(
                        scratch.resolve("am-cost-1434d33.json"),
                        "{\"environment\": {\"cores\": 2, \"cpu\": \"X\", \"kernel\": \"L\"},"
                                + " \"look_p99_ms\": 3.5, \"runs\": 5}");

        assertThat(SingleResult.read(file))
                .isEqualTo(
                        new SingleResult(
                                "am-cost",
                                "1434d33",
                                Map.of("look_p99_ms", "3.5", "runs", "5"),
                                "2 × X, L",
                                Optional.empty()));
        Files.writeString(
                file,
                "{\"environment\": {\"command\": \"benchmarks/a/run --quick --json /x/y.json --n 1\"}}");
        assertThat(SingleResult.read(file).command()).contains("benchmarks/a/run --quick --n 1");
        assertThatThrownBy(() -> SingleResult.read(scratch.resolve("x.json")))
                .hasMessageContaining("not named NAME-COMMIT.json");
    }
}
