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
package org.apache.hadoop.clone.estimate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.stream.IntStream;
import org.apache.hadoop.clone.estimate.KindEstimates.Report;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Attempts start within 4 s, work for 100 s and report every 2; each has its own host. */
class KindEstimatesTest {
    private static final double BETA = 1.2;

    private final KindEstimates estimates = new KindEstimates(2_000, BETA, 1, EstimateRules.PRESET);
    private final List<String> others = IntStream.range(0, 9).mapToObj(i -> "other" + i).toList();
    private long now = 1_000_000;
    private Supply supply = Supply.AT_HAND;

    private void launch(String... attempts) {
        for (String attempt : attempts) {
            estimates.launched(attempt, "host of " + attempt, now);
        }
    }

    private void launchOthers() {
        launch(others.toArray(String[]::new));
    }

    /** The others start within 4 s, and it doesn't. */
    private void launchBesideOthers(String attempt) {
        launchOthers();
        launch(attempt);
        now += 4_000;
        for (String other : others) {
            report(other, 0);
        }
    }

    private void report(String attempt, double progress) {
        report(attempt, progress, "map", 0);
    }

    private void report(String attempt, double progress, String phase, double size) {
        estimates.reported(
                attempt, new Report(progress, phase, size * progress, progress), supply, now);
    }

    /** From one second of their work to another. */
    private void othersWork(int from, int to) {
        for (int second = from + 2; second <= to; second += 2) {
            now += 2_000;
            for (String other : others) {
                report(other, second / 100.0);
            }
        }
    }

    /** For 90 s. */
    private void othersStandStillAt30() {
        launchOthers();
        now += 2_000;
        othersWork(0, 30);
        now += 90_000;
    }

    private Estimate estimate(String attempt) {
        return estimates.estimate(attempt, now).orElseThrow();
    }

    @Test
    void nothingIsKnownBeforeAnythingIsHeard() {
        launchOthers();
        now += 60_000;
        assertThat(estimates.estimate("other1", now)).isEmpty();
        assertThat(estimates.estimate("nobody", now)).isEmpty();
    }

    @Test
    void oneThatGoesOnAsTheOthersIsOnSchedule() {
        launchOthers();
        now += 2_000;
        othersWork(0, 50);
        assertThat(estimate("other1").remaining()).isCloseTo(50_000, within(500.0));
        assertThat(estimate("other1").rest()).isCloseTo(50_000, within(500.0));
        assertThat(estimate("other1").fresh()).isCloseTo(104_000, within(6_000.0));
        assertThat(estimate("other1").isOnSchedule(0.1)).isTrue();
    }

    /** A JVM that asks for its task tells that it has started, and no work before. */
    @Test
    void aStartThatIsHeardOfIsNoWork() {
        launchOthers();
        now += 4_000;
        for (String other : others) {
            report(other, 0);
        }
        launch("late");
        now += 4_000;
        report("late", 0);
        now += 6_000;
        others.forEach(other -> estimates.ended(other, true, now));
        assertThat(estimate("late").fresh()).isCloseTo(14_000, within(100.0));
    }

    /**
     * Stock's tasks tell of progress for the first time after two intervals. Those on a slow host
     * do so in their first part, and go on to the next after one.
     */
    @Test
    void oneThatCannotHaveToldOfProgressYetDoesNotStandStill() {
        launchOthers();
        now += 2_000;
        others.forEach(other -> report(other, 0));
        now += 4_000;
        others.subList(0, 4).forEach(other -> report(other, 0.04));
        now += 20_000;
        others.subList(4, 9).forEach(other -> report(other, 0.01));
        now += 2_000;
        others.forEach(other -> report(other, 0.24));
        launch("new");
        now += 2_000;
        report("new", 0);
        now += 4_000;
        assertThat(estimate("new").isOnSchedule(0.1)).isTrue();
        now += 60_000;
        assertThat(estimate("new").isOnSchedule(0.1)).as("nobody needed that long").isFalse();
    }

    /** Nobody has ended yet. */
    @Test
    void oneThatIsSlowFromTheBeginningIsFoundWhileAllRun() {
        launchOthers();
        launch("slow");
        now += 2_000;
        for (int second = 2; second <= 40; second += 2) {
            othersWork(second - 2, second);
            report("slow", second / 400.0);
        }
        assertThat(estimate("slow").remaining()).isBetween(240_000.0, 380_000.0);
        assertThat(estimate("slow").rest()).isBetween(90_000.0, 90_000 * BETA);
        assertThat(estimate("slow").isOnSchedule(1)).isFalse();
        assertThat(estimate("other1").isOnSchedule(0.1)).isTrue();
    }

    @Test
    void aLargerInputTakesLongerAndIsNoStraggler() {
        launchOthers();
        launch("large");
        now += 2_000;
        for (int second = 2; second <= 60; second += 2) {
            now += 2_000;
            for (String other : others) {
                report(other, second / 100.0, "map", 1e9);
            }
            report("large", second / 400.0, "map", 4e9);
        }
        assertThat(estimate("large").remaining()).isCloseTo(340_000, within(20_000.0));
        assertThat(estimate("large").rest()).isCloseTo(340_000, within(30_000.0));
        assertThat(estimate("large").isOnSchedule(0.1)).isTrue();
    }

    /** What a task of nearly nothing takes is no measure of how long its bytes do. */
    @Test
    void aStragglerAmongManySmallFilesIsFound() {
        launchOthers();
        launch("large", "slow");
        now += 2_000;
        report("large", 0.01, "map", 1e9);
        report("slow", 0.001, "map", 1e9);
        for (String other : others) {
            report(other, 1, "map", 1e3);
            estimates.ended(other, true, now);
        }
        for (int second = 2; second <= 60; second += 2) {
            now += 2_000;
            report("large", second / 100.0, "map", 1e9);
            report("slow", second / 2_000.0, "map", 1e9);
        }
        assertThat(estimate("large").isOnSchedule(0.5)).isTrue();
        assertThat(estimate("slow").isOnSchedule(0.5)).isFalse();
    }

    @Test
    void whatWaitsForOthersLearnsNothing() {
        launchOthers();
        now += 2_000;
        for (String other : others) {
            estimates.reported(other, new Report(0.01, "shuffle", 0, 0), Supply.AWAITED, now);
        }
        now += 3_600_000;
        for (String other : others) {
            estimates.reported(other, new Report(0.2, "shuffle", 0, 0), Supply.AWAITED, now);
            estimates.released(other, 12_000, now);
        }
        now += 80_000;
        for (String other : others.subList(1, 9)) {
            estimates.ended(other, true, now);
        }
        report("other0", 0.4, "shuffle", 0);
        assertThat(estimate("other0").rest()).isCloseTo(60_000, within(6_000.0));
        assertThat(estimate("other0").fresh()).isBetween(90_000.0, 105_000.0);
        assertThat(estimate("other0").remaining()).isBetween(190_000.0, 260_000.0);
    }

    /** As reduces do that all fetch from the same slow host. */
    @Test
    void whatAllWaitForIsNoOnesFault() {
        supply = Supply.FETCHED;
        othersStandStillAt30();
        Estimate one = estimate("other0");
        assertThat(one.remaining()).as("as long again").isGreaterThan(150_000);
        assertThat(one.isOnSchedule(0.1)).isTrue();
        assertThat(one.fresh()).isGreaterThan(one.remaining());
    }

    /** Of what is at hand each makes what it can. */
    @Test
    void allMayBeSlowByThemselves() {
        othersStandStillAt30();
        assertThat(estimate("other0").isOnSchedule(0.5)).isFalse();
    }

    /** The first that has what all waited for. */
    @Test
    void anAttemptFromZeroWouldWaitWhereOthersDo() {
        supply = Supply.FETCHED;
        othersStandStillAt30();
        report("other0", 0.35);
        assertThat(estimate("other0").fresh()).isGreaterThan(estimate("other0").remaining());
        assertThat(estimate("other1").fresh()).isGreaterThan(estimate("other1").remaining());
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 4, 5, 9})
    void whereFewStandStillThatIsTheirLuck(int withIt) {
        supply = Supply.FETCHED;
        launchBesideOthers("one");
        report("one", 0);
        for (int second = 2; second <= 40; second += 2) {
            othersWork(second - 2, second);
            report("one", second / 100.0 + 0.05);
        }
        others.subList(0, withIt).forEach(other -> report(other, 0.45));
        now += 60_000;
        others.subList(withIt, 9).forEach(other -> report(other, 0.43));
        assertThat(estimate("one").isOnSchedule(0.5)).isEqualTo(withIt >= 5);
    }

    /** Three of five stand still, all on one host: another attempt would run elsewhere. */
    @Test
    void whatStandsStillOnOneHostSaysNothingOfOthers() {
        supply = Supply.FETCHED;
        List<String> here = List.of("first", "second", "third");
        here.forEach(one -> estimates.launched(one, "slow", now));
        launch("other0", "other1");
        now += 2_000;
        for (int second = 2; second <= 24; second += 2) {
            now += 2_000;
            for (String one : here) {
                report(one, second / 100.0 + 0.05);
            }
            report("other0", second / 100.0);
            report("other1", second / 100.0);
        }
        now += 60_000;
        report("other0", 0.25);
        report("other1", 0.25);
        assertThat(estimate("first").isOnSchedule(0.5)).isFalse();
    }

    @Test
    void aContainerThatDoesNotStartIsLateByWhatOthersDidNotTake() {
        launchBesideOthers("mute");
        assertThat(estimates.estimate("mute", now)).isEmpty();
        othersWork(0, 40);
        assertThat(estimate("mute").remaining()).isCloseTo(140_000, within(6_000.0));
        assertThat(estimate("mute").fresh()).isCloseTo(104_000, within(6_000.0));
    }

    /** To be heard at last is no work: what it has lost it may lose once more. */
    @Test
    void whatStartedLateIsEstimatedAsBeforeItStarted() {
        launchBesideOthers("late");
        othersWork(0, 40);
        double before = estimate("late").remaining();
        report("late", 0);
        assertThat(estimate("late").remaining()).isCloseTo(before, within(6_000.0));
        assertThat(estimate("late").slack()).isEqualTo(Slack.NONE);
    }

    /** A host may have to fetch the job's files first. */
    @Test
    void whatStartedLateIsAsGoodAsOthersOnceItWorksAsTheyDo() {
        launchBesideOthers("late");
        othersWork(0, 40);
        report("late", 0);
        for (int second = 42; second <= 70; second += 2) {
            othersWork(second - 2, second);
            report("late", (second - 40) / 100.0);
        }
        assertThat(estimate("late").remaining()).isCloseTo(70_000, within(3_000.0));
        assertThat(estimate("late").isOnSchedule(0.1)).isTrue();
    }

    /**
     * As a reduce whose JVM started on a starved host, shortly before the last map ended.
     *
     * @param waited seconds from its start until all could begin
     */
    private void lateStartsIn44SecondsAndWaits(int waited) {
        supply = Supply.AWAITED;
        launchBesideOthers("late");
        now += 40_000;
        report("late", 0);
        now += 1_000L * waited;
        supply = Supply.FETCHED;
        for (String other : others) {
            estimates.released(other, 0, now);
        }
        estimates.released("late", 0, now);
    }

    /**
     * Others took 4 s: so it lost 40 of 44, which it may lose again, less what has passed since: 40
     * or 22 of 44.
     */
    @ParameterizedTest
    @CsvSource({"4, 36", "22, 20", "44, 0", "3600, 0"})
    void aLateStartMayGoOnAfterAShortWait(int waited, int secondsMore) {
        lateStartsIn44SecondsAndWaits(waited);
        othersWork(0, 4);
        report("late", 0.04);
        assertThat(estimate("late").remaining())
                .isCloseTo(96_000 + 1_000 * secondsMore, within(1_000.0));
    }

    @Test
    void whatStartedLateBeforeAWaitIsAsGoodAsOthersOnceItWorksAsTheyDo() {
        lateStartsIn44SecondsAndWaits(4);
        for (int second = 2; second <= 30; second += 2) {
            othersWork(second - 2, second);
            report("late", second * 1.01 / 100);
        }
        assertThat(estimate("late").remaining()).isCloseTo(70_000, within(1_000.0));
        assertThat(estimate("late").isOnSchedule(0.1)).isTrue();
    }

    /** What it did since says more than its start of long ago. */
    @Test
    void aLateStartSaysNothingAfterASecondWait() {
        lateStartsIn44SecondsAndWaits(4);
        estimates.released("late", 0, now);
        othersWork(0, 4);
        report("late", 0.04);
        assertThat(estimate("late").remaining()).isCloseTo(96_000, within(1_000.0));
    }

    /** Most small jobs have one reduce. */
    @Test
    void aLoneOneIsComparedWithItself() {
        launch("lone");
        now += 2_000;
        for (int second = 2; second <= 50; second += 2) {
            now += 2_000;
            report("lone", second / 100.0);
        }
        assertThat(estimate("lone").remaining()).isCloseTo(50_000, within(1_000.0));
        assertThat(estimate("lone").isOnSchedule(0.1)).isTrue();
        now += 62_000;
        assertThat(estimate("lone").remaining()).isGreaterThan(110_000);
        assertThat(estimate("lone").rest()).isCloseTo(50_000 * tolerated(0.5), within(3_000.0));
        assertThat(estimate("lone").isOnSchedule(0.5)).isFalse();
    }

    private static double tolerated(double seen) {
        return Math.exp(Spread.ofAnother(0, seen, Math.log(BETA)));
    }

    /** A short job's reduce may have fetched and sorted before it is heard. */
    @Test
    void theFirstStepOfALoneOneIsNoPace() {
        launch("lone");
        now += 2_000;
        report("lone", 0.67, "reduce", 0);
        now += 10_000;
        assertThat(estimates.estimate("lone", now)).isEmpty();
        for (int second = 2; second <= 20; second += 2) {
            now += 2_000;
            report("lone", 0.67 + second / 500.0, "reduce", 0);
        }
        assertThat(estimate("lone").isOnSchedule(0.1)).isTrue();
    }

    /** Reduces have phases of very different pace. */
    @Test
    void aNewPhaseOfALoneOneSaysNothingAtFirst() {
        launch("lone");
        now += 2_000;
        for (int second = 2; second <= 10; second += 2) {
            now += 2_000;
            report("lone", second / 30.0, "shuffle", 0);
        }
        for (int second = 2; second <= 4; second += 2) {
            now += 2_000;
            report("lone", 1 / 3.0 + second / 1_000.0, "reduce", 0);
        }
        assertThat(estimates.estimate("lone", now)).isEmpty();
        now += 2_000;
        report("lone", 1 / 3.0 + 0.006, "reduce", 0);
        assertThat(estimate("lone").isOnSchedule(0.1)).isTrue();
    }

    /** At half of the others' pace the original has come to 20 % in 40 s. */
    private void cloneAtATenthOfTheWork(double pace) {
        launchOthers();
        launch("original");
        now += 2_000;
        for (int second = 2; second <= 40; second += 2) {
            othersWork(second - 2, second);
            report("original", second / 200.0);
        }
        estimates.launchedAsClone("clone", "original", "h", now);
        assertThat(estimates.estimate("clone", now)).isEmpty();
        for (int second = 2; second <= 20; second += 2) {
            othersWork(38 + second, 40 + second);
            report("original", (40 + second) / 200.0);
            report("clone", 0.2 + pace * second / 100);
        }
    }

    @Test
    void aCloneGoesByWhatItDidItself() {
        cloneAtATenthOfTheWork(1);
        assertThat(estimate("clone").remaining()).isCloseTo(60_000, within(1_000.0));
        assertThat(estimate("original").remaining()).isGreaterThan(120_000);
        assertThat(estimate("clone").isOnSchedule(0.1)).isTrue();
    }

    /** From their last record to their end the others need 34 s, of which they say nothing. */
    @Test
    void aMapThatSortsIsNotTakenToStandStill() {
        launchOthers();
        launch("sorts");
        now += 2_000;
        for (int second = 2; second <= 66; second += 2) {
            othersWork(second - 2, second);
            report("sorts", second / 100.0);
        }
        now += 34_000;
        others.forEach(other -> estimates.ended(other, true, now));
        assertThat(estimate("sorts").isOnSchedule(0.5)).isTrue();
        now += 60_000;
        assertThat(estimate("sorts").isOnSchedule(0.5)).as("nobody needed that long").isFalse();
    }

    @Test
    void aCloneMayStraggleItself() {
        cloneAtATenthOfTheWork(0.25);
        assertThat(estimate("clone").remaining()).isGreaterThan(150_000);
        assertThat(estimate("clone").isOnSchedule(0.5)).isFalse();
    }

    /** Its original became ten times as slow, and had nobody to be compared with. */
    @Test
    void aLoneOnesCloneIsNotSlowSinceItsOriginalWas() {
        launch("original");
        now += 2_000;
        for (int second = 2; second <= 30; second += 2) {
            now += 2_000;
            report("original", second / 100.0);
        }
        for (int second = 2; second <= 60; second += 2) {
            now += 2_000;
            report("original", 0.3 + second / 1_000.0);
        }
        assertThat(estimate("original").isOnSchedule(0.5)).isFalse();
        estimates.launchedAsClone("clone", "original", "h", now);
        now += 6_000;
        for (int second = 0; second <= 20; second += 2) {
            report("clone", 0.36 + second / 100.0);
            assertThat(estimates.estimate("clone", now).filter(one -> !one.isOnSchedule(0.5)))
                    .as("%d s after its first report", second)
                    .isEmpty();
            now += 2_000;
        }
    }

    @Test
    void whatFellBackHasNotItsOriginalsAge() {
        launchOthers();
        launch("original");
        now += 2_000;
        othersWork(0, 40);
        estimates.launchedAsClone("clone", "original", "h", now);
        long launched = now;
        othersWork(40, 90);
        estimates.fellBack("clone", "h", launched, now);
        report("clone", 0.01);
        assertThat(estimate("clone").remaining()).isBetween(99_000.0, 140_000.0);
        assertThat(estimate("clone").isOnSchedule(0.5)).isTrue();
    }
}
