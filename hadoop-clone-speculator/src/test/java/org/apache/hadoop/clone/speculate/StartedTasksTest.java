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

import java.util.List;
import org.apache.hadoop.clone.conf.CloneKeys;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskState;
import org.apache.hadoop.mapreduce.v2.api.records.TaskType;
import org.apache.hadoop.mapreduce.v2.app.job.Task;
import org.apache.hadoop.mapreduce.v2.app.speculate.Speculator;
import org.junit.jupiter.api.Test;

class StartedTasksTest {
    private final JobFixture job = new JobFixture();
    private final Speculator nobody = speculatorThatIsOff();
    private final StartedTasks started = new StartedTasks();

    private Speculator speculatorThatIsOff() {
        Configuration conf = new Configuration(false);
        conf.set(CloneKeys.MODE, "off");
        return new CloneSpeculator(conf, job.context);
    }

    private Task begin() {
        TaskId id = job.addTask();
        job.start(nobody, id);
        Task task = job.context.getJob(null).getTask(id);
        started.began(task, 0);
        return task;
    }

    private List<Task> maps() {
        return started.of(TaskType.MAP).stream().map(StartedTask::task).toList();
    }

    private static TaskAttemptId attemptOf(Task task) {
        return task.getAttempts().keySet().iterator().next();
    }

    @Test
    void oneThatHasNotEndedIsKept() {
        Task task = begin();
        started.checkOver(task);
        assertThat(maps()).containsExactly(task);
        assertThat(started.of(TaskType.REDUCE)).isEmpty();
    }

    @Test
    void oneThatHasEndedIsForgottenUntilItRunsAgain() {
        Task task = begin();
        job.succeed(nobody, attemptOf(task));
        started.checkOver(task);
        assertThat(maps()).isEmpty();
        started.began(task, 0);
        assertThat(maps()).containsExactly(task);
    }

    @Test
    void oneOfWhichAnAttemptStillRunsIsKept() {
        Task task = begin();
        job.states.put(task.getID(), TaskState.SUCCEEDED);
        started.checkOver(task);
        assertThat(maps()).containsExactly(task);
        job.kill(attemptOf(task));
        started.checkOver(task);
        assertThat(maps()).isEmpty();
    }
}
