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
import static org.clonehadoop.benchmarks.report.Jobs.inThreeSessions;
import static org.clonehadoop.benchmarks.report.Jobs.job;
import static org.clonehadoop.benchmarks.report.Jobs.pairs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ResultsPageTest {
    private static final String SLOW_SORT = "sort, a host at 25 %";

    private static String page(WholeJobs jobs, Map<String, WholeJobs> workloads) {
        return new ResultsPage(
                        jobs,
                        workloads,
                        List.of(
                                new SingleResult(
                                        "am-cost",
                                        "abcdef0",
                                        Map.of("look_p99_ms", "3"),
                                        "",
                                        Optional.of("benchmarks/am-cost/run --x"))),
                        Optional.empty())
                .markdown(Map.of());
    }

    private static final WholeJobs NONE = WholeJobs.of(List.of(), 1);

    @Test
    void hasARowForEachTrouble() {
        String page =
                page(
                        WholeJobs.of(
                                List.of(
                                        job("abcdef0", "even", "stock", "2-1", 40),
                                        job("abcdef0", "late-map", "stock", "2-1", 100),
                                        job("abcdef0", "late-map", "all", "2-1", 50),
                                        job("abcdef0", "sick-host", "stock", "2-1", 80),
                                        job("abcdef0", "sick-host", "all", "2-1", 60)),
                                1),
                        Map.of());

        assertThat(page)
                .contains(
                        "| 40.0 s | 1 | 1 | 100.0 s (100.0–100.0) | 50.0 s (50.0–50.0) | 0.50 | 0.50 | 1 of 1"
                                + " | `abcdef0` |")
                .contains("|  | 1.25 | 1.25 | ≤ 0.70 of Hadoop's: too few runs or sessions |")
                .as("one that the report doesn't know")
                .contains("| CloneHadoop | 2 | 1 | 0 | 1 | 1 | 10.0 s | 200 s |")
                .contains("| `sick-host`: sick-host | 40.0 s | 1 | 1 | 80.0 s")
                .contains("| sick-host |  | 1.50 | 1.50 | unknown to the report |")
                .contains("reached in 0 of 0 cells with five runs or more, of three sessions")
                .contains("Too few runs or sessions to tell: `late-map`, `sick-host`.")
                .contains(
                        "| p99 of a look for stragglers, on a thread of its own | 3 ms | ≤ 10 ms: reached |")
                .contains("| exchanges with the ResourceManager over Hadoop's | not measured |  |")
                .contains("`benchmarks/am-cost/run --x`, version `abcdef0`");
    }

    @Test
    void hasARowForEachWorkload() {
        WholeJobs workloads =
                WholeJobs.of(
                        List.of(
                                job("b", SLOW_SORT, "stock", "1-1", 90),
                                job("b", SLOW_SORT, "all", "1-1", 60),
                                job("b", "sort", "stock", "2-1", 40),
                                job("b", "sort", "all", "2-1", 30)),
                        1);

        assertThat(page(NONE, Map.of("hibench", workloads)))
                .contains("## HiBench\n")
                .contains(
                        "| sort | 500 MB | 1 | 1 | 40.0 s (40.0–40.0) | 30.0 s (30.0–30.0) | 0.75 | 0.75 | 1 of 1 | `b` |\n"
                                + "| sort, a host at 25 % |")
                .contains(
                        "| sort, a host at 25 % | 2.25 | 1.50 | ≤ 1.50 of even: too few runs or sessions |")
                .contains("| sort, a host at 25 % | CloneHadoop |  | 2 | 1 | 1 | 1 | 10.0 s |");
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

        assertThat(page(WholeJobs.of(Jobs.all(parts, clones, baselines), 1), Map.of()))
                .contains(
                        "|  | runs | per-spill outputs, Hadoop's speculator"
                                + " | our speculator in CloneAppMaster, clones priced out"
                                + " | our speculator in CloneAppMaster, with clones | CloneHadoop"
                                + " | what clones bring | version |")
                .contains(
                        "| nothing straggles | 1 | 1.00; 1 won | 1.00; 1 won | 0.80; 1 won | 1.00; 1 won | 0.80 | `v` |")
                .contains("### Hadoop with other settings")
                .contains(
                        "| nothing straggles | 1 | 1.00; 1 won | 1.00; 1 won | 1.00; 1 won | `v` |");
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
                                job("new", "late-map", "all", "2-1", 50),
                                job("new", "late-map", "stock", "2-2", 70)),
                        1);
        WholeJobs workloads = WholeJobs.of(Jobs.all(pairs("b", "sort", "2", 1, 30)), 1);

        assertThat(HistoryPage.markdown(jobs, Map.of("hibench", workloads)))
                .contains(
                        "| `late-map` | first | 2 | 0 | 2 | 2 | 0.50, 0.50 | 0.50 | 2 of 2 | 0.50"
                                + " | 2: 0.50, 0.50 |  |")
                .as("parts")
                .contains("| first |  |  |  | 1: 0.90; 1 won |  |  | 2: 0.50, 0.50; 2 won |")
                .as("without a partner")
                .contains("| `late-map` | Hadoop | 1 | 70.0 s (70.0–70.0) | 2 | 10.0 s | `new` |")
                .contains("## HiBench\n")
                .contains("| `sort` | first | 1 |");
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

        String page = page(WholeJobs.of(lines.toList(), 1), Map.of());

        assertThat(page.substring(page.indexOf("### The paper's figures 6 and 8")))
                .contains(
                        "shape 10, up to five times its time | 1 | 0.80; 1 won; maps 0.80 | 0.50;")
                .doesNotContain("| nothing straggles | 1 | 0.80; 1 won; maps");
    }

    @Test
    void saysWhatIsNotMeasuredYet() {
        String page =
                page(WholeJobs.of(Jobs.all(inThreeSessions("v", "even", 2, 99)), 5), Map.of());
        String missing = page.substring(page.indexOf("## Not measured yet"));

        assertThat(missing)
                .contains("| job time | `even-full`, `late-map`,")
                .contains("`short-maps`")
                .doesNotContain("| job time | `even`,")
                .contains("| from when on, and how much slower | all, 9 |")
                .contains("| HiBench | all, 9 |")
                .contains("`remote-clone`")
                .doesNotContain("`am-cost`");
        assertThat(page(WholeJobs.of(Jobs.all(pairs("v", "even", "1", 4, 99)), 5), Map.of()))
                .contains("| job time | `even` (4 of 1 session), `even-full`");
        assertThat(page(WholeJobs.of(Jobs.all(pairs("v", "even", "1", 9, 99)), 5), Map.of()))
                .contains("| job time | `even` (9 of 1 session), `even-full`");
    }

    @Test
    void saysWhereAndWhenAndHowBusyTheMachineWas() {
        Map<String, Object> quiet =
                Map.of("jdk", "17", "criu", "4.2", "load_before", 0.4, "stolen_percent", 0.2);
        Map<String, Object> busy =
                Map.of("jdk", "17", "criu", "4.2", "load_before", 7.5, "stolen_percent", 1.8);
        WholeJobs jobs =
                WholeJobs.of(
                        List.of(
                                job("v", "even", "stock", "20261125T1Z-1", 9, 500, quiet),
                                job("v", "even", "all", "20261125T1Z-1", 9, 500, quiet),
                                job("v", "even", "stock", "20261127T1Z-2", 9, 500, busy),
                                job("v", "even", "all", "20261127T1Z-2", 9, 500, busy)),
                        1);

        assertThat(page(jobs, Map.of()))
                .contains("| whole jobs | ? × unknown, unknown kernel | 17 | 4.2 | not said |")
                .contains(
                        "| even | `v` | 500 MB | first, second | 2026-11-25 | 2026-11-27 | 7.5 | **1.8 %** |")
                .contains(
                        "took 9.0 s on the first, 9.0 s on the second. That isn't the build: of `v` it took"
                                + " 9.0 s on the first, 9.0 s on the second.");
    }

    @Test
    void pointsAtTroublesWhereMoreContainerTimeIsThrownAway() {
        WholeJobs jobs = WholeJobs.of(Jobs.all(pairs("v", "even", "1", 1, 99)), 1);

        assertThat(page(jobs, Map.of())).doesNotContain("throws half as much");

        JobLine costly =
                new JobLine(
                        "v", "even", "all", "1-1", 9, 35, 2, 1, 1, 1, null, null, null, null, null,
                        null, null, null, 500, Map.of());
        assertThat(
                        page(
                                WholeJobs.of(
                                        List.of(job("v", "even", "stock", "1-1", 9), costly), 1),
                                Map.of()))
                .contains(
                        "CloneHadoop throws half as much container time again away as Hadoop, or more, in `even` (35 s a job, Hadoop's 10).");
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
                                pairs("good", "even", "2", 12, 100),
                                pairs("good", "late-map", "2", 5, 50),
                                pairs("good", "late-reduce", "2", 5, 50),
                                pairs("good", "slow-host", "2", 6, 50),
                                pairs("few", "even", "3", 10, 100),
                                pairs("few", "late-map", "3", 10, 50),
                                pairs("few", "late-reduce", "3", 10, 50),
                                pairs("few", "slow-host", "3", 4, 50)),
                        5);
        String block = new ReadmeBlock(jobs, List.of()).toString();

        MarkedBlock.replace(readme, block);

        assertThat(Files.readString(readme))
                .startsWith("a\n<!-- results -->\n|  | runs |")
                .contains("| one reduce at 1/100 of its speed from the middle on | 5 |")
                .contains(
                        "| nothing straggles | 10 | 100.0 s (100.0–100.0) | 100.0 s (100.0–100.0) | 1.00 (1.00–1.00)"
                                + " | 0 of 10 | 10 clones, 0 from zero | `good` |")
                .as("another version")
                .doesNotContain("few")
                .doesNotContain("old")
                .endsWith("\n<!-- end of results -->\nb\n");
        assertThatThrownBy(() -> MarkedBlock.replace(Files.writeString(readme, "a\n"), block))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("has no <!-- results -->");
    }
}
