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
package org.apache.hadoop.clone.appmaster;

import static org.apache.hadoop.clone.appmaster.CoordinatorFixture.LIMIT_MILLIS;
import static org.apache.hadoop.clone.appmaster.CoordinatorFixture.MAX_FAILURES;
import static org.apache.hadoop.clone.appmaster.CoordinatorFixture.PATIENCE_MILLIS;
import static org.apache.hadoop.clone.appmaster.CoordinatorFixture.STOCK;
import static org.apache.hadoop.clone.appmaster.CoordinatorFixture.containerId;
import static org.apache.hadoop.clone.appmaster.CoordinatorFixture.wire;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import org.apache.hadoop.clone.protocol.CloneAnswer;
import org.apache.hadoop.clone.protocol.CloneOrder;
import org.apache.hadoop.clone.protocol.CloneTravel;
import org.apache.hadoop.clone.protocol.FreezeLeave;
import org.apache.hadoop.clone.score.CloneScore;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskState;
import org.apache.hadoop.mapreduce.v2.api.records.TaskType;
import org.apache.hadoop.mapreduce.v2.app.launcher.ContainerRemoteLaunchEvent;
import org.apache.hadoop.mapreduce.v2.util.MRBuilderUtils;
import org.junit.jupiter.api.Test;

/** Whatever happens to a clone, its task has an attempt that goes on, and somebody is told why. */
class ClonesThatComeToNothingTest {
    private static final long LONGER_THAN_AN_ANSWER = 10_001;
    private static final long LONGER_THAN_A_CLONE = LIMIT_MILLIS + 1;

    private final CoordinatorFixture job = new CoordinatorFixture();
    private final CloneCoordinator coordinator = job.coordinator;

    // --- before there is an attempt ---

    @Test
    void anOriginalThatCannotBeClonedCostsNoAttempt() {
        job.asked();
        job.answer(CloneAnswer.refused(job.cloneId(), "it has a child"));
        assertGivenUp("no clone: it has a child");
        assertThat(job.taskEvents).isEmpty();
    }

    @Test
    void anAgentThatDoesNotAnswerIsGivenUp() {
        job.asked();
        job.passes(LONGER_THAN_AN_ANSWER);
        assertGivenUp("no clone: ASKED for too long");
        job.answer(CloneAnswer.able(job.cloneId(), 0, 0));
        assertThat(job.taskEvents).isEmpty();
    }

    /** Or it would be waited for until the clock is as late again. */
    @Test
    void aTimeLimitEndsWhateverTheClockIsSetTo() {
        job.asked();
        job.passes(-3_600_000);
        job.passes(LONGER_THAN_AN_ANSWER);
        assertGivenUp("no clone: ASKED for too long");
    }

    /** It hasn't reported yet: with 20 MB to travel its clone would end in 103 s, not in 90. */
    @Test
    void whatAnOriginalHoldsIsKnownFromItsAnswer() {
        job.asked();
        job.answer(CloneAnswer.able(job.cloneId(), 0, 20_000_000));
        assertGivenUp("no clone: a clone of it would be no gain any more");
    }

    @Test
    void anOriginalThatEndsMeanwhileIsGivenUp() {
        job.asked();
        coordinator.ended(job.original, true);
        assertGivenUp("no clone: the original has ended");
    }

    /** T_ADD_SPEC_ATTEMPT in any other state ends the job. */
    @Test
    void onlyARunningTaskIsGivenAnAttempt() {
        job.asked();
        job.taskState = TaskState.SUCCEEDED;
        job.answer(CloneAnswer.able(job.cloneId(), 0, 0));
        assertGivenUp("no clone: its task isn't running any more");
        assertThat(job.taskEvents).isEmpty();
    }

    private void assertGivenUp(String diagnostics) {
        assertThat(job.counters).containsEntry(CloneCounter.CLONES_GIVEN_UP, 1L);
        assertThat(job.diagnostics.get(job.original)).containsExactly(diagnostics);
        assertThat(coordinator.isBeingCloned(job.original)).isFalse();
        assertCancelled();
    }

    private void assertCancelled() {
        if (!job.orders.asks(wire(job.original))) {
            return; // it has ended, and asks no more
        }
        assertThat(job.lastOrder().orElseThrow().kind()).isEqualTo(CloneOrder.Kind.CANCEL);
    }

    // --- before the attempt is launched ---

    @Test
    void anAttemptWhoseOriginalHasEndedIsNotHeld() {
        job.waiting();
        coordinator.ended(job.original, false);
        assertThat(coordinator.launching(job.launchOf(job.backup))).isFalse();
        assertThat(job.counters).containsEntry(CloneCounter.CLONES_FELL_BACK, 1L);
    }

    @Test
    void anAttemptMayWaitForItsContainerAsLongAsInStock() {
        job.waiting();
        job.passes(100 * LIMIT_MILLIS);
        assertThat(coordinator.launching(job.launchOf(job.backup))).isTrue();
    }

    /** By a user, say; the plan would wait for ever for its container. */
    @Test
    void anAttemptThatEndsWhileItWaitsIsGivenUp() {
        job.waiting();
        coordinator.ended(job.backup, false);
        assertGivenUp("no clone: its attempt has ended");
    }

    @Test
    void theEndOfAnEarlierAttemptIsNotThatOfTheOneThatWaits() {
        job.attempts.add(job.backup);
        job.waiting();
        coordinator.ended(job.backup, false);
        assertThat(coordinator.isBeingCloned(job.original)).isTrue();
        coordinator.ended(job.attempt(0, 2), false);
        assertGivenUp("no clone: its attempt has ended");
    }

    @Test
    void withoutAnOfferTheAttemptBeginsAtZero() {
        job.offering();
        job.answer(CloneAnswer.failed(job.cloneId(), "no tool"));
        assertFellBack("no tool");
        assertLaunchedAsInStock();
    }

    @Test
    void whatCannotBeMadeToPullIsLaunchedAsInStock() {
        job.waiting();
        ContainerRemoteLaunchEvent launch = job.launchOf(job.backup);
        launch.getContainerLaunchContext().setTokens(null);
        coordinator.launching(launch);
        job.answer(CloneAnswer.offered(job.cloneId(), "h1:5000", CoordinatorFixture.PATHS));
        assertThat(job.counters).containsEntry(CloneCounter.CLONES_FELL_BACK, 1L);
        assertLaunchedAsInStock();
    }

    @Test
    void anOfferThatTakesTooLongIsNotWaitedFor() {
        job.offering();
        job.passes(LONGER_THAN_AN_ANSWER);
        assertFellBack("OFFERING for too long");
        assertLaunchedAsInStock();
        job.answer(CloneAnswer.offered(job.cloneId(), "h1:5000", CoordinatorFixture.PATHS));
        assertThat(job.launched).hasSize(1);
    }

    @Test
    void anAttemptWhoseOriginalEndsBeforeTheOfferBeginsAtZero() {
        job.offering();
        coordinator.ended(job.original, false);
        assertFellBack("the original has ended");
        assertLaunchedAsInStock();
    }

    private void assertFellBack(String why) {
        assertThat(job.counters).containsEntry(CloneCounter.CLONES_FELL_BACK, 1L);
        assertThat(job.diagnostics.get(job.original)).containsExactly("no clone: " + why);
        assertThat(job.diagnostics.get(job.backup))
                .contains("begun at zero instead of cloned: " + why);
        assertThat(coordinator.originalOf(job.backup)).isEmpty();
        assertThat(coordinator.isCloneProcess(job.backup)).isFalse();
        assertCancelled();
    }

    private void assertLaunchedAsInStock() {
        assertThat(job.launched).hasSize(1);
        assertThat(job.launched.get(0).getContainerLaunchContext().getCommands())
                .containsExactly(STOCK);
    }

    @Test
    void anAttemptThatIsKilledWhileHeldHoldsNothing() {
        job.offering();
        coordinator.ended(job.backup, false);
        assertThat(job.counters).containsEntry(CloneCounter.CLONES_GIVEN_UP, 1L);
        // Stock's launcher is told to clean up next: only what it launched is then released.
        assertLaunchedAsInStock();
        assertCancelled();
    }

    // --- while the container pulls ---

    @Test
    void anOriginalThatEndsLaterThanOneFromZeroIsNotFrozen() {
        job.pulling();
        job.now.addAndGet(1234);
        job.score = CoordinatorFixture.NEW_IS_SOONER;
        assertThat(job.mayFreeze()).isEqualTo(FreezeLeave.REFUSED);
        assertThat(job.sinceLaunchMillis).isEqualTo(1234);
        assertFellBack("an attempt from zero is sooner by now");
    }

    @Test
    void aCloneWaitsWhileItsOriginalIsSoonerAndIsGivenUpInTheEnd() {
        job.pulling();
        job.score = CoordinatorFixture.NO_GAIN;
        assertThat(job.mayFreeze()).isEqualTo(FreezeLeave.LATER);
        job.score = CoordinatorFixture.SCORE;
        assertThat(job.mayFreeze()).isEqualTo(FreezeLeave.GRANTED);
        job.score = CoordinatorFixture.NO_GAIN;
        job.passes(LONGER_THAN_A_CLONE);
        assertThat(job.mayFreeze()).isEqualTo(FreezeLeave.REFUSED);
    }

    @Test
    void anOriginalThatAsksAgainAfterALongWaitIsJudgedAgain() {
        job.freezing();
        assertThat(job.mayFreeze()).isEqualTo(FreezeLeave.GRANTED);
        job.score = CoordinatorFixture.NEW_IS_SOONER;
        assertThat(job.mayFreeze()).isEqualTo(FreezeLeave.REFUSED);
        assertFellBack("an attempt from zero is sooner by now");
    }

    /** It stands still already, and its clone's container would begin at zero. */
    @Test
    void anOriginalThatSeemsNoStragglerAfterALongWaitIsFrozenUnlessItIsAsGoodAsDone() {
        job.freezing();
        job.score = CoordinatorFixture.NO_GAIN;
        assertThat(job.mayFreeze()).isEqualTo(FreezeLeave.GRANTED);
        job.score = CoordinatorFixture.AS_GOOD_AS_DONE;
        assertThat(job.mayFreeze()).isEqualTo(FreezeLeave.LATER);
    }

    /** Its clone takes 15 s, of which 4 have passed; elsewhere it would run now. */
    @Test
    void anOriginalThatWasSlowToAnswerIsSlowToBeFrozen() {
        job.asked();
        job.answersSlowly(1_500, 1_500);
        coordinator.launching(job.launchOf(job.backup));
        job.answer(CloneAnswer.offered(job.cloneId(), "h1:5000", CoordinatorFixture.PATHS));
        job.score = new CloneScore(85_000, 0, 80_000, 100_000);
        job.now.addAndGet(4_000);
        assertThat(job.mayFreeze()).isEqualTo(FreezeLeave.LATER);
        job.now.addAndGet(7_000);
        assertThat(job.mayFreeze()).isEqualTo(FreezeLeave.GRANTED);
        job.score = new CloneScore(3_000, 0, 80_000, 100_000);
        assertThat(job.mayFreeze()).isEqualTo(FreezeLeave.LATER);
    }

    /** Its image travels at half of the configured rate: for 20 s, and it ends in 100. */
    @Test
    void theFirstCloneOverANarrowLinkBeginsAtZero() {
        job.memory(10_000_000);
        job.pulling();
        assertThat(job.mayFreezeOver(100)).isEqualTo(FreezeLeave.REFUSED);
        assertFellBack("an attempt from zero is sooner by now");
        assertThat(coordinator.costs().bytesPerMilli())
                .isCloseTo(1000 * Math.pow(0.5, 1 / 4.0), within(1e-6));
    }

    @Test
    void aCloneThatIsWorthItsLinkTeachesNothingBeforeItHasTravelled() {
        job.memory(4_000_000);
        job.pulling();
        assertThat(job.mayFreezeOver(100)).isEqualTo(FreezeLeave.GRANTED);
        assertThat(coordinator.costs().bytesPerMilli()).isCloseTo(1000, within(1e-6));
    }

    @Test
    void nobodyFreezesUnasked() {
        job.offering();
        assertThat(job.mayFreeze()).isEqualTo(FreezeLeave.REFUSED);
        job.answer(CloneAnswer.offered(job.cloneId(), "h1:5000", CoordinatorFixture.PATHS));
        assertThat(coordinator.mayFreeze(wire(job.original), job.cloneId() + 1, 0))
                .isEqualTo(FreezeLeave.REFUSED);
        assertThat(coordinator.mayFreeze(wire(job.attempt(1, 0)), job.cloneId(), 0))
                .isEqualTo(FreezeLeave.REFUSED);
        assertThat(job.mayFreeze()).isEqualTo(FreezeLeave.GRANTED);
    }

    @Test
    void aRefusalInTheHandshakeIsNoFailure() {
        job.pulling();
        job.answer(CloneAnswer.failed(job.cloneId(), "another kernel"));
        assertFellBack("another kernel");
    }

    @Test
    void whenPullHasLostItsPatienceTheOriginalMayNotFreezeAnyMore() {
        job.pulling();
        job.passes(PATIENCE_MILLIS + LONGER_THAN_AN_ANSWER - 1);
        assertThat(coordinator.isCloneProcess(job.backup)).isTrue();
        job.passes(1);
        assertFellBack("PULLING for too long");
        assertThat(job.mayFreeze()).isEqualTo(FreezeLeave.REFUSED);
    }

    @Test
    void afterTheFreezeACloneNeedsNoOriginal() throws IOException {
        job.freezing();
        coordinator.ended(job.original, false);
        coordinator.becomeClone(
                wire(job.original), job.cloneId(), containerId(job.backup).toString());
        coordinator.cloneRunning(wire(job.backup), job.cloneId());
        assertThat(job.counters).containsEntry(CloneCounter.CLONES_RUNNING, 1L);
    }

    @Test
    void aCloneThatWasSentInVainHasFrozenItsOriginalAllTheSame() {
        job.freezing();
        long clone = job.cloneId();
        job.passes(LONGER_THAN_A_CLONE);
        job.answer(CloneAnswer.sent(clone, 120, 150, new CloneTravel(0, 0, 0)));
        assertThat(job.counters)
                .containsEntry(CloneCounter.CLONES_SENT, 1L)
                .containsEntry(CloneCounter.FROZEN_MILLIS, 120L)
                .doesNotContainKey(CloneCounter.CLONES_RUNNING);
    }

    @Test
    void aCloneThatComesTooLateIsTurnedAway() {
        job.freezing();
        long clone = job.cloneId();
        job.passes(LONGER_THAN_A_CLONE);
        assertFellBack("FREEZING for too long");
        assertThatThrownBy(
                        () ->
                                coordinator.becomeClone(
                                        wire(job.original),
                                        clone,
                                        containerId(job.backup).toString()))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("no clone of")
                .hasMessageContaining("is expected in");
    }

    /** Its container had given up by itself, and its original couldn't say so. */
    @Test
    void anAttemptThatSucceedsFromZeroIsNoTroubleWithClones() {
        for (int i = 0; i < MAX_FAILURES; i++) {
            job.freezing();
            coordinator.ended(job.backup, true);
            job.passes(LONGER_THAN_A_CLONE);
        }
        assertThat(coordinator.obstacle(another())).isEmpty();
        assertThat(job.counters)
                .containsEntry(CloneCounter.CLONES_FELL_BACK, (long) MAX_FAILURES)
                .doesNotContainKey(CloneCounter.CLONES_WON);
    }

    @Test
    void aCloneThatDoesNotRegisterIsGivenUp() throws IOException {
        job.becoming();
        job.passes(LONGER_THAN_AN_ANSWER);
        assertThat(job.counters).containsEntry(CloneCounter.CLONES_GIVEN_UP, 1L);
        assertThatThrownBy(() -> coordinator.cloneRunning(wire(job.backup), job.cloneId()))
                .isInstanceOf(IOException.class);
    }

    // --- what the AppMaster must make of an end ---

    @Test
    void onlyWhatMayBeACloneFailsSoftly() throws IOException {
        job.offering();
        assertThat(coordinator.isCloneProcess(job.backup)).isFalse();
        job.answer(CloneAnswer.offered(job.cloneId(), "h1:5000", CoordinatorFixture.PATHS));
        assertThat(coordinator.isCloneProcess(job.backup)).isTrue();
        assertThat(coordinator.isCloneProcess(job.original)).isFalse();
        job.mayFreeze();
        coordinator.becomeClone(
                wire(job.original), job.cloneId(), containerId(job.backup).toString());
        coordinator.cloneRunning(wire(job.backup), job.cloneId());
        assertThat(coordinator.isCloneProcess(job.backup)).isTrue();
    }

    @Test
    void aCloneThatLosesIsNoTrouble() throws IOException {
        job.running();
        coordinator.ended(job.original, true);
        coordinator.ended(job.backup, false);
        assertThat(job.counters)
                .containsEntry(CloneCounter.CLONES_RUNNING, 1L)
                .doesNotContainKeys(
                        CloneCounter.CLONES_WON,
                        CloneCounter.CLONES_GIVEN_UP,
                        CloneCounter.CLONES_FELL_BACK);
        assertThat(coordinator.originalOf(job.backup)).contains(job.original);
    }

    @Test
    void aTaskWhoseCloneIsOverMayBeClonedAgain() throws IOException {
        job.running();
        coordinator.ended(job.backup, false);
        job.asked();
        assertThat(job.lastOrder().orElseThrow().kind()).isEqualTo(CloneOrder.Kind.PREPARE);
    }

    // --- what keeps clones from being ordered ---

    @Test
    void onlyTasksWhoseAgentAsksCanBeCloned() {
        assertThat(coordinator.obstacle(job.original)).isEmpty();
        assertThat(coordinator.obstacle(job.attempt(1, 0)))
                .contains("its agent doesn't ask for orders");
        assertThat(coordinator.obstacle(reduce())).contains("its agent doesn't ask for orders");
    }

    @Test
    void reducesAreClonedOnlyIfTheyMayBe() {
        CloneCoordinator mapsOnly = new CoordinatorFixture(false).coordinator;
        assertThat(mapsOnly.isCloneable(job.original)).isTrue();
        assertThat(mapsOnly.isCloneable(reduce())).isFalse();
        assertThat(mapsOnly.obstacle(reduce()))
                .contains("reduces aren't cloned: mapreduce.clone.reduce is false");
    }

    private TaskAttemptId reduce() {
        return MRBuilderUtils.newTaskAttemptId(
                MRBuilderUtils.newTaskId(job.job, 0, TaskType.REDUCE), 0);
    }

    @Test
    void aJobWhoseClonesComeToNothingTriesNoMore() {
        for (int i = 0; i < MAX_FAILURES; i++) {
            assertThat(coordinator.obstacle(another())).isEmpty();
            failOnce();
        }
        assertThat(coordinator.obstacle(another())).contains("3 clones in a row came to nothing");
    }

    @Test
    void aJobWhoseClonesContainersFailTriesNoMore() {
        for (int i = 0; i < MAX_FAILURES; i++) {
            job.pulling();
            coordinator.failed(job.backup, "TA_TIMED_OUT");
        }
        assertThat(coordinator.obstacle(another())).contains("3 clones in a row came to nothing");
    }

    @Test
    void aCloneThatIsKilledIsNoTroubleWithClones() {
        for (int i = 0; i < MAX_FAILURES; i++) {
            job.pulling();
            coordinator.ended(job.backup, false);
        }
        assertThat(coordinator.obstacle(another())).isEmpty();
    }

    @Test
    void whoseCloneCameToNothingIsNotAskedAgain() {
        failOnce();
        job.passes(1_000 * LIMIT_MILLIS);
        assertThat(coordinator.obstacle(job.original)).contains("the tool crashed");
    }

    @Test
    void whoSaysAtOnceThatItCannotBeClonedIsAskedAgainLater() {
        refuseAtOnce();
        job.passes(9_999);
        assertThat(coordinator.obstacle(job.original)).contains("it has a child");
        job.passes(1);
        assertThat(coordinator.obstacle(job.original)).isEmpty();
        refuseAtOnce();
        assertThat(job.diagnostics.get(job.original)).containsExactly("no clone: it has a child");
    }

    @Test
    void whoSaysSoAtOnceIsNoTroubleWithClones() {
        for (int i = 0; i < MAX_FAILURES; i++) {
            refuseAtOnce();
        }
        assertThat(coordinator.obstacle(another())).isEmpty();
    }

    private void refuseAtOnce() {
        job.asked();
        job.answer(CloneAnswer.refused(job.cloneId(), "it has a child"));
    }

    @Test
    void anAttemptThatEndsInTimeIsNoTroubleWithClones() {
        for (int i = 0; i < MAX_FAILURES; i++) {
            job.asked();
            coordinator.ended(job.original, true);
        }
        assertThat(coordinator.obstacle(another())).isEmpty();
    }

    @Test
    void anAttemptThatHasJustEndedIsNotCloned() {
        coordinator.ended(job.original, true);
        for (int i = 0; i < MAX_FAILURES; i++) {
            coordinator.clone(job.original, CoordinatorFixture.SCORE);
            job.passes(LONGER_THAN_AN_ANSWER);
        }
        assertThat(job.counters).isEmpty();
        assertThat(coordinator.obstacle(another())).isEmpty();
    }

    /** Of the same job, not cloned yet. */
    private TaskAttemptId another() {
        TaskAttemptId another = job.attempt(2, 0);
        job.orders.ask(wire(another), 0, 0, order -> {});
        return another;
    }

    @Test
    void aCloneThatRunsMakesGoodForTroubleBefore() throws IOException {
        failOnce();
        failOnce();
        job.running();
        coordinator.ended(job.backup, false);
        failOnce();
        assertThat(coordinator.obstacle(another())).isEmpty();
    }

    @Test
    void aTaskWhoseCloneDiedIsNotClonedAgain() throws IOException {
        TaskAttemptId sibling = job.attempt(0, 2);
        job.orders.ask(wire(sibling), 0, 0, order -> {});
        job.running();
        coordinator.failed(job.backup, "TA_FAILMSG: Error: Broken pipe");
        String why =
                "its clone "
                        + job.backup
                        + " died after it ran: its attempt has failed: TA_FAILMSG: Error: Broken pipe";
        job.passes(1_000 * LIMIT_MILLIS);
        assertThat(coordinator.obstacle(job.original)).contains(why);
        assertThat(coordinator.obstacle(sibling)).contains(why);
        assertThat(coordinator.obstacle(another())).isEmpty();
        assertThat(job.counters).containsEntry(CloneCounter.CLONES_DIED, 1L);
        assertThat(job.diagnostics.get(job.original)).containsExactly("no clone any more: " + why);
    }

    @Test
    void aCloneThatIsKilledAfterItRanHasNotDied() throws IOException {
        job.running();
        coordinator.ended(job.backup, false);
        assertThat(coordinator.obstacle(job.original)).isEmpty();
        assertThat(job.counters).doesNotContainKey(CloneCounter.CLONES_DIED);
    }

    /** As a process that starts others would, or one that no container has room for. */
    @Test
    void whatIsTheTasksOwnIsNoTroubleWithClones() {
        for (int i = 0; i < MAX_FAILURES; i++) {
            job.pulling();
            job.answer(CloneAnswer.refused(job.cloneId(), "fetches under way didn't end"));
        }
        assertThat(coordinator.obstacle(another())).isEmpty();
        assertThat(coordinator.obstacle(job.original)).contains("fetches under way didn't end");
    }

    private void failOnce() {
        job.pulling();
        job.answer(CloneAnswer.failed(job.cloneId(), "the tool crashed"));
    }
}
