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
package org.clonehadoop.simulator.mapreduce;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.hadoop.mapreduce.v2.api.records.JobId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptState;
import org.apache.hadoop.mapreduce.v2.api.records.TaskType;
import org.apache.hadoop.mapreduce.v2.util.MRBuilderUtils;
import org.clonehadoop.benchmarks.feed.MirrorJob;
import org.clonehadoop.simulator.engine.Timeline;
import org.clonehadoop.simulator.platform.HostSpec;
import org.clonehadoop.simulator.platform.SimHost;
import org.junit.jupiter.api.Test;

class SimAttemptTest {
    private final SimHost host = new SimHost("h1", new HostSpec(1, 100, 100, 1), new Timeline(0));
    private final JobId job = MRBuilderUtils.newJobId(1, 1, 1);
    private final MirrorJob mirror = new MirrorJob(job, 1, 0);

    private SimAttempt attempt(
            int number, long held, long launched, long finished, TaskAttemptState state) {
        var task = mirror.getTasks(TaskType.MAP).keySet().iterator().next();
        SimAttempt attempt =
                new SimAttempt(
                        mirror.getTask(task)
                                .attempt(MRBuilderUtils.newTaskAttemptId(task, number)));
        attempt.host = host;
        attempt.heldSinceMillis = held;
        attempt.known.setLaunchTime(launched);
        attempt.known.setFinishTime(finished);
        attempt.known.setState(state);
        return attempt;
    }

    @Test
    void whatDidNotWinIsThrownAwayFromItsContainerOn() {
        assertThat(attempt(0, 10, 12, 50, TaskAttemptState.KILLED).thrownAwayMillis())
                .isEqualTo(40);
        assertThat(attempt(1, 10, 12, 50, TaskAttemptState.SUCCEEDED).thrownAwayMillis()).isZero();
    }

    /** The second is a clone of the first, and the third, which won, one of the second. */
    @Test
    void whatLivesOnInAWinnerIsNotThrownAway() {
        SimAttempt first = attempt(0, 10, 12, 50, TaskAttemptState.KILLED);
        SimAttempt second = attempt(1, 20, 22, 49, TaskAttemptState.FAILED);
        SimAttempt winner = attempt(2, 40, 45, 50, TaskAttemptState.SUCCEEDED);
        second.original = first;
        winner.original = second;

        winner.noteWhatItContinued();

        assertThat(first.thrownAwayMillis()).isEqualTo(50 - 22);
        assertThat(second.thrownAwayMillis()).isEqualTo(49 - 45);
        assertThat(winner.thrownAwayMillis()).isZero();
    }

    @Test
    void whoNeverHadAContainerThrewNoneAway() {
        SimAttempt waited = attempt(1, 0, 0, 50, TaskAttemptState.KILLED);
        waited.host = null;
        assertThat(waited.thrownAwayMillis()).isZero();
    }
}
