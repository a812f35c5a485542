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
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.apache.hadoop.mapreduce.Counters;
import org.apache.hadoop.mapreduce.TaskCounter;
import org.apache.hadoop.mapreduce.counters.LimitExceededException;
import org.apache.hadoop.mapreduce.v2.api.records.JobId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskState;
import org.apache.hadoop.mapreduce.v2.api.records.TaskType;
import org.apache.hadoop.mapreduce.v2.app.job.Job;
import org.apache.hadoop.mapreduce.v2.app.job.Task;
import org.apache.hadoop.mapreduce.v2.app.job.event.JobEvent;
import org.apache.hadoop.mapreduce.v2.app.job.event.JobEventType;
import org.apache.hadoop.mapreduce.v2.util.MRBuilderUtils;
import org.apache.hadoop.yarn.event.Event;
import org.junit.jupiter.api.Test;

/** When our counters are added to a job that may have 120 (Hadoop's default). */
class SpareCountersTest {
    private static final JobId ID = MRBuilderUtils.newJobId(1, 1, 1);

    private final Map<TaskId, Task> tasks = new LinkedHashMap<>();
    private final AtomicInteger lookedAt = new AtomicInteger();
    private final List<Event<?>> handled = new ArrayList<>();
    private final Job job = mock(Job.class);
    private final SpareCounters counters = new SpareCounters(handled::add);

    @Test
    void areAddedAtOnceWhereAJobHasFew() {
        jobOf(3, 30);

        tell(CloneCounter.CLONES_ORDERED);

        assertThat(handled).hasSize(1);
        verify(job, never()).getAllCounters();
    }

    @Test
    void waitForAllTasksWhereAJobHasMore() {
        jobOf(3, 31);

        tell(CloneCounter.CLONES_ORDERED);
        assertThat(handled).isEmpty();

        end();
        assertThat(handled).hasSize(2);
    }

    @Test
    void seeAReducesAmongManyMaps() {
        jobOf(1000, 0);
        task(TaskType.REDUCE, 0, 31);

        tell(CloneCounter.CLONES_ORDERED);

        assertThat(handled).isEmpty();
    }

    @Test
    void lookAtFewOfALargeJobsTasks() {
        jobOf(1000, 1);

        tell(CloneCounter.CLONES_ORDERED);

        assertThat(handled).hasSize(1);
        assertThat(lookedAt).hasValueLessThan(100);
    }

    @Test
    void areLeftOutWhereThereIsNoRoom() {
        jobOf(1, 119);

        tell(CloneCounter.CLONES_ORDERED);
        tell(CloneCounter.CLONES_WON);
        end();

        assertThat(handled).hasSize(2); // the event of the task's end, and one of ours
    }

    @Test
    void areLeftOutOfAJobThatHasTooManyWithoutThem() {
        when(job.getAllCounters()).thenThrow(new LimitExceededException("too many"));
        end();

        tell(CloneCounter.CLONES_ORDERED);

        assertThat(handled).hasSize(1);
    }

    private void jobOf(int maps, int names) {
        IntStream.range(0, maps).forEach(number -> task(TaskType.MAP, number, names));
        when(job.getTasks()).thenReturn(tasks);
        when(job.getAllCounters()).thenAnswer(call -> counters(names));
    }

    private void task(TaskType type, int number, int names) {
        Task task = mock(Task.class);
        when(task.getType()).thenReturn(type);
        when(task.getState()).thenReturn(TaskState.RUNNING);
        when(task.getCounters())
                .thenAnswer(
                        call -> {
                            lookedAt.incrementAndGet();
                            return counters(names);
                        });
        tasks.put(MRBuilderUtils.newTaskId(ID, number, type), task);
    }

    /** Some of the user's own, beside Hadoop's, which don't count. */
    private static Counters counters(int names) {
        Counters some = new Counters();
        for (TaskCounter own : TaskCounter.values()) {
            some.findCounter(own).increment(1);
        }
        IntStream.range(0, names)
                .forEach(name -> some.findCounter("group", "name" + name).increment(1));
        return some;
    }

    private void tell(CloneCounter counter) {
        counters.handle(new CloneCounterEvent(ID, counter, 1), job);
    }

    private void end() {
        counters.handle(new JobEvent(ID, JobEventType.JOB_TASK_COMPLETED), job);
    }
}
