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
package org.apache.hadoop.clone.speculate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.util.List;
import java.util.Optional;
import org.apache.hadoop.clone.score.CloneScore;
import org.apache.hadoop.clone.score.Outcome;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskType;
import org.apache.hadoop.mapreduce.v2.util.MRBuilderUtils;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.junit.jupiter.api.Test;

class SpeculationPolicyTest {
    private static final double HALF = 0.5;

    private static TaskAttemptId attempt(int task) {
        return MRBuilderUtils.newTaskAttemptId(
                MRBuilderUtils.newTaskId(
                        MRBuilderUtils.newJobId(ApplicationId.newInstance(1, 1), 1),
                        task,
                        TaskType.MAP),
                0);
    }

    /** Its clone would end after 12 s, an attempt from zero after 40 s. */
    private static CloneScore endsAfter(double seconds) {
        return new CloneScore(seconds * 1000, 2_000, 10_000, 40_000);
    }

    private static Candidate candidate(int task, double seconds) {
        return new Candidate(attempt(task), endsAfter(seconds), Optional.empty());
    }

    private static Candidate withoutClone(int task, double seconds) {
        return new Candidate(attempt(task), endsAfter(seconds), Optional.of("it has children"));
    }

    private static List<Decision> decide(int room, Candidate... candidates) {
        return SpeculationPolicy.decide(List.of(candidates), room, Optional.empty(), HALF);
    }

    @Test
    void whatGainsMostIsFirst() {
        assertThat(decide(9, candidate(1, 30), candidate(2, 300), candidate(3, 100)))
                .extracting(Decision::attempt)
                .containsExactly(attempt(2), attempt(3), attempt(1));
    }

    @Test
    void equalsAreInTheOrderOfTheirTasks() {
        assertThat(decide(9, candidate(2, 30), candidate(1, 30)))
                .extracting(Decision::attempt)
                .containsExactly(attempt(1), attempt(2));
    }

    @Test
    void thereIsRoomForSoManyAndNoMore() {
        assertThat(decide(2, candidate(1, 30), candidate(2, 300), candidate(3, 100)))
                .extracting(Decision::outcome, Decision::reason)
                .containsExactly(
                        tuple(Outcome.CLONE, Reason.CLONE_IS_SOONER),
                        tuple(Outcome.CLONE, Reason.CLONE_IS_SOONER),
                        tuple(Outcome.NONE, Reason.CAP_REACHED));
    }

    /** A clone takes 12 s of a container, so that 6 s must be saved: 18 s, not 17. */
    @Test
    void whatIsNotWorthItsPriceTakesNoRoom() {
        assertThat(decide(1, candidate(1, 17.9)))
                .extracting(Decision::reason)
                .containsExactly(Reason.NO_GAIN);
        assertThat(decide(1, candidate(1, 18)))
                .extracting(Decision::reason)
                .containsExactly(Reason.CLONE_IS_SOONER);
        // It gains more than what can be cloned, but not enough for 40 s from zero.
        assertThat(decide(1, withoutClone(1, 59), candidate(2, 30)))
                .extracting(Decision::attempt, Decision::outcome)
                .containsExactly(tuple(attempt(1), Outcome.NONE), tuple(attempt(2), Outcome.CLONE));
    }

    /**
     * 100 s by itself: a clone would gain 88 s, an attempt from zero 60 s, which is less than 70.
     */
    @Test
    void whatCannotBeClonedIsRankedByWhatItGainsFromZero() {
        assertThat(decide(9, withoutClone(1, 100), candidate(2, 82)))
                .extracting(Decision::attempt, Decision::outcome, Decision::reason)
                .containsExactly(
                        tuple(attempt(2), Outcome.CLONE, Reason.CLONE_IS_SOONER),
                        tuple(attempt(1), Outcome.NEW, Reason.NOT_CLONEABLE));
    }

    @Test
    void whyThereIsNoRoomIsSaidWhereThereWouldHaveBeenSome() {
        assertThat(
                        SpeculationPolicy.decide(
                                List.of(candidate(1, 30)), 9, Optional.of("all spent"), HALF))
                .singleElement()
                .satisfies(
                        decision -> {
                            assertThat(decision.outcome()).isEqualTo(Outcome.NONE);
                            assertThat(decision.reason()).isEqualTo(Reason.CAP_REACHED);
                            assertThat(decision.obstacle()).contains("all spent");
                            assertThat(decision.score()).isPresent();
                        });
    }
}
