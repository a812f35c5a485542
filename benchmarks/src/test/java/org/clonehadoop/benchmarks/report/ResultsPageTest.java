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
import static org.clonehadoop.benchmarks.report.Jobs.enough;
import static org.clonehadoop.benchmarks.report.Jobs.inThreeSessions;
import static org.clonehadoop.benchmarks.report.Jobs.job;
import static org.clonehadoop.benchmarks.report.Jobs.pairs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ResultsPageTest {
    private static final String SLOW_SORT = "sort, a host at 25 %";

    private static final List<SingleResult> PARTS =
            List.of(
                    new SingleResult(
                            "am-cost",
                            "abcdef0",
                            Map.of("look_p99_ms", "3"),
                            "a machine",
                            Optional.of("benchmarks/am-cost/run --x")));

    private static String page(WholeJobs jobs, Map<String, WholeJobs> workloads) {
        return new ResultsPage(jobs, workloads, PARTS, Optional.empty()).markdown(Map.of());
    }

    private static final WholeJobs NONE = WholeJobs.of(List.of());

    @Test
    void hasARowForEachTrouble() {
        String page =
                page(
                        WholeJobs.of(
                                Jobs.all(
                                        enough("abcdef0", "even", "stock", 40),
                                        enough("abcdef0", "late-map", "stock", 100),
                                        enough("abcdef0", "late-map", "all", 50),
                                        enough("abcdef0", "sick-host", "stock", 80),
                                        enough("abcdef0", "sick-host", "all", 60),
                                        pairs("abcdef0", "slow-link", "2", 9, 50))),
                        Map.of());

        assertThat(page)
                .contains(
                        "| 40.0 s | 5 | 3 | 100.0 s (100.0–100.0) | 50.0 s (50.0–50.0) | 0.50 (0.50–0.50) | 0.50"
                                + " | 5 of 5 | `abcdef0` |")
                .contains("| `late-map` |  | 1.25 (1.25–1.25) | ≤ 0.70 of Hadoop's: reached |")
                .contains(
                        "| `late-map` | CloneHadoop |  |  | 10 | 5 | 0 | 5 | 5 | 10.0 s | 200 s |")
                .as("one that the report doesn't know")
                .contains("| `sick-host`: sick-host | 40.0 s | 5 | 3 | 80.0 s")
                .contains("| `sick-host` |  | 1.50 (1.50–1.50) | unknown to the report |")
                .contains("reached in 2 of 2 cells with five runs or more, of three sessions")
                .as("of one session")
                .contains("Too few runs or sessions to tell: `slow-link`.")
                .doesNotContain("| `slow-link`");
    }

    @Test
    void partsHaveAPageOfTheirOwn() {
        assertThat(ResultsPage.ofParts(PARTS))
                .contains(
                        "| p99 of a look for stragglers, on a thread of its own | 3 ms | ≤ 10 ms: reached |")
                .contains("| exchanges with the ResourceManager over Hadoop's | not measured |  |")
                .contains("`benchmarks/am-cost/run --x`, version `abcdef0`, on a machine.");
    }

    @Test
    void hasARowForEachWorkload() {
        WholeJobs workloads =
                WholeJobs.of(
                        Jobs.all(
                                enough("b", SLOW_SORT, "stock", 90),
                                enough("b", SLOW_SORT, "all", 50),
                                enough("b", "sort", "stock", 40),
                                enough("b", "sort", "all", 30),
                                pairs("b", "wordcount", "2", 9, 50)));

        assertThat(page(NONE, Map.of("hibench", workloads)))
                .contains("## HiBench\n")
                .contains(
                        "| sort | 500 MB | 5 | 3 | 40.0 s (40.0–40.0) | 30.0 s (30.0–30.0) | 0.75 (0.75–0.75) | 0.75"
                                + " | 5 of 5 | `b` |\n| sort, a host at 25 % |")
                .contains(
                        "| sort, a host at 25 % | 2.25 (2.25–2.25) | 1.25 (1.25–1.25) | ≤ 1.50 of even: reached |")
                .contains("| sort, a host at 25 % | CloneHadoop |  | 10 | 5 | 5 | 5 | 10.0 s |")
                .as("of one session")
                .doesNotContain("| wordcount |");
    }

    @Test
    void saysWhatEachPartBringsAndWhatHadoopsSettingsDo() {
        Stream<JobLine> parts =
                Stream.of("stock", "all", "speculator", "spill", "no-clones")
                        .map(variant -> job("v", "even", variant, "1-1", 100));
        Stream<JobLine> clones = Stream.of(job("v", "even", "clone", "1-1", 80));
        Stream<JobLine> baselines =
                Stream.of("stock", "stock-smoothed", "stock-eager", "all")
                        .map(variant -> job("v", "even", variant, "2-1", 100));

        assertThat(page(WholeJobs.of(Jobs.all(parts, clones, baselines)), Map.of()))
                .contains(
                        "|  | runs | per-spill outputs, Hadoop's speculator"
                                + " | our speculator in CloneAppMaster, clones priced out"
                                + " | our speculator in CloneAppMaster, with clones | CloneHadoop"
                                + " | what clones bring | version |")
                .contains(
                        "| `even` | 1 | 1.00; 1 won | 1.00; 1 won | 0.80; 1 won | 1.00; 1 won | 0.80 | `v` |")
                .contains("### Hadoop with other settings")
                .contains("| `even` | 1 | 1.00; 1 won | 1.00; 1 won | 1.00; 1 won | `v` |");
    }

    @Test
    void allRoundsHaveAPageOfTheirOwn() {
        WholeJobs jobs =
                WholeJobs.of(
                        List.of(
                                job("old", "late-map", "stock", "1-1", 100),
                                job("old", "late-map", "all", "1-1", 50),
                                job("new", "late-map", "stock", "2-1", 100),
                                job("new", "late-map", "speculator", "2-1", 90),
                                job("new", "late-map", "no-clones", "2-1", 80),
                                job("new", "late-map", "clone", "2-1", 60),
                                job("new", "late-map", "all", "2-1", 50),
                                job("new", "late-map", "stock", "2-2", 70)));
        WholeJobs workloads = WholeJobs.of(Jobs.all(pairs("b", "sort", "2", 1, 30)));

        UnfinishedSessions unfinished = UnfinishedSessions.of(List.of());
        assertThat(HistoryPage.markdown(jobs, List.of(), unfinished, Map.of("hibench", workloads)))
                .contains(
                        "| `late-map` | first | hosts | 2 | 0 | 2 | 2 | 0.50, 0.50 |  | 0.50 | 2 of 2"
                                + " | 0.50 |  |  |")
                .as("parts")
                .contains(
                        "| first |  |  |  | 1: 0.90; 1 won | 1: 0.80; 1 won | 1: 0.60; 1 won | 2: 0.50, 0.50; 2 won"
                                + " | 1: 0.75 |")
                .as("without a partner")
                .contains("| `late-map` | Hadoop | 1 | 70.0 s (70.0–70.0) | 2 | 10.0 s | `new` |")
                .contains("## HiBench\n")
                .contains("| `sort` | first | hosts | 1 |");
    }

    @Test
    void setsThePapersVariantsBesideEachOtherWithTheirMapsPhases() {
        Stream<JobLine> lines =
                Stream.of(
                        job("v", "log-normal-10", "stock", "1-1", 100),
                        job("v", "log-normal-10", "spill", "1-1", 80),
                        job("v", "log-normal-10", "all", "1-1", 50),
                        job("v", "even", "stock", "1-1", 100),
                        job("v", "even", "spill", "1-1", 80),
                        job("v", "even", "all", "1-1", 50));

        String page = page(WholeJobs.of(lines.toList()), Map.of());

        assertThat(page.substring(page.indexOf("### The paper's figures 6 and 8")))
                .contains("| `log-normal-10` | 1 | 0.80; 1 won; maps 0.80 | 0.50;")
                .doesNotContain("| `even` | 1 | 0.80; 1 won; maps");
    }

    @Test
    void saysWhatIsNotMeasuredYet() {
        String page = page(WholeJobs.of(Jobs.all(inThreeSessions("v", "even", 2, 99))), Map.of());
        String missing = page.substring(page.indexOf("## Not measured yet"));

        assertThat(missing)
                .contains("| job time | `even-full`, `late-map`,")
                .contains("`short-maps`")
                .doesNotContain("| job time | `even`,")
                .as("left to the simulator")
                .doesNotContain("`four-jobs`")
                .contains("| HiBench | all, 9 |")
                .contains("`remote-clone`")
                .doesNotContain("`am-cost`");
        assertThat(page(WholeJobs.of(Jobs.all(pairs("v", "even", "1", 4, 99))), Map.of()))
                .contains("| job time | `even` (4 of 1 session), `even-full`");
        assertThat(page(WholeJobs.of(Jobs.all(pairs("v", "even", "1", 9, 99))), Map.of()))
                .contains("| job time | `even` (9 of 1 session), `even-full`");
    }

    @Test
    void saysWhereAndWhenAndHowBusyTheMachineWas() {
        Map<String, Object> quiet =
                Map.of("jdk", "17", "criu", "4.2", "load_before", 0.4, "stolen_percent", 0.2);
        Map<String, Object> busy =
                Map.of("jdk", "17", "criu", "4.2", "load_before", 7.5, "stolen_percent", 1.8);
        List<JobLine> lines = new ArrayList<>();
        Map.of(
                        "20261125T01Z-1", quiet,
                        "20261127T01Z-1", quiet,
                        "20261127T01Z-2", quiet,
                        "20261128T01Z-1", busy,
                        "20261128T01Z-2", busy,
                        "20261129T01Z-1", busy)
                .forEach(
                        (round, environment) -> {
                            lines.add(job("v", "even", "stock", round, 9, 500, environment));
                            lines.add(job("v", "even", "all", round, 9, 500, environment));
                        });
        WholeJobs jobs = WholeJobs.of(lines);

        assertThat(page(jobs, Map.of()))
                .contains("| whole jobs | ? × unknown, unknown kernel | 17 | 4.2 | not said |")
                .contains(
                        "| even | `v` | 500 MB | second | hosts | 2026-11-27 | 2026-11-29 | 7.5 | **1.8 %** |")
                .contains(
                        "took 9.0 s on the first, 9.0 to 9.0 s on the second. That isn't the build: of"
                                + " `v` it took 9.0 s on the first, 9.0 to 9.0 s on the second.");
    }

    @Test
    void theReadmeHasOneVersionAndNoMoreThanTheFirstTenRounds(@TempDir Path scratch)
            throws IOException {
        Path readme =
                Files.writeString(
                        scratch.resolve("README.md"),
                        "a\n<!-- results -->\nold\n<!-- end of results -->\nb\n");
        WholeJobs jobs =
                WholeJobs.of(
                        Jobs.all(
                                inThreeSessions("good", "log-normal", 4, 100),
                                inThreeSessions("good", "late-map", 2, 50),
                                inThreeSessions("good", "late-reduce", 2, 50),
                                inThreeSessions("good", "slow-host", 2, 50),
                                inThreeSessions("good", "even", 2, 101),
                                inThreeSessions("few", "log-normal", 4, 100),
                                inThreeSessions("few", "late-map", 4, 50),
                                inThreeSessions("few", "late-reduce", 4, 50),
                                inThreeSessions("few", "even", 4, 50),
                                pairs("few", "slow-host", "4", 9, 50)));
        String block = new ReadmeBlock(jobs, List.of()).toString();

        MarkedBlock.replace(readme, block);

        assertThat(Files.readString(readme))
                .startsWith("a\n<!-- results -->\n|  | runs | sessions |")
                .contains("| one reduce at 1/100 of its speed from the middle on | 6 | 3 |")
                .contains(
                        "shape 2 | 10 | 3 | 100.0 s (100.0–100.0) | 100.0 s (100.0–100.0) | 1.00 (1.00–1.00)"
                                + " | 0 of 10 | 10 clones, 0 from zero | `good` |")
                .contains(
                        "a clone ran 1 s after its order, for which its original stood still for 80 ms")
                .as("another version")
                .doesNotContain("few")
                .doesNotContain("old")
                .endsWith("\n<!-- end of results -->\nb\n");
        assertThatThrownBy(() -> MarkedBlock.replace(Files.writeString(readme, "a\n"), block))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("has no <!-- results -->");
    }

    @Test
    void theReadmeHasTasksThatWaitOnceThereAreEnough() {
        List<JobLine> usual = ofReadme("one", "", 4);
        assertThat(readme(usual, ofReadme("two", "paced-", 1))).doesNotContain("wait");
        assertThat(readme(usual, ofReadme("two", "paced-", 2)))
                .contains("one of three hosts has 25 % of a core, tasks that wait for 40 s")
                .contains("`two`")
                .doesNotContain("`one`")
                .as("what was measured before")
                .contains("over Hadoop's: `late-map` 0.50 (0.50–0.50), `late-reduce` 0.50");
    }

    @Test
    void theReadmeSaysWhetherHadoopSawTheStraggler() {
        List<JobLine> lines = ofReadme("v", "", 2);
        lines.replaceAll(
                line ->
                        line.trouble().equals("late-reduce") && line.variant().equals("stock")
                                ? Jobs.speculated(line, "m_000001")
                                : line);

        assertThat(readme(lines, List.of()))
                .contains("a second attempt of the late task in 0 of 6 of `late-reduce`.");
        assertThat(page(WholeJobs.of(lines), Map.of()))
                .contains("| `late-reduce` | Hadoop | 0 of 6, 0 won | 6 |");
    }

    private static String readme(List<JobLine> usual, List<JobLine> paced) {
        return new ReadmeBlock(WholeJobs.of(Jobs.all(usual.stream(), paced.stream())), List.of())
                .toString();
    }

    /** Of three sessions, with so many rounds of a slow host in each. */
    private static List<JobLine> ofReadme(String version, String tasks, int slowHosts) {
        return Jobs.all(
                inThreeSessions(version, tasks + "log-normal", 2, 100),
                inThreeSessions(version, tasks + "late-map", 2, 50),
                inThreeSessions(version, tasks + "late-reduce", 2, 50),
                inThreeSessions(version, tasks + "even", 2, 100),
                inThreeSessions(version, tasks + "slow-host", slowHosts, 50));
    }
}
