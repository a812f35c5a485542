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
import static org.apache.hadoop.clone.appmaster.CoordinatorFixture.PATIENCE_MILLIS;
import static org.apache.hadoop.clone.appmaster.CoordinatorFixture.SILENCE_MILLIS;
import static org.apache.hadoop.clone.appmaster.CoordinatorFixture.STOCK;
import static org.apache.hadoop.clone.appmaster.CoordinatorFixture.containerId;
import static org.apache.hadoop.clone.appmaster.CoordinatorFixture.wire;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.clone.protocol.CloneAnswer;
import org.apache.hadoop.clone.protocol.CloneIdentity;
import org.apache.hadoop.clone.protocol.CloneLimits;
import org.apache.hadoop.clone.protocol.CloneOrder;
import org.apache.hadoop.clone.protocol.CloneTravel;
import org.apache.hadoop.clone.protocol.FreezeLeave;
import org.apache.hadoop.clone.protocol.OneTimeKey;
import org.apache.hadoop.clone.score.CloneCosts;
import org.apache.hadoop.clone.score.CloneScore;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptState;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskEventType;
import org.apache.hadoop.mapreduce.v2.app.launcher.ContainerRemoteLaunchEvent;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CloneCoordinatorTest {

    private final CoordinatorFixture job = new CoordinatorFixture();
    private final CloneCoordinator coordinator = job.coordinator;

    // --- the way of a clone that wins ---

    @Test
    void theOriginalIsAskedFirst() {
        job.asked();
        assertThat(job.lastOrder().orElseThrow().kind()).isEqualTo(CloneOrder.Kind.PREPARE);
        assertThat(job.taskEvents).isEmpty();
        assertThat(job.counters).containsEntry(CloneCounter.CLONES_ORDERED, 1L);
        assertThat(coordinator.isBeingCloned(job.original)).isTrue();
    }

    @Test
    void anAttemptIsOrderedWhenTheOriginalCanBeCloned() {
        job.waiting();
        assertThat(job.taskEvents)
                .singleElement()
                .satisfies(
                        event -> {
                            assertThat(event.getType()).isEqualTo(TaskEventType.T_ADD_SPEC_ATTEMPT);
                            assertThat(event.getTaskID()).isEqualTo(job.original.getTaskId());
                        });
        assertThat(coordinator.cloneBytes(job.original)).contains(5_000_000L);
    }

    /**
     * Before the task has told of its files its counters tell of them, and always of its memory.
     */
    @Test
    void whatWouldTravelIsKnownBeforeTheOrder() {
        job.memory(400_000_000);
        assertThat(coordinator.cloneBytes(job.original)).contains(400_000_000L);
        job.waiting();
        assertThat(coordinator.cloneBytes(job.original)).contains(405_000_000L);
    }

    @Test
    void whatATaskHasToldOfItsMemoryCountsUntilItReports() {
        job.asked();
        job.answer(CloneAnswer.able(job.cloneId(), 5_000_000, 2_000_000));
        assertThat(coordinator.cloneBytes(job.original)).contains(7_000_000L);
        job.memory(1_000_000);
        assertThat(coordinator.cloneBytes(job.original)).contains(6_000_000L);
    }

    @Test
    void theLaunchWaitsForTheOffer() {
        job.waiting();
        assertThat(coordinator.launching(job.launchOf(job.backup))).isTrue();
        assertThat(job.launched).isEmpty();
        CloneOrder offer = job.lastOrder().orElseThrow();
        assertThat(offer.kind()).isEqualTo(CloneOrder.Kind.OFFER);
        assertThat(offer.nonce()).hasSize(OneTimeKey.NONCE_BYTES);
        assertThat(offer.limits()).isEqualTo(limits(PATIENCE_MILLIS));
    }

    /** A clone's files outside of its container would be its original's. */
    @Test
    void besideTheOriginalTheAttemptBeginsAtZero() {
        job.waiting();
        ContainerRemoteLaunchEvent launch = job.launchOf(job.backup, "h1");
        assertThat(coordinator.launching(launch)).isTrue();
        assertThat(job.launched).containsExactly(launch);
        assertThat(launch.getContainerLaunchContext().getCommands()).containsExactly(STOCK);
        assertThat(job.lastOrder().orElseThrow().kind()).isEqualTo(CloneOrder.Kind.CANCEL);
        assertThat(coordinator.isUnderWay(job.original.getTaskId())).isFalse();
        assertThat(coordinator.isClone(job.backup)).isFalse();
        assertThat(coordinator.obstacle(job.original))
                .contains("no host but its original's has room");
    }

    @Test
    void onTheOnlyNodeNothingIsCloned() {
        coordinator.clusterHas(2);
        assertThat(coordinator.obstacle(job.original)).isEmpty();
        coordinator.clusterHas(1);
        assertThat(coordinator.obstacle(job.original)).contains("the cluster has no other node");
    }

    @Test
    void anAttemptFromZeroHelpsAsLongAsItWouldEndBeforeItsOriginal() {
        job.score = new CloneScore(40_001, 10_000, 10_000, 40_000);
        assertThat(coordinator.helpsFromZero(job.original)).isTrue();
        job.score = new CloneScore(40_000, 10_000, 10_000, 40_000);
        assertThat(coordinator.helpsFromZero(job.original)).isFalse();
    }

    private static CloneLimits limits(long patienceMillis) {
        return new CloneLimits(patienceMillis, patienceMillis + LIMIT_MILLIS);
    }

    /** A large task's files may travel for longer than an original may be kept waiting. */
    @Test
    void theTimeLimitBeginsWithTheFreeze() {
        coordinator.clone(job.original, new CloneScore(1e6, 10_000, 40_000, 100_000));
        job.answer(CloneAnswer.able(job.cloneId(), 0, 0));
        coordinator.launching(job.launchOf(job.backup));
        assertThat(job.lastOrder().orElseThrow().limits()).isEqualTo(limits(70_000));
    }

    @Test
    void nobodyIsMorePatientThanHadoopWithAnAttemptThatDoesNotReport() {
        coordinator.clone(job.original, new CloneScore(1e7, 10_000, 40_000, 1e6));
        job.answer(CloneAnswer.able(job.cloneId(), 0, 0));
        coordinator.launching(job.launchOf(job.backup));
        assertThat(job.lastOrder().orElseThrow().limits())
                .isEqualTo(limits(SILENCE_MILLIS - LIMIT_MILLIS - 20_000));
    }

    /** Instead of 10 s: 15 times what the answer took beyond what any may take. */
    @Test
    void onABusyHostItTakesLonger() {
        job.asked();
        job.answersSlowly(1_500, 1_500);
        coordinator.launching(job.launchOf(job.backup));
        assertThat(job.lastOrder().orElseThrow().limits()).isEqualTo(limits(15_000 + 20_000));
    }

    @Test
    void onAHostThatIsTooBusyNobodyIsCloned() {
        job.asked();
        job.answersSlowly(2_500, 1_900); // 21 s and 80 s, against 100 s from zero
        assertThat(job.taskEvents).isEmpty();
        assertThat(coordinator.isBeingCloned(job.original)).isFalse();
        assertThat(coordinator.obstacle(job.original))
                .hasValue("it was so slow to answer that a clone of it would be no gain");
        job.now.addAndGet(10_000);
        assertThat(coordinator.obstacle(job.original)).isEmpty();
    }

    /** For twice what an attempt takes, 100 s; what a clone takes there is 21 s. */
    @Test
    void whatOneAnswerTellsOfAHostHoldsForItsOtherAttempts() {
        TaskAttemptId other = job.attempt(1, 0);
        assertThat(coordinator.leastCloneMillis(other)).isZero();
        job.asked();
        job.answersSlowly(1_900, 2_500);
        assertThat(coordinator.leastCloneMillis(other)).isEqualTo(21_000);
        job.now.addAndGet(200_000);
        assertThat(coordinator.leastCloneMillis(other)).as("it is asked again").isZero();
    }

    /** The first question loads the code that answers. */
    @Test
    void aSlowFirstAnswerIsNotBelieved() {
        job.asked();
        CloneOrder first = job.lastOrder().orElseThrow();
        job.now.addAndGet(4_000);
        job.answer(CloneAnswer.able(job.cloneId(), 0, 0));
        CloneOrder second = job.lastOrder().orElseThrow();
        assertThat(second.kind()).isEqualTo(CloneOrder.Kind.PREPARE);
        assertThat(second.serial()).isGreaterThan(first.serial());
        assertThat(job.taskEvents).isEmpty();
        job.now.addAndGet(90);
        job.answer(CloneAnswer.able(job.cloneId(), 0, 0));
        assertThat(job.taskEvents).hasSize(1);
        assertThat(coordinator.leastCloneMillis(job.attempt(1, 0))).isZero();
    }

    /** Clones of both are ordered, on one host. */
    private List<CloneOrder> orderedAfterTheOriginal(TaskAttemptId other) {
        List<CloneOrder> orders = job.listens(other);
        job.asked();
        coordinator.clone(other, CoordinatorFixture.SCORE);
        return orders;
    }

    @Test
    void onAnUnknownHostOneIsAskedAfterTheOther() {
        TaskAttemptId other = job.attempt(1, 0);
        List<CloneOrder> orders = orderedAfterTheOriginal(other);
        assertThat(orders).isEmpty();
        assertThat(coordinator.isBeingCloned(other)).isTrue();
        job.now.addAndGet(400);
        job.answer(CloneAnswer.able(job.cloneId(), 0, 0));
        assertThat(orders).extracting(CloneOrder::kind).containsExactly(CloneOrder.Kind.PREPARE);
    }

    @Test
    void whereOneHasAnsweredAllAreAskedAtOnce() {
        job.waiting();
        for (int task = 1; task <= 2; task++) {
            TaskAttemptId other = job.attempt(task, 0);
            List<CloneOrder> orders = job.listens(other);
            coordinator.clone(other, CoordinatorFixture.SCORE);
            assertThat(orders).hasSize(1);
        }
    }

    /** Too late for any answer to the second, which might be quicker. */
    @Test
    void theFirstAnswerCountsWhereTheSecondDoesNotCome() {
        job.asked();
        job.now.addAndGet(9_800);
        job.answer(CloneAnswer.able(job.cloneId(), 0, 0));
        job.passes(400);
        assertThat(coordinator.isBeingCloned(job.original)).isFalse();
        assertThat(coordinator.leastCloneMillis(job.attempt(1, 0))).isEqualTo(15 * 9_300);
        job.now.addAndGet(10_000);
        assertThat(coordinator.obstacle(job.original)).as("a slow answer passes").isEmpty();
    }

    /** The agent of the first has ended. */
    @Test
    void theNextIsAskedWhereOneAsksForOrdersNoMore() {
        TaskAttemptId second = job.attempt(1, 0);
        TaskAttemptId third = job.attempt(2, 0);
        job.asked();
        job.listens(second);
        List<CloneOrder> orders = job.listens(third);
        coordinator.clone(second, CoordinatorFixture.SCORE);
        coordinator.clone(third, CoordinatorFixture.SCORE);
        job.orders.forget(wire(second));
        coordinator.ended(job.original, true);
        assertThat(coordinator.isBeingCloned(second)).isFalse();
        assertThat(orders).extracting(CloneOrder::kind).containsExactly(CloneOrder.Kind.PREPARE);
    }

    @Test
    void anAnswerThatIsKnownIsNotWaitedFor() {
        TaskAttemptId other = job.attempt(1, 0);
        List<CloneOrder> orders = orderedAfterTheOriginal(other);
        job.answersSlowly(3_000, 3_000);
        assertThat(orders).extracting(CloneOrder::kind).containsExactly(CloneOrder.Kind.CANCEL);
        assertThat(coordinator.isBeingCloned(other)).isFalse();
        assertThat(job.diagnostics.get(other))
                .containsExactly("no clone: another on its host was slow to answer");
    }

    /** 15 times the 10 s of an answer, beyond what any may take. */
    @Test
    void aHostWhoseAgentDoesNotAnswerIsKnownToBeSlow() {
        TaskAttemptId other = job.attempt(1, 0);
        List<CloneOrder> orders = orderedAfterTheOriginal(other);
        job.passes(10_100);
        assertThat(coordinator.leastCloneMillis(other)).isEqualTo(15 * 9_600);
        assertThat(coordinator.isBeingCloned(other)).isFalse();
        assertThat(orders).noneMatch(order -> order.kind() == CloneOrder.Kind.PREPARE);
    }

    @Test
    void theContainerPullsFromWhereTheOriginalWaits() {
        job.pulling();
        assertThat(job.launched).hasSize(1);
        assertThat(commandOf(0))
                .contains(" pull h1:5000 ", "exec /opt/tool ")
                .contains(STOCK.strip());
        assertThat(coordinator.originalOf(job.backup)).contains(job.original);
        assertThat(job.diagnostics.get(job.backup)).containsExactly("clone of " + job.original);
    }

    private String commandOf(int launch) {
        return job.launched.get(launch).getContainerLaunchContext().getCommands().get(0);
    }

    @Test
    void theKeyOfBothEndsIsTheSame() throws IOException {
        job.pulling();
        CloneOrder offer = job.lastOrder().orElseThrow();
        assertThat(job.credentialsOf(job.launched.get(0)).getSecretKey(new Text(OneTimeKey.ALIAS)))
                .isEqualTo(
                        OneTimeKey.of(job.jobTokenPassword(), offer.cloneId(), offer.nonce())
                                .credential());
    }

    @Test
    void theProcessInTheRightContainerBecomesTheAttempt() throws IOException {
        job.freezing();
        CloneIdentity identity =
                coordinator.becomeClone(
                        wire(job.original), job.cloneId(), containerId(job.backup).toString());
        assertThat(identity.attempt()).isEqualTo(wire(job.backup));
        assertThat(identity.containerId()).isEqualTo(containerId(job.backup).toString());
        assertThat(identity.host()).isEqualTo("h2");
    }

    @Test
    void aCloneThatEndsFirstHasWon() throws IOException {
        job.asked();
        job.now.addAndGet(700);
        job.answer(CloneAnswer.able(job.cloneId(), 0, 0));
        coordinator.launching(job.launchOf(job.backup));
        job.answer(CloneAnswer.offered(job.cloneId(), "h1:5000", CoordinatorFixture.PATHS));
        job.now.addAndGet(300);
        job.mayFreeze();
        job.answer(CloneAnswer.sent(job.cloneId(), 120, 150, new CloneTravel(0, 90_000_000, 200)));
        coordinator.becomeClone(
                wire(job.original), job.cloneId(), containerId(job.backup).toString());
        coordinator.cloneRunning(wire(job.backup), job.cloneId());
        coordinator.ended(job.backup, true);
        assertThat(job.counters)
                .containsEntry(CloneCounter.CLONES_RUNNING, 1L)
                .containsEntry(CloneCounter.CLONES_WON, 1L)
                .containsEntry(CloneCounter.CLONES_SENT, 1L)
                .containsEntry(CloneCounter.FROZEN_MILLIS, 120L)
                .containsEntry(CloneCounter.GATE_CLOSED_MILLIS, 150L)
                .containsEntry(CloneCounter.ORDER_TO_RUNNING_MILLIS, 1000L)
                .containsEntry(CloneCounter.LAUNCH_TO_RUNNING_MILLIS, 300L)
                .containsEntry(CloneCounter.TRAVEL_BYTES, 90_000_000L)
                .containsEntry(CloneCounter.TRAVEL_MILLIS, 200L)
                .doesNotContainKeys(CloneCounter.CLONES_FELL_BACK, CloneCounter.CLONES_GIVEN_UP);
    }

    /** Its original may tell what it took before or after the clone tells that it runs. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void whatACloneTookIsLearned(boolean originalFirst) throws IOException {
        CloneCosts before = coordinator.costs();
        job.memory(10_000_000);
        job.waiting();
        job.memory(3_000_000); // it has given the rest back for its clone
        job.now.addAndGet(100_000); // the wait for a container, which a new attempt has as well
        coordinator.launching(job.launchOf(job.backup));
        job.answer(CloneAnswer.offered(job.cloneId(), "h1:5000", CoordinatorFixture.PATHS));
        job.now.addAndGet(9000);
        job.mayFreeze();
        coordinator.becomeClone(
                wire(job.original), job.cloneId(), containerId(job.backup).toString());
        CloneAnswer sent =
                CloneAnswer.sent(
                        job.cloneId(), 80, 120, new CloneTravel(47_000_000, 3_000_000, 1000));
        if (originalFirst) {
            job.answer(sent);
            coordinator.cloneRunning(wire(job.backup), job.cloneId());
        } else {
            coordinator.cloneRunning(wire(job.backup), job.cloneId());
            job.answer(sent);
        }
        assertThat(coordinator.costs().vmMillis())
                .isCloseTo(
                        Math.pow(before.vmMillis(), 3 / 4.0) * Math.pow(8000, 1 / 4.0),
                        within(0.001));
        // A thousand bytes per ms are told thrice, and once fifty times as many.
        assertThat(coordinator.costs().bytesPerMilli())
                .isCloseTo(1000 * Math.pow(50, 1 / 4.0), within(0.001));
        // All of it thrice, 30 % once.
        job.memory(200_000_000);
        assertThat(coordinator.cloneBytes(job.original))
                .contains(5_000_000L + Math.round(200_000_000 * Math.pow(0.3, 1 / 4.0)));
    }

    /** TaskAttemptListenerImpl doesn't know an attempt before, and its process would end. */
    @Test
    void theOriginalFreezesOnlyWhenTheClonesAttemptIsKnownToRun() {
        job.pulling();
        job.backupState = TaskAttemptState.STARTING;
        assertThat(job.mayFreeze()).isEqualTo(FreezeLeave.LATER);
        job.backupState = TaskAttemptState.RUNNING;
        assertThat(job.mayFreeze()).isEqualTo(FreezeLeave.GRANTED);
    }

    // --- whoever isn't expected ---

    @Test
    void noProcessBecomesACloneInAnotherContainer() {
        job.freezing();
        assertRefused(() -> become(containerId(job.original).toString(), job.cloneId()));
        assertRefused(() -> become(containerId(job.backup).toString(), job.cloneId() + 1));
    }

    @Test
    void noProcessBecomesACloneBeforeTheFreeze() {
        job.pulling();
        assertRefused(() -> become(containerId(job.backup).toString(), job.cloneId()));
    }

    @Test
    void onlyOneProcessBecomesTheClone() throws IOException {
        job.becoming();
        assertRefused(() -> become(containerId(job.backup).toString(), job.cloneId()));
        coordinator.cloneRunning(wire(job.backup), job.cloneId());
        assertRefused(() -> become(containerId(job.backup).toString(), job.cloneId()));
    }

    @Test
    void onlyWhoHasBecomeACloneRunsAsOne() throws IOException {
        job.freezing();
        assertRefused(() -> coordinator.cloneRunning(wire(job.backup), job.cloneId()));
        become(containerId(job.backup).toString(), job.cloneId());
        assertRefused(() -> coordinator.cloneRunning(wire(job.original), job.cloneId()));
        coordinator.cloneRunning(wire(job.backup), job.cloneId());
        assertRefused(() -> coordinator.cloneRunning(wire(job.backup), job.cloneId()));
    }

    private CloneIdentity become(String container, long id) throws IOException {
        return coordinator.becomeClone(wire(job.original), id, container);
    }

    private static void assertRefused(ThrowingCallable call) {
        assertThatThrownBy(call).isInstanceOf(IOException.class).hasMessageContaining("no more");
    }

    @Test
    void onlyTheBackupsLaunchIsHeld() {
        job.waiting();
        assertThat(coordinator.launching(job.launchOf(job.original))).isFalse();
        assertThat(coordinator.launching(job.launchOf(job.attempt(1, 0)))).isFalse();
        assertThat(coordinator.launching(job.launchOf(job.backup))).isTrue();
        assertThat(coordinator.launching(job.launchOf(job.attempt(0, 2)))).isFalse();
    }

    @Test
    void answersAboutAnotherCloneChangeNothing() {
        job.asked();
        job.answer(CloneAnswer.able(job.cloneId() + 1, 0, 0));
        coordinator.answered(wire(job.backup), CloneAnswer.able(job.cloneId(), 0, 0));
        assertThat(job.taskEvents).isEmpty();
    }

    /** Else it would be ordered again and again, and nothing come of it. */
    @Test
    void aCloneThatIsAloneCanNotBeClonedItself() throws IOException {
        job.running();
        job.coordinator.ended(job.original, false);
        assertThat(job.coordinator.obstacle(job.backup)).contains("its task has a clone");
    }

    @Test
    void aTaskIsClonedOnceAtATime() {
        job.asked().asked();
        assertThat(job.ordersOfOriginal).hasSize(1);
        assertThat(job.counters).containsEntry(CloneCounter.CLONES_ORDERED, 1L);
    }
}
