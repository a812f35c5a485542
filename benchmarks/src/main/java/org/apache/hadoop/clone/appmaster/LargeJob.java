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

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.clone.speculate.LatencyLog;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.Counters;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.v2.api.records.Phase;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptState;
import org.apache.hadoop.mapreduce.v2.api.records.TaskType;
import org.apache.hadoop.mapreduce.v2.app.job.Job;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskAttemptEventType;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskAttemptStatusUpdateEvent;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskAttemptStatusUpdateEvent.TaskAttemptStatus;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskEvent;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskEventType;
import org.apache.hadoop.mapreduce.v2.util.MRBuilderUtils;

/**
 * A large job in the last of its waves, in a process of its own: nine of ten maps have ended, the
 * others and all reduces run, and some maps straggle. Half of those have a backup that runs, and
 * half have asked for one. While it is measured, running tasks report as often as they do by
 * default, and backups are asked for, refused, granted, and win.
 */
public final class LargeJob {
    /** Of an attempt, and so of all that have ended. */
    private static final long ATTEMPT_MILLIS = 600_000;

    private static final double STRAGGLING = 0.2;
    private static final long REPORT_MILLIS = 6_000;
    private static final long HEARTBEAT_MILLIS =
            MRJobConfig.DEFAULT_MR_AM_TO_RM_HEARTBEAT_INTERVAL_MS;
    private static final long TICK_MILLIS = 20;
    private static final long LOOK_AGAIN_MILLIS = 500;

    /** Part of the backups that win in a second, and of as many that are asked for. */
    private static final double CHURN = 0.03;

    /** One in so many containers is offered beside the original, and refused by ours. */
    private static final int BESIDE = 5;

    /** Events on their way while the job is made: more only wait, and take memory. */
    private static final int AT_ONCE = 2_000;

    private record Running(TaskAttemptId attempt, Phase phase, long begun, double speed) {}

    private final JobClock clock = new JobClock();
    private final LargeApp app;
    private final int maps;
    private final int reduces;
    private final int nodes;
    private final int backups;
    private Job job;
    private final List<Running> running = new ArrayList<>();
    private int straggler;
    private int reported;

    private LargeJob(boolean clones, int maps, int reduces, int nodes, int backups) {
        this.maps = maps;
        this.reduces = reduces;
        this.nodes = nodes;
        this.backups = backups;
        app = new LargeApp(clones, maps, reduces, clock);
    }

    /** No name: what has one is looked up at every launch. */
    private String host(int index) {
        int node = index % nodes;
        return "10.1." + node / 250 + "." + node % 250;
    }

    private TaskAttemptId attempt(TaskType kind, int index, int number) {
        return MRBuilderUtils.newTaskAttemptId(
                MRBuilderUtils.newTaskId(job.getID(), index, kind), number);
    }

    private void make() throws Exception {
        Configuration conf = new Configuration();
        // Whatever speculators find, what is begun again is the same on both sides.
        conf.setInt(MRJobConfig.SPECULATIVE_MINIMUM_ALLOWED_TASKS, 0);
        conf.setDouble(MRJobConfig.SPECULATIVECAP_TOTAL_TASKS, 0);
        conf.setDouble(MRJobConfig.SPECULATIVECAP_RUNNING_TASKS, 0);
        job = app.submit(conf, true, true);
        await(() -> app.requested.size() == maps + reduces);
        app.requested.clear();
        int ended = maps - maps / 10;
        launch(TaskType.MAP, 0, ended);
        clock.putForward(ATTEMPT_MILLIS);
        for (int map = 0; map < ended; map++) {
            succeed(attempt(TaskType.MAP, map, 0));
            int soFar = map - AT_ONCE;
            await(() -> job.getCompletedMaps() >= soFar);
        }
        await(() -> job.getCompletedMaps() == ended);
        launch(TaskType.MAP, ended, maps);
        launch(TaskType.REDUCE, 0, reduces);
        for (int map = ended; map < maps; map++) {
            run(TaskType.MAP, map, map - ended < 2 * backups ? STRAGGLING : 1);
        }
        for (int reduce = 0; reduce < reduces; reduce++) {
            run(TaskType.REDUCE, reduce, 1);
        }
        clock.putForward(ATTEMPT_MILLIS / 2);
        report(running.size());
        straggler = ended;
        for (int i = 0; i < backups; i++) {
            backUp();
        }
        await(() -> app.requested.size() == backups);
        for (int i = 0; i < backups / 2; i++) {
            grant(false);
        }
        await(() -> app.launched.size() == backups / 2);
        app.wakeSpeculator();
    }

    private void launch(TaskType kind, int from, int to) throws Exception {
        for (int index = from; index < to; index++) {
            app.grant(attempt(kind, index, 0), host(index));
            int soFar = index - from - AT_ONCE;
            await(() -> app.launched.size() >= soFar);
        }
        await(() -> app.launched.size() == to - from && isRunning(attempt(kind, to - 1, 0)));
        app.launched.clear();
    }

    private boolean isRunning(TaskAttemptId id) {
        return job.getTask(id.getTaskId()).getAttempt(id).getState() == TaskAttemptState.RUNNING;
    }

    private void run(TaskType kind, int index, double speed) {
        TaskAttemptId attempt = attempt(kind, index, 0);
        Phase phase = kind == TaskType.MAP ? Phase.MAP : Phase.SHUFFLE;
        running.add(new Running(attempt, phase, clock.getTime(), speed));
        app.await(attempt);
    }

    /** The next so many do. */
    private void report(int count) {
        for (int i = 0; i < count; i++) {
            Running one = running.get(reported++ % running.size());
            if (isRunning(one.attempt)) {
                report(
                        one.attempt,
                        one.phase,
                        one.speed * (clock.getTime() - one.begun) / ATTEMPT_MILLIS);
            }
        }
    }

    private void report(TaskAttemptId attempt, Phase phase, double progress) {
        TaskAttemptStatus status = new TaskAttemptStatus();
        status.id = attempt;
        status.phase = phase;
        status.progress = (float) progress;
        status.stateString = "";
        status.counters = new Counters();
        app.send(new TaskAttemptStatusUpdateEvent(attempt, new AtomicReference<>(status)));
    }

    private void succeed(TaskAttemptId attempt) {
        report(attempt, Phase.MAP, 1);
        app.tell(attempt, TaskAttemptEventType.TA_DONE);
        app.tell(attempt, TaskAttemptEventType.TA_CONTAINER_COMPLETED);
    }

    /** Another straggler's backup is ordered. */
    private void backUp() {
        if (straggler < maps) {
            TaskAttemptId original = attempt(TaskType.MAP, straggler++, 0);
            app.send(new TaskEvent(original.getTaskId(), TaskEventType.T_ADD_SPEC_ATTEMPT));
        }
    }

    /** The backup that has waited longest gets a container. */
    private void grant(boolean besideOriginal) {
        TaskAttemptId backup = app.requested.poll();
        if (backup != null) {
            int original = backup.getTaskId().getId();
            app.grant(backup, host(besideOriginal ? original : original + nodes / 2));
        }
    }

    /** The backup that has run longest is done. */
    private void win() {
        TaskAttemptId backup = app.launched.poll();
        if (backup != null) {
            succeed(backup);
        }
    }

    private void window(long millis) throws InterruptedException {
        clock.run();
        long begun = System.nanoTime();
        long ticks = millis / TICK_MILLIS;
        long reports = 0;
        long churned = 0;
        for (long tick = 1; tick <= ticks; tick++) {
            long now = tick * TICK_MILLIS;
            long due = running.size() * now / REPORT_MILLIS;
            report((int) (due - reports));
            reports = due;
            long churn = (long) (CHURN * backups * now / 1000);
            for (; churned < churn; churned++) {
                backUp();
                grant(churned % BESIDE == 0);
                win();
            }
            if (now % HEARTBEAT_MILLIS == 0) {
                app.heartbeats.increment();
            }
            if (now % LOOK_AGAIN_MILLIS == 0) {
                app.tick();
            }
            long left = begun + TimeUnit.MILLISECONDS.toNanos(now) - System.nanoTime();
            TimeUnit.NANOSECONDS.sleep(left);
        }
        clock.stand();
    }

    private static void await(BooleanSupplier condition) throws InterruptedException {
        while (!condition.getAsBoolean()) {
            TimeUnit.MILLISECONDS.sleep(1);
        }
    }

    /** Numbers, as {@link Measured} has them. */
    private String measured(long millis) throws InterruptedException {
        List<LatencyLog> logs = List.of(app.events, app.placements, app.looks, app.yieldLooks);
        logs.forEach(LatencyLog::open);
        app.heartbeats.reset();
        long cpu = cpuNanos();
        window(millis);
        logs.forEach(LatencyLog::close);
        double seconds = millis / 1e3;
        return String.join(
                " ",
                Double.toString(app.events.p99()),
                Double.toString(app.placements.p99()),
                Double.toString(app.looks.p99()),
                Double.toString(app.yieldLooks.p99()),
                Double.toString((cpuNanos() - cpu) / 1e6 / seconds),
                Double.toString(app.heartbeats.sum() / seconds));
    }

    private static long liveHeapBytes() {
        System.gc();
        System.gc();
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }

    /** Of Java's own threads: what the compilers take in the first minutes would hide the rest. */
    private static long cpuNanos() {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        return Arrays.stream(threads.getAllThreadIds()).map(threads::getThreadCpuTime).sum();
    }

    /**
     * CLONES MAPS REDUCES NODES BACKUPS: says {@code ready}, and answers each line of its input:
     * {@code window MILLIS} with p99 of events, of those that place backups, of looks, and of looks
     * for reduces that are to give way, in milliseconds, CPU milliseconds in a second, and
     * heartbeats in a second; {@code heap} with bytes.
     */
    public static void main(String[] arguments) throws Exception {
        PrintStream answers = System.out;
        System.setOut(System.err);
        LargeJob large =
                new LargeJob(
                        Boolean.parseBoolean(arguments[0]),
                        Integer.parseInt(arguments[1]),
                        Integer.parseInt(arguments[2]),
                        Integer.parseInt(arguments[3]),
                        Integer.parseInt(arguments[4]));
        large.make();
        answers.println("ready");
        serve(large, answers);
        Runtime.getRuntime().halt(0); // nothing is to be ended in order
    }

    private static void serve(LargeJob large, PrintStream answers)
            throws IOException, InterruptedException {
        BufferedReader questions =
                new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = questions.readLine(); line != null; line = questions.readLine()) {
            String[] words = line.split(" ");
            answers.println(
                    words[0].equals("heap")
                            ? Long.toString(liveHeapBytes())
                            : large.measured(Long.parseLong(words[1])));
        }
    }
}
