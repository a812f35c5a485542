package org.apache.hadoop.clone.speculate;

import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.lenient;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.withSettings;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.mapreduce.Counters;
import org.apache.hadoop.mapreduce.FileSystemCounter;
import org.apache.hadoop.mapreduce.v2.api.records.JobId;
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
import org.apache.hadoop.yarn.event.EventHandler;
import org.mockito.quality.Strictness;

/**
 * A job of maps as a speculator sees it through the AppMaster's context, with a clock of its own.
 * Times are in milliseconds.
 */
final class JobFixture {
    final AtomicLong now = new AtomicLong(1_000_000);
    final List<TaskEvent> ordered = new CopyOnWriteArrayList<>();
    final AppContext context = quiet(AppContext.class);

    private final JobId id = MRBuilderUtils.newJobId(ApplicationId.newInstance(1, 1), 1);
    private final Job job = quiet(Job.class);
    private final Map<TaskId, Task> tasks = new LinkedHashMap<>();
    private final Map<TaskId, Map<TaskAttemptId, TaskAttempt>> attempts = new HashMap<>();
    private final Map<TaskAttemptId, TaskAttemptStatus> statuses = new HashMap<>();
    private final Map<TaskAttemptId, TaskAttemptState> attemptStates = new HashMap<>();
    final Map<TaskId, TaskState> states = new HashMap<>();
    private int completed;

    JobFixture() {
        lenient().when(context.getClock()).thenReturn(now::get);
        lenient().when(context.getAllJobs()).thenReturn(Map.of(id, job));
        lenient().when(context.getJob(any())).thenReturn(job);
        EventHandler<TaskEvent> handler = ordered::add;
        lenient().doReturn(handler).when(context).getEventHandler();
        lenient().when(job.getID()).thenReturn(id);
        lenient().when(job.getTasks(TaskType.MAP)).thenReturn(tasks);
        lenient().when(job.getTasks(TaskType.REDUCE)).thenReturn(Map.of());
        lenient()
                .when(job.getTask(any()))
                .thenAnswer(call -> tasks.get(call.<TaskId>getArgument(0)));
        lenient().when(job.getTotalMaps()).thenAnswer(call -> tasks.size());
        lenient().when(job.getCompletedMaps()).thenAnswer(call -> completed);
    }

    private static <T> T quiet(Class<T> type) {
        return mock(type, withSettings().strictness(Strictness.LENIENT).stubOnly());
    }

    TaskId addTask() {
        TaskId task = MRBuilderUtils.newTaskId(id, tasks.size(), TaskType.MAP);
        Map<TaskAttemptId, TaskAttempt> its = new LinkedHashMap<>();
        Task fake = quiet(Task.class);
        lenient().when(fake.getID()).thenReturn(task);
        lenient().when(fake.getType()).thenReturn(TaskType.MAP);
        lenient().when(fake.getState()).thenAnswer(call -> states.get(task));
        lenient().when(fake.getAttempts()).thenReturn(its);
        lenient()
                .when(fake.getAttempt(any()))
                .thenAnswer(call -> its.get(call.<TaskAttemptId>getArgument(0)));
        tasks.put(task, fake);
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
        lenient().when(fake.getCounters()).thenAnswer(call -> status.counters);
        status.counters = new Counters();
        its.put(attempt, fake);
        speculator.handle(new SpeculatorEvent(attempt, true, now.get()));
        return attempt;
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

    void succeed(Speculator speculator, TaskAttemptId attempt) {
        // As in Hadoop, the status goes on saying what the last report said.
        attemptStates.put(attempt, TaskAttemptState.SUCCEEDED);
        completed++;
        report(speculator, attempt, 1);
    }

    /** The speculator isn't told of it, as in Hadoop. */
    void kill(TaskAttemptId attempt) {
        attemptStates.put(attempt, TaskAttemptState.KILLED);
    }

    void waitToCommit(Speculator speculator, TaskAttemptId attempt) {
        attemptStates.put(attempt, TaskAttemptState.COMMIT_PENDING);
        statuses.get(attempt).taskState = TaskAttemptState.COMMIT_PENDING;
        report(speculator, attempt, 1);
    }

    void needContainers(Speculator speculator, int change) {
        speculator.handle(new SpeculatorEvent(tasks.keySet().iterator().next(), change));
    }

    void pass(long millis) {
        now.addAndGet(millis);
    }
}
