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

import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.clone.speculate.CloneSpeculator;
import org.apache.hadoop.clone.speculate.SecondAttemptKill;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.Counters;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.v2.api.records.JobState;
import org.apache.hadoop.mapreduce.v2.api.records.Phase;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptState;
import org.apache.hadoop.mapreduce.v2.api.records.TaskState;
import org.apache.hadoop.mapreduce.v2.api.records.TaskType;
import org.apache.hadoop.mapreduce.v2.app.AppContext;
import org.apache.hadoop.mapreduce.v2.app.job.Job;
import org.apache.hadoop.mapreduce.v2.app.job.Task;
import org.apache.hadoop.mapreduce.v2.app.job.TaskAttempt;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskAttemptEventType;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskAttemptKillEvent;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskAttemptStatusUpdateEvent;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskAttemptStatusUpdateEvent.TaskAttemptStatus;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskAttemptTooManyFetchFailureEvent;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskEvent;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskEventType;
import org.apache.hadoop.mapreduce.v2.app.speculate.Speculator;
import org.apache.hadoop.mapreduce.v2.util.MRBuilderUtils;
import org.apache.hadoop.yarn.util.Clock;
import org.apache.hadoop.yarn.util.SystemClock;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A second attempt is to end in favour of another, in Hadoop's real state machines: its job loses
 * nothing by that, whenever it comes.
 */
@Timeout(180)
class SecondAttemptKillTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int MAPS = 8;
    private static final long REPORT_MILLIS = 3_000;
    private static final double EACH_REPORT = 0.05;

    private CloningApp app;
    private Job job;
    private Task task;
    private TaskAttemptId first;
    private TaskAttemptId second;

    @AfterEach
    void stop() {
        app.stop();
    }

    private static ConditionFactory await() {
        return Awaitility.await().atMost(PATIENCE).pollInterval(Duration.ofMillis(10));
    }

    private void startWithSecond() throws Exception {
        startWithSecond(0);
    }

    private void startWithSecond(int reduces) throws Exception {
        app =
                new CloningApp(
                        1,
                        reduces,
                        SystemClock.getInstance(),
                        getClass().getSimpleName(),
                        "h1",
                        "h2",
                        "h3");
        submit(new Configuration(), false);
        task = job.getTasks(TaskType.MAP).values().iterator().next();
        first = last();
        awaitRunning(first);
        await().until(task::getState, TaskState.RUNNING::equals);
        app.send(new TaskEvent(task.getID(), TaskEventType.T_ADD_SPEC_ATTEMPT));
        second = next(1);
    }

    private void submit(Configuration conf, boolean speculative) throws Exception {
        job = app.submit(conf, speculative, false);
        await().until(job::getState, JobState.RUNNING::equals);
        await().until(
                        () ->
                                job.getTasks().values().stream()
                                        .allMatch(one -> !one.getAttempts().isEmpty()));
    }

    private TaskAttemptId last() {
        return task.getAttempts().keySet().stream().max(Comparator.naturalOrder()).orElseThrow();
    }

    /** The task's attempt after so many, once it runs. */
    private TaskAttemptId next(int before) {
        await().until(() -> task.getAttempts().size() == before + 1);
        TaskAttemptId attempt = last();
        awaitRunning(attempt);
        return attempt;
    }

    private void awaitRunning(TaskAttemptId attempt) {
        await().until(() -> state(attempt) == TaskAttemptState.RUNNING);
    }

    private TaskAttemptState state(TaskAttemptId attempt) {
        return job.getTask(attempt.getTaskId()).getAttempt(attempt).getState();
    }

    private void succeed(TaskAttemptId attempt) {
        app.tell(attempt, TaskAttemptEventType.TA_DONE);
        app.tell(attempt, TaskAttemptEventType.TA_CONTAINER_COMPLETED);
    }

    private void assertSucceeded(int attempts) {
        await().until(job::getState, JobState.SUCCEEDED::equals);
        assertThat(job.getCompletedMaps()).isEqualTo(job.getTotalMaps());
        assertThat(task.getAttempts()).hasSize(attempts);
        assertThat(task.getAttempts().values())
                .extracting(TaskAttempt::getState)
                .doesNotContain(TaskAttemptState.FAILED)
                .containsOnlyOnce(TaskAttemptState.SUCCEEDED);
    }

    @Test
    void hadoopBeginsAnotherInItsPlace() throws Exception {
        startWithSecond();
        app.send(new SecondAttemptKill(second));
        TaskAttemptId third = next(2);
        assertThat(state(second)).isEqualTo(TaskAttemptState.KILLED);
        assertThat(state(first)).isEqualTo(TaskAttemptState.RUNNING);
        succeed(third);
        assertSucceeded(3);
    }

    /** More often than {@code mapreduce.map.maxattempts}: nothing of that is a failure. */
    @Test
    void itMayHappenAsOftenAsOneLikes() throws Exception {
        startWithSecond();
        for (int before = 2; before <= 8; before++) {
            app.send(new SecondAttemptKill(second));
            second = next(before);
        }
        assertThat(job.getState()).isEqualTo(JobState.RUNNING);
        succeed(first);
        assertSucceeded(9);
    }

    /** Stock's kill would take back what the map has done, which reduces still need. */
    @Test
    void oneThatHasSucceededMeanwhileStays() throws Exception {
        startWithSecond(1);
        app.tell(second, TaskAttemptEventType.TA_DONE);
        app.send(new SecondAttemptKill(second));
        app.tell(second, TaskAttemptEventType.TA_CONTAINER_COMPLETED);
        Task reduce = job.getTasks(TaskType.REDUCE).values().iterator().next();
        TaskAttemptId only = reduce.getAttempts().keySet().iterator().next();
        awaitRunning(only);
        succeed(only);
        assertSucceeded(2);
        assertThat(state(second)).isEqualTo(TaskAttemptState.SUCCEEDED);
    }

    @Test
    void oneThatCommitsGoesOn() throws Exception {
        startWithSecond();
        app.tell(second, TaskAttemptEventType.TA_COMMIT_PENDING);
        app.send(new SecondAttemptKill(second));
        await().until(() -> task.canCommit(second));
        succeed(second);
        assertSucceeded(2);
    }

    @Test
    void theFirstAttemptIsNeverKilled() throws Exception {
        startWithSecond();
        app.send(new SecondAttemptKill(first));
        succeed(first);
        assertSucceeded(2);
        assertThat(state(first)).isEqualTo(TaskAttemptState.SUCCEEDED);
    }

    @Test
    void oneThatIsAloneByNowGoesOn() throws Exception {
        startWithSecond();
        app.tell(first, TaskAttemptEventType.TA_CONTAINER_COMPLETED);
        await().until(() -> state(first) == TaskAttemptState.FAILED);
        app.send(new SecondAttemptKill(second));
        succeed(second);
        await().until(job::getState, JobState.SUCCEEDED::equals);
        assertThat(task.getAttempts()).hasSize(2);
    }

    /**
     * As SpillService does where spills are lost with a node; reduces may have missed them before.
     */
    @Test
    void oneThatIsKilledAsItHasSucceededMayBeBlamedAsWell() throws Exception {
        startWithSecond(1);
        app.tell(second, TaskAttemptEventType.TA_DONE);
        await().until(() -> state(second) == TaskAttemptState.SUCCEEDED);
        app.send(new TaskAttemptKillEvent(second, "Spills of it are lost with a node", true));
        await().until(
                        () -> {
                            app.send(new TaskAttemptTooManyFetchFailureEvent(second, null, null));
                            return task.getAttempts().size() == 3;
                        });
        TaskAttemptId third = next(2);
        succeed(third);
        Task reduce = job.getTasks(TaskType.REDUCE).values().iterator().next();
        TaskAttemptId only = reduce.getAttempts().keySet().iterator().next();
        awaitRunning(only);
        succeed(only);
        assertSucceeded(3);
    }

    // --- with the real speculator ---

    /** A job whose speculator is the AppMaster's, in a time of its own. */
    private static final class SpeculatingApp extends CloningApp {
        SpeculatingApp(Clock clock, String... hosts) {
            super(MAPS, 0, clock, SpeculatingApp.class.getSimpleName(), hosts);
        }

        @Override
        protected Speculator createSpeculator(Configuration conf, AppContext context) {
            return new CloneSpeculator(conf, context, coordinator(context));
        }
    }

    private void report(TaskAttemptId attempt, double progress) {
        TaskAttemptStatus status = new TaskAttemptStatus();
        status.id = attempt;
        status.phase = Phase.MAP;
        status.taskState = TaskAttemptState.RUNNING;
        status.stateString = "map";
        status.progress = (float) progress;
        status.counters = new Counters();
        app.send(new TaskAttemptStatusUpdateEvent(attempt, new AtomicReference<>(status)));
        await().until(
                        () ->
                                state(attempt) != TaskAttemptState.RUNNING
                                        || job.getTask(attempt.getTaskId())
                                                        .getAttempt(attempt)
                                                        .getProgress()
                                                >= status.progress);
    }

    /** How far each attempt of the task is, which gets on at its pace. */
    private final class Paces {
        private final AtomicLong clock;
        private final double[] progress = new double[3];

        Paces(AtomicLong clock) {
            this.clock = clock;
        }

        /** A report's time passes. */
        void pass(double... paces) {
            clock.addAndGet(REPORT_MILLIS);
            for (int i = 0; i < paces.length; i++) {
                TaskAttemptId attempt = MRBuilderUtils.newTaskAttemptId(task.getID(), i);
                if (task.getAttempt(attempt) != null
                        && state(attempt) == TaskAttemptState.RUNNING) {
                    progress[i] += paces[i] * EACH_REPORT;
                    report(attempt, progress[i]);
                }
            }
        }
    }

    /**
     * The last of eight maps gets on at a tenth of the others' pace, and so does the attempt that
     * the speculator begins beside it. The next one is as quick as the others were.
     */
    @Test
    void aSecondAttemptThatStragglesIsReplacedAndTheJobSucceeds() throws Exception {
        AtomicLong clock = new AtomicLong(1_000_000);
        app = new SpeculatingApp(clock::get, "h1", "h2", "h3", "h4");
        Configuration conf = new Configuration();
        conf.setLong(MRJobConfig.SPECULATIVE_RETRY_AFTER_NO_SPECULATE, 20);
        conf.setLong(MRJobConfig.TASK_PROGRESS_REPORT_INTERVAL, REPORT_MILLIS);
        submit(conf, true);
        List<Task> others = List.copyOf(job.getTasks().values()).subList(0, MAPS - 1);
        task = List.copyOf(job.getTasks().values()).get(MAPS - 1);
        first = last();
        job.getTasks()
                .values()
                .forEach(one -> awaitRunning(one.getAttempts().keySet().iterator().next()));
        Paces paces = new Paces(clock);
        for (int done = 1; done < 20; done++) {
            paces.pass(0.1, 0.1);
            for (Task other : others) {
                report(other.getAttempts().keySet().iterator().next(), done * EACH_REPORT);
            }
        }
        others.forEach(other -> succeed(other.getAttempts().keySet().iterator().next()));
        await().until(() -> job.getCompletedMaps() == MAPS - 1);

        await().until(
                        () -> {
                            paces.pass(0.1, 0.1);
                            return task.getAttempts().size() == 3;
                        });
        second = MRBuilderUtils.newTaskAttemptId(task.getID(), 1);
        assertThat(state(second)).isEqualTo(TaskAttemptState.KILLED);
        assertThat(state(first)).isEqualTo(TaskAttemptState.RUNNING);
        TaskAttemptId third = next(2);
        for (int done = 1; done < 20; done++) {
            paces.pass(0.1, 0.1, 1);
        }
        succeed(third);
        assertSucceeded(3);
        assertThat(state(third)).isEqualTo(TaskAttemptState.SUCCEEDED);
    }
}
