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

import java.util.Arrays;
import java.util.EnumSet;
import java.util.Set;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskType;
import org.apache.hadoop.mapreduce.v2.util.MRBuilderUtils;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class CloneBreakerTest {
    private static final long MOST = 3;
    private static final TaskAttemptId OTHER = attempt(99, 0);
    private static final Set<CloneState> ENDS =
            EnumSet.of(CloneState.FELL_BACK, CloneState.GIVEN_UP);

    private final CloneBreaker breaker = new CloneBreaker(MOST);

    private static TaskAttemptId attempt(int task, int number) {
        ApplicationId application = ApplicationId.newInstance(1, 1);
        return MRBuilderUtils.newTaskAttemptId(
                MRBuilderUtils.newTaskId(
                        MRBuilderUtils.newJobId(application, 1), task, TaskType.MAP),
                number);
    }

    // --- whose fault it is ---

    @ParameterizedTest
    @CsvSource({
        "ASKED, REFUSED, ORIGINAL",
        "ASKED, TIME_OUT, ORIGINAL",
        "ASKED, ORIGINAL_ENDED, NOBODY",
        "WAITING, CLONE_ENDED, NOBODY",
        "OFFERING, REFUSED, ORIGINAL",
        "OFFERING, FAILED, CLONING",
        "OFFERING, TIME_OUT, ORIGINAL",
        "PULLING, REFUSED, ORIGINAL",
        "PULLING, FAILED, CLONING",
        "PULLING, VETOED, NOBODY",
        "PULLING, TIME_OUT, CLONING",
        "PULLING, ORIGINAL_ENDED, NOBODY",
        "PULLING, CLONE_ENDED, NOBODY",
        "PULLING, CLONE_FAILED, CLONING",
        "FREEZING, REFUSED, ORIGINAL",
        "FREEZING, FAILED, CLONING",
        "BECOMING, TIME_OUT, CLONING"
    })
    void eachEndHasItsFault(CloneState state, CloneEvent event, Fault fault) {
        assertThat(Fault.of(state, event)).isEqualTo(fault);
    }

    /** Every way to come to nothing, three times in a row, against an attempt of another task. */
    @ParameterizedTest
    @EnumSource
    void onlyTroubleWithCloningItselfIsTheWholeJobs(CloneState state) {
        for (CloneEvent event : CloneEvent.values()) {
            if (state.after(event).filter(ENDS::contains).isPresent()) {
                CloneBreaker fresh = new CloneBreaker(MOST);
                for (int task = 0; task < MOST; task++) {
                    assertThat(fresh.obstacle(OTHER, 0)).isEmpty();
                    fresh.cameToNothing(attempt(task, 0), state, event, "why", 0);
                }
                assertThat(fresh.obstacle(OTHER, 0).isPresent())
                        .as("%s in %s", event, state)
                        .isEqualTo(Fault.of(state, event) == Fault.CLONING);
            }
        }
    }

    // --- what is remembered ---

    @Test
    void whoRefusesAtOnceIsAskedAgainAfterAWhile() {
        breaker.cameToNothing(OTHER, CloneState.ASKED, CloneEvent.REFUSED, "it sorts", 1_000);
        assertThat(breaker.obstacle(OTHER, 10_999)).contains("it sorts");
        assertThat(breaker.obstacle(OTHER, 11_000)).isEmpty();
    }

    @Test
    void whoRefusesOnceAContainerIsThereIsNotAskedAgainButItsTasksOthersAre() {
        breaker.cameToNothing(OTHER, CloneState.PULLING, CloneEvent.REFUSED, "it sorts", 0);
        assertThat(breaker.obstacle(OTHER, Long.MAX_VALUE - 1)).contains("it sorts");
        assertThat(breaker.obstacle(attempt(99, 1), 0)).isEmpty();
    }

    @Test
    void aReasonIsToldOnce() {
        assertThat(refuses("it sorts")).isTrue();
        assertThat(refuses("it sorts")).isFalse();
        assertThat(refuses("it has a child")).isTrue();
    }

    private boolean refuses(String why) {
        return breaker.cameToNothing(OTHER, CloneState.ASKED, CloneEvent.REFUSED, why, 0);
    }

    @Test
    void aCloneThatRunsMakesGoodForFailuresAndNotForDeaths() {
        fails(1);
        fails(2);
        breaker.died(attempt(3, 0).getTaskId(), "why");
        breaker.ran();
        fails(4);
        breaker.died(attempt(5, 0).getTaskId(), "why");
        assertThat(breaker.obstacle(OTHER, 0)).isEmpty();
        breaker.ran();
        breaker.died(attempt(6, 0).getTaskId(), "why");
        assertThat(breaker.obstacle(OTHER, 0)).contains("3 clones in a row died after they ran");
    }

    private void fails(int task) {
        breaker.cameToNothing(attempt(task, 0), CloneState.PULLING, CloneEvent.FAILED, "why", 0);
    }

    @Test
    void aCloneThatWinsMakesGoodForDeaths() {
        breaker.died(attempt(1, 0).getTaskId(), "why");
        breaker.died(attempt(2, 0).getTaskId(), "why");
        breaker.won();
        breaker.died(attempt(3, 0).getTaskId(), "why");
        assertThat(breaker.obstacle(OTHER, 0)).isEmpty();
    }

    @Test
    void noAttemptOfATaskWhoseCloneDiedIsCloned() {
        breaker.died(attempt(1, 0).getTaskId(), "its clone died");
        breaker.won();
        assertThat(Arrays.asList(attempt(1, 0), attempt(1, 2)))
                .allSatisfy(one -> assertThat(breaker.obstacle(one, 0)).contains("its clone died"));
    }
}
