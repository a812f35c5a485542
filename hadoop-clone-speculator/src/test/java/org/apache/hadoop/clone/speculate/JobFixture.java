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

import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.lenient;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.withSettings;

import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.mapreduce.Counters;
import org.apache.hadoop.mapreduce.FileSystemCounter;
import org.apache.hadoop.mapreduce.TaskCounter;
import org.apache.hadoop.mapreduce.v2.api.records.JobId;
import org.apache.hadoop.mapreduce.v2.api.records.Phase;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptState;
import org.apache.hadoop.mapreduce.v2.api.records.TaskId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskState;
import org.apache.hadoop.mapreduce.v2.api.records.TaskType;
import org.apache.hadoop.mapreduce.v2.app.AppContext;
import org.apache.hadoop.mapreduce.v2.app.job.Job;
import org.apache.hadoop.mapreduce.v2.app.job.Task;
import org.apache.hadoop.mapreduce.v2.app.job.TaskAttempt;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskAttemptStatusUpdateEvent.TaskAttemptStatus;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskEvent;
import org.apache.hadoop.mapreduce.v2.app.speculate.Speculator;
import org.apache.hadoop.mapreduce.v2.app.speculate.SpeculatorEvent;
import org.apache.hadoop.mapreduce.v2.util.MRBuilderUtils;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.event.Event;
import org.apache.hadoop.yarn.event.EventHandler;
import org.mockito.quality.Strictness;

/**
 * A job as a speculator sees it through the AppMaster's context, with a clock of its own. Times are
 * in milliseconds.
 */
final class JobFixture {
    final AtomicLong now = new AtomicLong(1_000_000);
    final List<TaskEvent> ordered = new CopyOnWriteArrayList<>();

    /** All others that were sent. */
    final List<Event<?>> events = new CopyOnWriteArrayList<>();

    /** How often a task was asked for its attempts. */
    final AtomicInteger asked = new AtomicInteger();

    /** Where the next attempts run. */
    String host = "h1";

    final AppContext context = quiet(AppContext.class);

    private final JobId id = MRBuilderUtils.newJobId(ApplicationId.newInstance(1, 1), 1);
    private final Job job = quiet(Job.class);
    private final Map<TaskType, Map<TaskId, Task>> tasks =
            Map.of(TaskType.MAP, new LinkedHashMap<>(), TaskType.REDUCE, new LinkedHashMap<>());
    private final Map<TaskId, Map<TaskAttemptId, TaskAttempt>> attempts = new HashMap<>();
    private final Map<TaskAttemptId, TaskAttemptStatus> statuses = new HashMap<>();
    private final Map<TaskAttemptId, TaskAttemptState> attemptStates = new HashMap<>();
    final Map<TaskId, TaskState> states = new HashMap<>();
    private final Map<TaskType, Integer> completed =
            new EnumMap<>(Map.of(TaskType.MAP, 0, TaskType.REDUCE, 0));

    JobFixture() {
        lenient().when(context.getClock()).thenReturn(now::get);
        lenient().when(context.getAllJobs()).thenReturn(Map.of(id, job));
        lenient().when(context.getJob(any())).thenReturn(job);
        EventHandler<Event<?>> handler =
                event -> {
                    if (event instanceof TaskEvent order) {
                        ordered.add(order);
                    } else {
                        events.add(event);
                    }
                };
        lenient().doReturn(handler).when(context).getEventHandler();
        lenient().when(job.getID()).thenReturn(id);
        tasks.forEach((kind, its) -> lenient().when(job.getTasks(kind)).thenReturn(its));
        lenient().when(job.getTask(any())).thenAnswer(call -> task(call.<TaskId>getArgument(0)));
        lenient().when(job.getTotalMaps()).thenAnswer(call -> count(TaskType.MAP));
        lenient().when(job.getTotalReduces()).thenAnswer(call -> count(TaskType.REDUCE));
        lenient().when(job.getCompletedMaps()).thenAnswer(call -> completed.get(TaskType.MAP));
        lenient()
                .when(job.getCompletedReduces())
                .thenAnswer(call -> completed.get(TaskType.REDUCE));
    }

    private Task task(TaskId task) {
        return tasks.get(task.getTaskType()).get(task);
    }

    private int count(TaskType kind) {
        return tasks.get(kind).size();
    }

    private static <T> T quiet(Class<T> type) {
        return mock(type, withSettings().strictness(Strictness.LENIENT).stubOnly());
    }

    TaskId addTask() {
        return addTask(TaskType.MAP);
    }

    TaskId addTask(TaskType kind) {
        TaskId task = MRBuilderUtils.newTaskId(id, count(kind), kind);
        Map<TaskAttemptId, TaskAttempt> its = new LinkedHashMap<>();
        Task fake = quiet(Task.class);
        lenient().when(fake.getID()).thenReturn(task);
        lenient().when(fake.getType()).thenReturn(kind);
        lenient().when(fake.getState()).thenAnswer(call -> states.get(task));
        lenient()
                .when(fake.getAttempts())
                .thenAnswer(
                        call -> {
                            asked.incrementAndGet();
                            return its;
                        });
        lenient()
                .when(fake.getAttempt(any()))
                .thenAnswer(call -> its.get(call.<TaskAttemptId>getArgument(0)));
        tasks.get(kind).put(task, fake);
        states.put(task, TaskState.RUNNING);
        attempts.put(task, its);
        return task;
    }

    /** The task's next attempt begins to run now. */
    TaskAttemptId start(Speculator speculator, TaskId task) {
        TaskAttemptId attempt = startWithoutReport(speculator, task);
        report(speculator, attempt, 0);
        return attempt;
    }

    /** As far as its NodeManager knows it runs, but it has said nothing. */
    TaskAttemptId startWithoutReport(Speculator speculator, TaskId task) {
        Map<TaskAttemptId, TaskAttempt> its = attempts.get(task);
        TaskAttemptId attempt = MRBuilderUtils.newTaskAttemptId(task, its.size());
        TaskAttemptStatus status = new TaskAttemptStatus();
        status.id = attempt;
        status.taskState = TaskAttemptState.RUNNING;
        statuses.put(attempt, status);
        attemptStates.put(attempt, status.taskState);
        TaskAttempt fake = quiet(TaskAttempt.class);
        lenient().when(fake.getID()).thenReturn(attempt);
        lenient().when(fake.getState()).thenAnswer(call -> attemptStates.get(attempt));
        lenient().when(fake.getProgress()).thenAnswer(call -> status.progress);
        lenient().when(fake.getPhase()).thenAnswer(call -> status.phase);
        lenient().when(fake.getCounters()).thenAnswer(call -> status.counters);
        lenient().when(fake.getNodeId()).thenReturn(NodeId.newInstance(host, 1));
        status.counters = new Counters();
        its.put(attempt, fake);
        speculator.handle(new SpeculatorEvent(attempt, true, now.get()));
        return attempt;
    }

    TaskAttempt attempt(TaskAttemptId attempt) {
        return attempts.get(attempt.getTaskId()).get(attempt);
    }

    void report(Speculator speculator, TaskAttemptId attempt, double progress) {
        TaskAttemptStatus status = statuses.get(attempt);
        status.progress = (float) progress;
        speculator.handle(new SpeculatorEvent(status, now.get()));
    }

    void wrote(TaskAttemptId attempt, long bytes) {
        statuses.get(attempt)
                .counters
                .findCounter("file", FileSystemCounter.BYTES_WRITTEN)
                .setValue(bytes);
    }

    void holds(TaskAttemptId attempt, long bytes) {
        statuses.get(attempt)
                .counters
                .findCounter(TaskCounter.PHYSICAL_MEMORY_BYTES)
                .setValue(bytes);
    }

    void read(TaskAttemptId attempt, long bytes) {
        statuses.get(attempt)
                .counters
                .findCounter("hdfs", FileSystemCounter.BYTES_READ)
                .setValue(bytes);
    }

    void shuffled(TaskAttemptId attempt, long bytes) {
        statuses.get(attempt)
                .counters
                .findCounter(TaskCounter.REDUCE_SHUFFLE_BYTES)
                .setValue(bytes);
    }

    void succeed(Speculator speculator, TaskAttemptId attempt) {
        // As in Hadoop, the status goes on saying what the last report said.
        attemptStates.put(attempt, TaskAttemptState.SUCCEEDED);
        states.put(attempt.getTaskId(), TaskState.SUCCEEDED);
        completed.merge(attempt.getTaskId().getTaskType(), 1, Integer::sum);
        report(speculator, attempt, 1);
    }

    /** The speculator isn't told of it, as in Hadoop. */
    void kill(TaskAttemptId attempt) {
        attemptStates.put(attempt, TaskAttemptState.KILLED);
    }

    /** The speculator isn't told of that either. */
    void fail(TaskAttemptId attempt) {
        attemptStates.put(attempt, TaskAttemptState.FAILED);
    }

    void waitToCommit(Speculator speculator, TaskAttemptId attempt) {
        attemptStates.put(attempt, TaskAttemptState.COMMIT_PENDING);
        statuses.get(attempt).taskState = TaskAttemptState.COMMIT_PENDING;
        report(speculator, attempt, 1);
    }

    void enters(TaskAttemptId attempt, Phase phase) {
        statuses.get(attempt).phase = phase;
    }

    /** The output of a map that had succeeded is lost; it hasn't begun again. */
    void loseOutput(TaskAttemptId map) {
        kill(map);
        states.put(map.getTaskId(), TaskState.SCHEDULED);
        completed.merge(TaskType.MAP, -1, Integer::sum);
    }

    /** It has been added to its task, and its first event is under way. */
    void addAttempt(TaskId task) {
        Map<TaskAttemptId, TaskAttempt> its = attempts.get(task);
        TaskAttemptId attempt = MRBuilderUtils.newTaskAttemptId(task, its.size());
        TaskAttempt fake = quiet(TaskAttempt.class);
        lenient().when(fake.getID()).thenReturn(attempt);
        lenient().when(fake.getState()).thenReturn(TaskAttemptState.NEW);
        its.put(attempt, fake);
    }

    void needContainers(Speculator speculator, int change) {
        speculator.handle(
                new SpeculatorEvent(tasks.get(TaskType.MAP).keySet().iterator().next(), change));
    }

    void pass(long millis) {
        now.addAndGet(millis);
    }
}
