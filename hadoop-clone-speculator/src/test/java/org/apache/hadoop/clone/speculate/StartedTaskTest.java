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
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import org.apache.hadoop.clone.estimate.Drift;
import org.apache.hadoop.clone.estimate.Slack;
import org.apache.hadoop.mapreduce.v2.api.records.Phase;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskId;
import org.apache.hadoop.mapreduce.v2.app.job.TaskAttempt;
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
        OnlyAttempt reported = new OnlyAttempt(null, attempt(0).id(), 1, true, Phase.MAP, 5_000);
        assertThat(task.known()).isEqualTo(reported);
        assertThat(reported.isToBeAsked(14_000, 9_000)).isFalse();
        assertThat(reported.isToBeAsked(14_001, 9_000)).isTrue();
    }

    @Test
    void whateverElseHappensItIsToBeLookedAt() {
        task.found(attempt(0), task.events());
        task.changed();
        assertThat(task.known()).isNull();
        task.found(attempt(0), task.events());
        task.needs(1);
        assertThat(task.known()).isNull();
        assertThat(task.neededContainers()).isOne();
        task.found(attempt(0), task.events());
        report(1, 5_000);
        assertThat(task.known()).isNull();
    }

    @Test
    void aLookDuringWhichSomethingHappensFindsNothing() {
        int before = task.events();
        report(0, 5_000);
        task.found(attempt(0), before);
        assertThat(task.known()).isNull();
    }

    @Test
    void whatALookHasFoundOfItHoldsUntilItReports() {
        Slack slack = new Slack(1, 9_000, new Drift(0, 0));
        OnlyAttempt before = attempt(0);
        task.found(before, task.events());
        task.learned(before, before.with(slack));
        assertThat(task.known()).isEqualTo(before.with(slack));
        task.recounted();
        assertThat(task.known()).isEqualTo(before);
        report(0, 5_000);
        OnlyAttempt reported = new OnlyAttempt(null, before.id(), 1, true, Phase.MAP, 5_000);
        task.learned(before, before.with(slack));
        assertThat(task.known()).isEqualTo(reported);
    }

    @Test
    void twoThatReportAreStillTwo() {
        task.found(new TwoAttempts(running(0), running(1), 1), task.events());
        int before = task.events();
        report(0, 5_000);
        report(1, 6_000);
        assertThat(task.known()).isInstanceOf(TwoAttempts.class);
        assertThat(task.events()).isGreaterThan(before);
        report(2, 7_000);
        assertThat(task.known()).isNull();
    }

    private TaskAttempt running(int number) {
        TaskAttempt attempt = mock(TaskAttempt.class);
        when(attempt.getID()).thenReturn(MRBuilderUtils.newTaskAttemptId(id, number));
        return attempt;
    }
}
