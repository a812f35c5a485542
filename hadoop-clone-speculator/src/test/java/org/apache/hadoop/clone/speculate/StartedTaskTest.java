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

import org.apache.hadoop.mapreduce.v2.api.records.Phase;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskId;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskAttemptStatusUpdateEvent.TaskAttemptStatus;
import org.apache.hadoop.mapreduce.v2.util.MRBuilderUtils;
import org.junit.jupiter.api.Test;

class StartedTaskTest {
    private final JobFixture job = new JobFixture();
    private final TaskId id = job.addTask();
    private final StartedTask task = new StartedTask(job.context.getJob(null).getTask(id));

    private OnlyAttempt attempt(int number) {
        TaskAttemptId attempt = MRBuilderUtils.newTaskAttemptId(id, number);
        return new OnlyAttempt(null, attempt, 1, true, Phase.STARTING, 1_000);
    }

    private void report(int number, long now) {
        TaskAttemptStatus status = new TaskAttemptStatus();
        status.id = MRBuilderUtils.newTaskAttemptId(id, number);
        status.progress = 0.5f;
        status.phase = Phase.MAP;
        task.reported(status, now);
    }

    @Test
    void itsOnlyAttemptIsKnownByItsReports() {
        task.found(attempt(0), task.events());
        report(0, 5_000);
        assertThat(task.only())
                .isEqualTo(new OnlyAttempt(null, attempt(0).id(), 1, true, Phase.MAP, 5_000));
        assertThat(task.only().isToBeAsked(14_000)).isFalse();
        assertThat(task.only().isToBeAsked(14_001)).isTrue();
    }

    @Test
    void whateverElseHappensItIsToBeLookedAt() {
        task.found(attempt(0), task.events());
        task.changed();
        assertThat(task.only()).isNull();
        task.found(attempt(0), task.events());
        task.needs(1);
        assertThat(task.only()).isNull();
        assertThat(task.neededContainers()).isOne();
        task.found(attempt(0), task.events());
        report(1, 5_000);
        assertThat(task.only()).isNull();
    }

    @Test
    void aLookDuringWhichSomethingHappensFindsNothing() {
        int before = task.events();
        report(0, 5_000);
        task.found(attempt(0), before);
        assertThat(task.only()).isNull();
    }
}
