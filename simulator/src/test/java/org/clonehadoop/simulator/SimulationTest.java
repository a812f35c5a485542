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
package org.clonehadoop.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.stream.LongStream;
import org.clonehadoop.simulator.mapreduce.JobSpec;
import org.clonehadoop.simulator.mapreduce.RunRecord;
import org.clonehadoop.simulator.platform.CostBook;
import org.clonehadoop.simulator.platform.HostSpec;
import org.clonehadoop.simulator.regress.Scenarios;
import org.clonehadoop.simulator.speculators.Kind;
import org.clonehadoop.simulator.trouble.LogNormal;
import org.clonehadoop.simulator.trouble.LostHost;
import org.clonehadoop.simulator.trouble.SlowAttempt;
import org.clonehadoop.simulator.trouble.Trouble;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class SimulationTest {
    private static final HostSpec HOST = new HostSpec(4, 1000, 1000, 4);
    private static final Trouble HANG =
            new SlowAttempt("m_000003_0", Double.POSITIVE_INFINITY, 0.5);

    private static JobSpec job(int maps, int reduces, Trouble... troubles) {
        return JobSpec.ofThePaper()
                .withMegabytes(maps * 512)
                .withTasks(maps, reduces)
                .withHosts(8, HOST)
                .withCosts(CostBook.measured())
                .withTroubles(troubles);
    }

    /** A map of 512 MB: 61 s of a processor, its JVM 2.6 s, and the way to a container. */
    @Test
    void oneMapTakesTheSumOfItsParts() {
        RunRecord run = Simulation.run(job(1, 0), Kind.NONE, 1);

        assertThat(run.jobSeconds()).isCloseTo(0.12 * 512 + 2.6 + 0.5, within(3.0));
    }

    @ParameterizedTest
    @EnumSource
    void theSameSeedGivesTheSameRun(Kind kind) {
        JobSpec spec = job(12, 4, new LogNormal(0.1, 2));

        assertThat(Simulation.run(spec, kind, 3)).isEqualTo(Simulation.run(spec, kind, 3));
    }

    @ParameterizedTest
    @EnumSource(names = {"STOCK", "PAPER", "OURS"})
    void aMapThatHangsIsOvertakenByWhomeverSpeculates(Kind kind) {
        Trouble hang = new SlowAttempt("m_000003_0", Double.POSITIVE_INFINITY, 0.6);

        RunRecord run = Simulation.run(job(12, 0, hang), kind, 1);

        assertThat(run.wonNew() + run.wonClones()).isEqualTo(1);
        assertThat(run.jobSeconds()).isLessThan(300);
    }

    /** The clone begins where the map became slow; another attempt does it all. */
    @Test
    void aCloneOfASlowMapDoesOnlyTheRest() {
        JobSpec spec = largeMaps(new SlowAttempt("m_000003_0", 100, 0.5));

        RunRecord cloned = Simulation.run(spec, Kind.OURS, 1);
        RunRecord again = Simulation.run(spec, Kind.STOCK, 1);

        assertThat(cloned.wonClones()).isEqualTo(1);
        assertThat(cloned.jobSeconds()).isLessThan(0.8 * again.jobSeconds());
        assertThat(cloned.frozenMillis()).isCloseTo(81, within(1.0));
    }

    /** Its record never ends, so a real one couldn't be frozen. */
    @Test
    void aMapThatHangsIsBegunAnewInsteadOfCloned() {
        RunRecord run = Simulation.run(largeMaps(HANG), Kind.OURS, 1);

        assertThat(run.ranClones()).isZero();
        assertThat(run.wonNew()).isEqualTo(1);
    }

    private static JobSpec largeMaps(Trouble... troubles) {
        return job(12, 0, troubles).withMegabytes(12 * 4096).withHosts(16, HOST);
    }

    /** Ten minutes without progress, seen half a minute later at the latest. */
    @Test
    void aTaskThatHangsIsTimedOutIfNobodySpeculates() {
        double alone = Simulation.run(job(12, 0), Kind.NONE, 1).jobSeconds();

        double timedOut = Simulation.run(job(12, 0, HANG), Kind.NONE, 1).jobSeconds();

        assertThat(timedOut).isBetween(600 + alone, 600 + 30 + 2 * alone);
    }

    @Test
    void aHostThatIsLostIsMissedAfterTenMinutes() {
        RunRecord run = Simulation.run(job(12, 0, new LostHost(20_000)), Kind.NONE, 1);

        assertThat(run.jobSeconds()).isBetween(600.0, 800.0);
        assertThat(run.ends()).hasSize(12);
    }

    private static JobSpec scenario(String name) {
        return Scenarios.named(List.of(name)).get(name);
    }

    /** 1.5 GB of what reduces fetch, over a link of 9 MB/s. */
    @Test
    void reducesShareASlowSourcesLink() {
        RunRecord run = Simulation.run(scenario("slow-source"), Kind.NONE, 1);

        assertThat(run.shuffleEndSeconds() - run.mapsEndSeconds()).isBetween(170.0, 230.0);
    }

    /** Second attempts would take the link from the first. */
    @ParameterizedTest
    @ValueSource(strings = {"slow-source", "slow-source-small"})
    void whatAllReducesWaitForIsNotBegunAgain(String scenario) {
        RunRecord run = Simulation.run(scenario(scenario), Kind.OURS, 1);

        assertThat(run.thrownAwaySeconds()).isZero();
        assertThat(run.jobSeconds())
                .isEqualTo(Simulation.run(scenario(scenario), Kind.NONE, 1).jobSeconds());
    }

    @Test
    void whoSpeculatesDoesntWaitForThat() {
        RunRecord run = Simulation.run(job(12, 0, new LostHost(20_000)), Kind.OURS, 1);

        assertThat(run.ranClones()).isZero();
        assertThat(run.wonNew()).isPositive();
        assertThat(run.jobSeconds()).isLessThan(300);
    }

    /** By the second clone, since the first one would take as long as its original. */
    @Test
    void aCloneThatStragglesItselfIsReplaced() {
        Trouble[] slow = {
            new SlowAttempt("m_000003_0", 20, 0.3), new SlowAttempt("m_000003_1", 20, 0)
        };
        JobSpec spec = job(12, 0, slow).withMegabytes(12 * 4096);

        RunRecord run = Simulation.run(spec, Kind.OURS, 1);

        assertThat(run.ranClones()).isEqualTo(2);
        assertThat(run.wonClones()).isEqualTo(1);
        assertThat(run.thrownAway().originals().attempts()).isEqualTo(1);
        assertThat(run.thrownAway().replaced().attempts()).isEqualTo(1);
        assertThat(run.thrownAway().replaced().seconds()).isBetween(10.0, 60.0);
        assertThat(run.thrownAway().seconds().attempts()).isZero();
        assertThat(run.thrownAway().rest().attempts()).isZero();
        assertThat(run.jobSeconds()).isLessThan(3 * 0.12 * 4096);
    }

    @Test
    void nothingIsBegunAgainWhereNothingStraggles() {
        RunRecord run = Simulation.run(job(12, 4), Kind.OURS, 1);

        assertThat(run.orders()).isEmpty();
        assertThat(run.thrownAwaySeconds()).isZero();
    }

    /** So many reduces as there are, and no attempt that isn't accounted for. */
    @Test
    void everyTaskOfEveryScenarioEndsOnceWithWhomeverDecides() {
        Scenarios.all()
                .forEach(
                        (name, spec) -> {
                            for (Kind kind : List.of(Kind.STOCK, Kind.PAPER, Kind.OURS)) {
                                RunRecord run = Simulation.run(spec, kind, 1);
                                assertThat(run.ends())
                                        .as(name + " " + kind)
                                        .hasSize(spec.maps() + spec.reduces());
                                assertThat(run.wonClones()).isLessThanOrEqualTo(run.ranClones());
                            }
                        });
    }

    @Test
    void stragglersMakeAJobLongerAndSpeculationMakesItShorter() {
        JobSpec spec = job(24, 8, new LogNormal(0.1, 2));

        assertThat(mean(spec, Kind.NONE)).isGreaterThan(mean(job(24, 8), Kind.NONE));
        assertThat(mean(spec, Kind.STOCK)).isLessThan(mean(spec, Kind.NONE));
        assertThat(mean(spec, Kind.OURS)).isLessThan(mean(spec, Kind.NONE));
    }

    private static double mean(JobSpec spec, Kind kind) {
        return LongStream.rangeClosed(1, 5)
                .mapToDouble(seed -> Simulation.run(spec, kind, seed).jobSeconds())
                .average()
                .orElseThrow();
    }
}
