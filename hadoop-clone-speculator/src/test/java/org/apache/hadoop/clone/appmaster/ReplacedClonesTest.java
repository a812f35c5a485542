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

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.apache.hadoop.clone.protocol.CloneAnswer;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A clone runs and straggles, and another one is to take its place. */
class ReplacedClonesTest {
    private final CoordinatorFixture job = new CoordinatorFixture();
    private final CloneCoordinator coordinator = job.coordinator;
    private final TaskAttemptId next = job.attempt(0, 2);

    @BeforeEach
    void aCloneRuns() throws IOException {
        job.running();
        job.attempts.add(job.backup);
        job.taskEvents.clear();
    }

    private void answerAble() {
        job.answer(CloneAnswer.able(job.cloneId(), 0, 0));
    }

    @Test
    void itEndsOnceItsOriginalCanBeClonedAgain() {
        job.askedAgain();
        assertThat(coordinator.isBeingCloned(job.original)).isTrue();
        assertThat(job.killed).as("before the original has answered").isEmpty();
        answerAble();
        assertThat(job.killed).containsExactly(job.backup);
        assertThat(job.taskEvents).as("Hadoop begins one for that which is killed").isEmpty();
        assertThat(coordinator.isCloneProcess(job.backup)).as("its end is no failure").isTrue();
        coordinator.ended(job.backup, false);
        assertThat(coordinator.isCloneProcess(job.backup)).isFalse();
        assertThat(coordinator.launching(job.launchOf(next))).isTrue();
        assertThat(job.counters)
                .containsEntry(CloneCounter.CLONES_ORDERED, 2L)
                .doesNotContainKeys(CloneCounter.CLONES_DIED, CloneCounter.CLONES_GIVEN_UP);
    }

    @Test
    void whatCannotBeClonedAgainKeepsItsClone() {
        job.askedAgain();
        job.answer(CloneAnswer.refused(job.cloneId(), "it has child processes"));
        assertThat(job.killed).isEmpty();
        assertThat(coordinator.isCloneProcess(job.backup)).isTrue();
        coordinator.ended(job.backup, true);
        assertThat(job.counters).containsEntry(CloneCounter.CLONES_WON, 1L);
        assertThat(coordinator.isUnderWay(job.original.getTaskId())).isFalse();
    }

    @Test
    void aCloneThatWinsMeanwhileHasWon() {
        job.askedAgain();
        coordinator.ended(job.backup, true);
        coordinator.ended(job.original, false);
        assertThat(job.killed).isEmpty();
        assertThat(job.counters).containsEntry(CloneCounter.CLONES_WON, 1L);
        assertThat(coordinator.isUnderWay(job.original.getTaskId())).isFalse();
    }

    @Test
    void aCloneThatDiesMeanwhileHasDied() {
        job.askedAgain();
        coordinator.failed(job.backup, "TA_FAILMSG");
        assertThat(job.counters).containsEntry(CloneCounter.CLONES_DIED, 1L);
    }

    /** The kill came too late. */
    @Test
    void oneThatIsKeptIsTheTasksClone() {
        job.askedAgain();
        answerAble();
        coordinator.keeps(job.backup);
        assertThat(coordinator.isBeingCloned(job.original)).isFalse();
        assertThat(coordinator.isCloneProcess(job.backup)).isTrue();
        assertThat(coordinator.launching(job.launchOf(next))).isFalse();
        coordinator.ended(job.backup, true);
        assertThat(job.counters).containsEntry(CloneCounter.CLONES_WON, 1L);
    }

    @Test
    void anAttemptFromZeroMayBeReplacedByAClone() {
        coordinator.ended(job.backup, false);
        job.attempts.add(next);
        coordinator.cloneInPlaceOf(next, job.original, CoordinatorFixture.SCORE);
        answerAble();
        assertThat(job.killed).containsExactly(next);
    }

    @Test
    void anOrdinaryOrderEndsNoAttempt() {
        job.asked();
        assertThat(job.counters).containsEntry(CloneCounter.CLONES_ORDERED, 1L);
        assertThat(job.killed).isEmpty();
    }

    @Test
    void nothingTakesThePlaceOfAnotherAttemptThanTheClone() {
        coordinator.cloneInPlaceOf(next, job.original, CoordinatorFixture.SCORE);
        assertThat(job.counters).containsEntry(CloneCounter.CLONES_ORDERED, 1L);
    }

    @Test
    void oneThatIsBeingMadeIsNotReplaced() {
        job.askedAgain().askedAgain();
        assertThat(job.counters).containsEntry(CloneCounter.CLONES_ORDERED, 2L);
    }
}
