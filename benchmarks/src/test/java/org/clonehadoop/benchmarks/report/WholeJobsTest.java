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
import static org.clonehadoop.benchmarks.report.Jobs.inThreeSessions;
import static org.clonehadoop.benchmarks.report.Jobs.job;
import static org.clonehadoop.benchmarks.report.Jobs.pairs;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class WholeJobsTest {
    private static final List<String> README = List.of("even", "late-map");

    @Test
    void comparesJobsOfOneRoundOnly() {
        WholeJobs jobs =
                WholeJobs.of(
                        List.of(
                                job("b", "late-map", "stock", "2-1", 100),
                                job("b", "late-map", "all", "2-1", 50),
                                job("b", "late-map", "stock", "2-2", 200),
                                job("b", "late-map", "all", "2-2", 50),
                                job("b", "late-map", "all", "2-3", 1)));

        Pairs pairs = jobs.pairs("late-map").orElseThrow();

        assertThat(pairs.count()).isEqualTo(2);
        assertThat(pairs.overStock().mean().mean()).isCloseTo(Math.sqrt(0.5 * 0.25), within(1e-12));
        assertThat(pairs.overStock().median()).isEqualTo(0.375);
        assertThat(jobs.alone("late-map"))
                .extracting(Runs::toString)
                .containsExactly("1.0 s (1.0–1.0)");
    }

    @Test
    void timesAndClonesAreOfTheRoundsThatAreCompared() {
        WholeJobs jobs =
                WholeJobs.of(
                        List.of(
                                job("b", "late-map", "stock", "2-1", 100),
                                job("b", "late-map", "all", "2-1", 50),
                                job("b", "late-map", "stock", "3-1", 900),
                                job("b", "late-map", "stock-eager", "3-1", 800),
                                job("b", "late-map", "all", "4-1", 10)));

        Pairs pairs = jobs.pairs("late-map").orElseThrow();

        assertThat(pairs.stock()).hasToString("100.0 s (100.0–100.0)");
        assertThat(pairs.other()).hasToString("50.0 s (50.0–50.0)");
        assertThat(pairs.other().sum(JobLine::clonesWon)).isEqualTo(1);
        assertThat(jobs.alone("late-map"))
                .extracting(Runs::toString)
                .containsExactly("900.0 s (900.0–900.0)", "10.0 s (10.0–10.0)");
    }

    /** Every line is in a pair, or is said to be alone, whatever setup is shown. */
    @Test
    void noRunIsOnNoPage() {
        List<JobLine> lines =
                Jobs.all(
                        pairs("old", "even", "1", 5, 90),
                        pairs("new", "even", "2", 2, 90),
                        Stream.of(
                                job("newest", "even", "all", "3-1", 90),
                                job("newest", "even", "all", "3-2", 90),
                                job("old", "even", "stock", "4-1", 90)));
        WholeJobs jobs = WholeJobs.of(lines);

        assertThat(2 * jobs.ever("even").orElseThrow().count())
                .isEqualTo(lines.size() - jobs.alone("even").stream().mapToInt(Runs::count).sum());
        assertThat(jobs.alone("even")).extracting(Runs::count).containsExactlyInAnyOrder(2, 1);
    }

    @Test
    void roundsOfTwoMachinesAreApart() {
        Pairs both =
                WholeJobs.of(
                                Jobs.all(
                                        pairs("a", "even", "20261126T182831Z", 2, 90),
                                        pairs("b", "even", "20261126T213855Z", 3, 50)))
                        .ever("even")
                        .orElseThrow();
        assertThat(TestMachine.FIRST.of(both).orElseThrow().count()).isEqualTo(2);
        assertThat(TestMachine.SECOND.of(both).orElseThrow().overStock().median()).isEqualTo(0.5);
    }

    @Test
    void aWinnerBesideNoOtherAttemptWasBegunElsewhere() throws IOException {
        JobLine job =
                new ObjectMapper()
                        .readValue(
                                """
                                {"commit": "v", "trouble": "even", "variant": "all", "round": "1-1",
                                "job_s": 9, "thrown_away_s": 35, "extra_attempts": 6, "extra_attempts_won": 6,
                                "speculated": ["m_000001", "m_000002"], "megabytes": 500}
                                """,
                                JobLine.class);
        assertThat(new Runs(List.of(Run.of(job))).winners())
                .isEqualTo("0 clones, 2 from zero, 4 begun elsewhere");
        assertThat(job("v", "even", "all", "1-1", 9).winnersBesideNobody()).isZero();
    }

    @Test
    void jobsOfOtherTasksHaveNoEvenOne() {
        assertThat(Experiment.evenOf("long-slow-host-full")).contains("long-even-full");
        assertThat(Experiment.evenOf("lone-reduce")).isEmpty();
        assertThat(Experiment.evenOf("short-maps")).isEmpty();
    }

    @Test
    void saysInHowManyRoundsAndSessionsItWasQuicker() {
        Pairs pairs =
                WholeJobs.of(
                                Jobs.all(
                                        pairs("b", "even", "2", 3, 110),
                                        pairs("b", "even", "3", 1, 90)))
                        .pairs("even")
                        .orElseThrow();

        assertThat(pairs.overStock().quicker()).isEqualTo("1 of 4");
        assertThat(pairs.sessions()).isEqualTo(2);
    }

    @Test
    void allRoundsOfAllVersionsAreThereInTheirOrder() {
        Pairs ever =
                WholeJobs.of(
                                Jobs.all(
                                        pairs("new", "even", "3", 2, 90),
                                        pairs("old", "even", "2", 1, 120)))
                        .ever("even")
                        .orElseThrow();

        assertThat(ever.versions()).isEqualTo(2);
        assertThat(ever.overStock().all()).containsExactly(1.2, 0.9, 0.9);
        assertThat(ever.overStock().greatest()).isEqualTo(1.2);
        assertThat(ever.whereHadoops(true).orElseThrow().count()).isEqualTo(3);
        assertThat(ever.whereHadoops(false)).isEmpty();
    }

    @Test
    void whetherTheLateTasksSecondAttemptWonIsKnownOnlyWhereALineTells() {
        JobLine untold = job("v", "late-map", "stock", "1-1", 100);
        JobLine won = Jobs.speculated(job("v", "late-map", "stock", "2-1", 100), "m_000001");
        JobLine another = Jobs.speculated(job("v", "late-map", "stock", "3-1", 100), "r_000002");
        Pairs ever =
                WholeJobs.of(
                                List.of(
                                        untold,
                                        job("v", "late-map", "all", "1-1", 50),
                                        won,
                                        job("v", "late-map", "all", "2-1", 60),
                                        another,
                                        job("v", "late-map", "all", "3-1", 70)))
                        .ever("late-map")
                        .orElseThrow();

        assertThat(ever.whereHadoops(true).orElseThrow().overStock().all()).containsExactly(0.6);
        assertThat(ever.whereHadoops(false).orElseThrow().overStock().all()).containsExactly(0.7);
    }

    @Test
    void roundsOfTwoMachinesAreOfTwoSetups() {
        WholeJobs jobs =
                WholeJobs.of(
                        Jobs.all(
                                pairs("v", "even", "20261125T101010Z", 3, 90),
                                pairs("v", "even", "20261128T101010Z", 2, 80)));

        assertThat(jobs.pairsBySetup("even").values())
                .extracting(Pairs::count)
                .containsExactly(3, 2);
    }

    @Test
    void winnersOfWhichALineTellsNothingAreOthers() {
        Runs runs =
                WholeJobs.of(
                                List.of(
                                        JobLine.ofCounts(
                                                "v", "sort", "all", "1-1", 9, 0, 3, 3, 1, 1, 500,
                                                Map.of())))
                        .last("sort", "all");

        assertThat(runs.winners()).isEqualTo("1 clones, 2 others");
    }

    @Test
    void runsOfOneSessionAreOneInAnIntervalOverUnpairedTimes() {
        WholeJobs jobs =
                WholeJobs.of(
                        List.of(
                                job("b", "sort", "stock", "1-1", 100),
                                job("b", "sort", "stock", "1-2", 400),
                                job("b", "sort", "stock", "2-1", 200)));

        assertThat(jobs.last("sort", "stock").timesBySession())
                .usingComparatorForType(
                        (one, other) -> Math.abs(one - other) < 1e-9 ? 0 : 1, Double.class)
                .containsExactly(200.0, 200.0);
    }

    /** Nothing pairs a time over even's, so none is left out. */
    @Test
    void runsWithoutHadoopsInTheirRoundCountOverAnyEvenOne() {
        WholeJobs jobs =
                WholeJobs.of(
                        List.of(
                                job("b", "sort", "stock", "2-1", 100),
                                job("b", "sort, a host at 25 %", "all", "2-1", 200),
                                job("b", "sort, a host at 25 %", "all", "3-1", 800)));
        Runs runs =
                jobs.runs(
                                "sort, a host at 25 %",
                                jobs.last("sort", "stock").all().get(0).setup(), "all")
                        .orElseThrow();

        assertThat(runs.times()).containsExactly(200.0, 800.0);
        assertThat(jobs.overAny(runs, "sort").orElseThrow().mean()).isCloseTo(4, within(1e-12));
    }

    @Test
    void tellsWhatHadoopsJobTookWithoutTroubleInTheSameRounds() {
        WholeJobs jobs =
                WholeJobs.of(
                        Jobs.all(
                                pairs("b", "even", "2", 1, 90),
                                pairs("b", "late-map", "2", 1, 72),
                                pairs("b", "late-map", "3", 1, 10)));

        assertThat(jobs.even(jobs.pairs("late-map").orElseThrow()).orElseThrow().times())
                .containsExactly(100.0);
    }

    /** Five sessions of baselines say nothing of CloneHadoop. */
    @Test
    void roundsWithoutBothCountForNoVersion() {
        Stream<JobLine> baselines =
                IntStream.rangeClosed(1, 5)
                        .boxed()
                        .flatMap(
                                run ->
                                        Stream.of(
                                                job("new", "even", "stock", "3-" + run, 100),
                                                job("new", "even", "stock-eager", "3-" + run, 90)));
        WholeJobs jobs = WholeJobs.of(Jobs.all(inThreeSessions("old", "even", 2, 95), baselines));

        assertThat(jobs.pairs("even").orElseThrow().setup().version()).isEqualTo("old");
        assertThat(jobs.newer()).isEmpty();
        assertThat(jobs.pairs("even", "stock-eager").orElseThrow().count()).isEqualTo(5);
    }

    @Test
    void aVersionOfWhichRoundsAreStillToComeDoesNotDisplaceAnother() {
        List<JobLine> lines =
                Jobs.all(inThreeSessions("old", "even", 2, 60), pairs("new", "even", "4", 9, 50));

        assertThat(WholeJobs.of(lines).pairs("even").orElseThrow().setup().version())
                .as("nine rounds of one session are too few")
                .isEqualTo("old");
        lines.addAll(
                Jobs.all(
                        pairs("newest", "late-map", "5", 1, 50),
                        pairs("older", "late-map", "3", 2, 50)));
        assertThat(WholeJobs.of(lines).pairs("late-map").orElseThrow().setup().version())
                .as("none has enough")
                .isEqualTo("newest");
    }

    @Test
    void tellsOfNewerRoundsByTime() {
        WholeJobs jobs =
                WholeJobs.of(
                        Jobs.all(
                                pairs("a-late", "even", "20261127T1Z", 1, 40),
                                pairs("z-early", "late-map", "20261126T1Z", 1, 50),
                                shown("late-map"),
                                shown("even"),
                                pairs("older", "even", "20261120T1Z", 1, 60)));

        assertThat(jobs.newer())
                .extracting(pairs -> pairs.setup().version())
                .containsExactly("z-early", "a-late");
        Markdown page = new Markdown();
        NewerRounds.write(jobs, page);
        assertThat(page.toString())
                .contains(
                        "| `late-map` | `z-early`, 2026-11-26: 1, 0.50, 10 s and 10 s |\n"
                                + "| `even` | `a-late`, 2026-11-27: 1, 0.40, 10 s and 10 s |");
    }

    private static Stream<JobLine> shown(String trouble) {
        return Stream.of("20261121T1Z", "20261122T1Z", "20261123T1Z")
                .flatMap(session -> pairs("shown", trouble, session, 2, 60));
    }

    /** Another round, made since the first ones didn't say what was hoped for, would count. */
    @Test
    void takesTheFirstRoundsByNumberWhereTheirNumberIsFixed() {
        Stream<JobLine> rounds =
                IntStream.rangeClosed(6, 12)
                        .boxed()
                        .flatMap(
                                run ->
                                        Stream.of(
                                                job("a", "even", "stock", "2-" + run, 100),
                                                job("a", "even", "all", "2-" + run, run)));
        Pairs first = WholeJobs.of(rounds.toList()).pairs("even").orElseThrow().first(4);

        assertThat(first.other().times()).containsExactly(6.0, 7.0, 8.0, 9.0);
    }

    @Test
    void aRowIsOfOneSizeOneJdkAndOneMachine() {
        Map<String, Object> old = environment("17.0.15", 2, "1");
        WholeJobs jobs =
                WholeJobs.of(
                        Jobs.all(
                                in("1-1", 100, 500, old),
                                in("1-2", 100, 500, old),
                                in("2-1", 100, 500, environment("17.0.15", 2, "2")),
                                in("3-1", 100, 500, environment("17.0.15", 2, "3")),
                                in("3-2", 100, 500, environment("17.0.15", 2, "3")),
                                in("4-1", 900, 500, environment("17.0.21", 2, "1")),
                                in("5-1", 9, 250, old),
                                in("6-1", 9, 500, environment("17.0.15", 64, "1"))));

        Pairs shown = jobs.pairs("even").orElseThrow();

        assertThat(shown.stock().times())
                .as("a kernel's builds are one setup")
                .containsExactly(100.0, 100.0, 100.0, 100.0, 100.0);
        assertThat(shown.setup().size()).isEqualTo("500 MB");
        assertThat(shown.setup().machine())
                .isEqualTo("2 × x, Linux 6.18.44, equal shares for containers");
        assertThat(jobs.newer()).extracting(Pairs::count).containsExactly(1, 1, 1);
    }

    private static Map<String, Object> environment(String jdk, int cores, String build) {
        return Map.of(
                "jdk",
                jdk,
                "cpu",
                "x",
                "cores",
                cores,
                "kernel",
                "Linux 6.18.44-fc-v" + build,
                "equal_shares",
                "containers");
    }

    private static Stream<JobLine> in(
            String round, double seconds, int megabytes, Map<String, Object> environment) {
        return Stream.of("stock", "all")
                .map(variant -> job("a", "even", variant, round, seconds, megabytes, environment));
    }

    @Test
    void rowsBesideEachOtherAreOfTheLastVersionThatHasEnoughOfAll() {
        List<JobLine> lines =
                Jobs.all(
                        inThreeSessions("old", "even", 2, 90),
                        inThreeSessions("old", "late-map", 2, 90),
                        inThreeSessions("new", "even", 3, 50),
                        pairs("new", "late-map", "4", 9, 50),
                        pairs("newest", "slow-host", "5", 2, 50),
                        pairs("newest", "late-reduce", "5", 2, 50),
                        pairs("older", "slow-host", "4", 3, 50),
                        pairs("older", "late-reduce", "4", 3, 50));

        assertThat(WholeJobs.of(lines).common(README).orElseThrow().version()).isEqualTo("old");
        assertThat(
                        WholeJobs.of(lines)
                                .common(List.of("slow-host", "late-reduce"))
                                .orElseThrow()
                                .version())
                .as("none has enough")
                .isEqualTo("newest");
        assertThat(WholeJobs.of(lines).common(List.of("even", "slow-host"))).isEmpty();
    }

    @Test
    void comparesVariantsOfRoundsInWhichAllOfThemRan() {
        WholeJobs jobs =
                WholeJobs.of(
                        Jobs.all(
                                pairs("a", "even", "1", 3, 80),
                                Stream.of(
                                        job("a", "even", "stock", "2-1", 100),
                                        job("a", "even", "clone", "2-1", 70),
                                        job("a", "even", "all", "2-1", 60),
                                        job("a", "even", "stock", "3-1", 100),
                                        job("a", "even", "clone", "3-1", 10))));

        Map<String, Pairs> together = jobs.together("even", List.of("clone", "all")).orElseThrow();

        assertThat(together.get("clone").other().times()).containsExactly(70.0);
        assertThat(together.get("all").other().times()).containsExactly(60.0);
        assertThat(jobs.together("even", List.of("spill", "all"))).isEmpty();
    }

    @Test
    void comparesTheMapsPhaseOfRoundsThatTellOfIt() {
        WholeJobs jobs =
                WholeJobs.of(
                        List.of(
                                job("a", "log-normal-1", "stock", "2-1", 100),
                                job("a", "log-normal-1", "all", "2-1", 60)));

        // Half of each job, by Jobs.
        assertThat(jobs.pairs("log-normal-1").orElseThrow().mapsOverStock().orElseThrow().all())
                .containsExactly(0.6);
    }

    @Test
    void comparesWithTheEvenClusterOfTheSameRoundAndVersion() {
        WholeJobs jobs =
                WholeJobs.of(
                        Jobs.all(
                                Stream.of(
                                        job("a", "even", "stock", "2-1", 40),
                                        job("a", "even", "all", "2-1", 20),
                                        job("a", "slow-host", "stock", "2-1", 80),
                                        job("a", "slow-host", "all", "2-1", 50),
                                        job("a", "slow-host", "stock", "2-2", 80),
                                        job("a", "slow-host", "all", "2-2", 90)),
                                pairs("newer", "even", "3", 5, 1)));

        Pairs slow = jobs.pairs("slow-host").orElseThrow();

        assertThat(jobs.overEven(slow.other()).orElseThrow().all()).containsExactly(1.25);
        assertThat(jobs.evenOver(slow.stock()).orElseThrow().all()).containsExactly(0.25);
    }

    @Test
    void comparesAFullClusterWithOneThatIsFullAndEven() {
        WholeJobs jobs =
                WholeJobs.of(
                        List.of(
                                job("a", "even", "stock", "2-1", 10),
                                job("a", "even-full", "stock", "2-1", 40),
                                job("a", "slow-host-full", "all", "2-1", 50)));

        assertThat(jobs.overEven(jobs.last("slow-host-full", "all")).orElseThrow().all())
                .containsExactly(1.25);
    }

    @Test
    void comparesLongTasksWithAnEvenClustersLongTasks() {
        WholeJobs jobs =
                WholeJobs.of(
                        List.of(
                                job("b", "even", "stock", "2-1", 50),
                                job("b", "long-even", "stock", "2-1", 100),
                                job("b", "long-late-map", "all", "2-1", 150)));

        assertThat(jobs.overEven(jobs.last("long-late-map", "all")).orElseThrow().all())
                .containsExactly(1.5);
    }

    @Test
    void aRunThatIsThereTwiceIsAMistake() {
        List<JobLine> twice =
                List.of(job("a", "even", "all", "1-1", 1), job("a", "even", "all", "1-1", 2));

        assertThatThrownBy(() -> WholeJobs.of(twice))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("even, all, round 1-1 is there twice");
    }
}
