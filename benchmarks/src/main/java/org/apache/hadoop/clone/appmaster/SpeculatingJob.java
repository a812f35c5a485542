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

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.clone.speculate.CloneSpeculator;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapred.TaskAttemptID;
import org.apache.hadoop.mapreduce.Counters;
import org.apache.hadoop.mapreduce.TypeConverter;
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
import org.apache.hadoop.mapreduce.v2.app.speculate.DefaultSpeculator;
import org.apache.hadoop.mapreduce.v2.app.speculate.Speculator;
import org.apache.hadoop.mapreduce.v2.app.speculate.SpeculatorEvent;
import org.apache.hadoop.mapreduce.v2.util.MRBuilderUtils;
import org.apache.hadoop.service.AbstractService;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.event.EventHandler;
import org.apache.hadoop.yarn.util.Clock;
import org.apache.hadoop.yarn.util.SystemClock;

/**
 * A speculator at work in a process of its own: a job's maps report their progress as tasks do, and
 * nothing straggles. What isn't the speculator's is stood in for.
 */
public final class SpeculatingJob {
    /** Who is at work. */
    public enum Kind {
        NONE,
        STOCK,
        CLONE
    }

    private static final long REPORT_MILLIS = 3000;
    private static final long WARM_UP_MILLIS = 10_000;
    private static final long WINDOW_MILLIS = 20_000;
    private static final long TICK_MILLIS = 50;

    /** Of a map, so that all are under way in the window. */
    private static final double MAP_MILLIS = 600_000;

    private static final class RunningMap {
        private final TaskAttemptStatus status = new TaskAttemptStatus();
        private long nextReport;
    }

    private final Clock clock = SystemClock.getInstance();
    private final JobId id = MRBuilderUtils.newJobId(ApplicationId.newInstance(1, 1), 1);
    private final Map<TaskId, Task> tasks = new LinkedHashMap<>();
    private final List<RunningMap> maps = new ArrayList<>();
    private final Job job =
            StandIn.of(
                    Job.class,
                    Map.of(
                            "getID", a -> id,
                            "getTasks", a -> a[0] == TaskType.MAP ? tasks : Map.of(),
                            "getTask", a -> tasks.get(a[0]),
                            "getTotalMaps", a -> tasks.size(),
                            "getCompletedMaps", a -> tasks.size() / 10));
    private final AppContext context =
            StandIn.of(
                    AppContext.class,
                    Map.of(
                            "getClock", a -> clock,
                            "getAllJobs", a -> Map.of(id, job),
                            "getJob", a -> job,
                            "getEventHandler", a -> (EventHandler<?>) event -> {}));
    private final Speculator speculator;
    private final long begun = clock.getTime();

    private SpeculatingJob(Kind kind, int count) {
        Configuration conf = new Configuration();
        Orders orders = new Orders();
        speculator =
                switch (kind) {
                    case NONE -> StandIn.of(Speculator.class, Map.of());
                    case STOCK -> new DefaultSpeculator(conf, context);
                    case CLONE ->
                            new CloneSpeculator(
                                    conf,
                                    context,
                                    new CloneCoordinator(
                                            conf,
                                            context,
                                            orders,
                                            new LaunchSecrets(),
                                            CloneSpeculator.configuredCosts(conf)));
                };
        if (speculator instanceof AbstractService service) {
            service.init(conf);
            service.start();
        }
        for (int i = 0; i < count; i++) {
            add(i, i < count / 10, i * REPORT_MILLIS / count);
        }
        if (kind == Kind.CLONE) {
            maps.forEach(map -> orders.ask(wire(map), 0, Long.MAX_VALUE, order -> {}));
        }
    }

    private static TaskAttemptID wire(RunningMap map) {
        return TaskAttemptID.downgrade(TypeConverter.fromYarn(map.status.id));
    }

    /** The first ones are done, so that there is something to compare with. */
    private void add(int index, boolean done, long offsetMillis) {
        TaskId task = MRBuilderUtils.newTaskId(id, index, TaskType.MAP);
        TaskAttemptId attempt = MRBuilderUtils.newTaskAttemptId(task, 0);
        RunningMap map = new RunningMap();
        map.status.id = attempt;
        map.status.taskState = TaskAttemptState.RUNNING;
        map.status.counters = new Counters();
        map.nextReport = begun + offsetMillis;
        TaskAttempt runs =
                StandIn.of(
                        TaskAttempt.class,
                        Map.of(
                                "getID", a -> attempt,
                                "getState", a -> map.status.taskState,
                                "getProgress", a -> map.status.progress,
                                "getCounters", a -> map.status.counters));
        Map<TaskAttemptId, TaskAttempt> attempts = Map.of(attempt, runs);
        tasks.put(
                task,
                StandIn.of(
                        Task.class,
                        Map.of(
                                "getID", a -> task,
                                "getType", a -> TaskType.MAP,
                                "getState", a -> done ? TaskState.SUCCEEDED : TaskState.RUNNING,
                                "getAttempts", a -> attempts,
                                "getAttempt", a -> attempts.get(a[0]))));
        long started = done ? begun - (long) MAP_MILLIS : begun;
        speculator.handle(new SpeculatorEvent(task, 1));
        speculator.handle(new SpeculatorEvent(task, -1));
        speculator.handle(new SpeculatorEvent(attempt, true, started));
        if (done) {
            map.status.taskState = TaskAttemptState.SUCCEEDED;
            map.status.progress = 1;
            speculator.handle(new SpeculatorEvent(map.status, begun));
        } else {
            maps.add(map);
        }
    }

    /** As tasks do, for so long. */
    private void report(long millis) throws InterruptedException {
        long end = clock.getTime() + millis;
        while (clock.getTime() < end) {
            long now = clock.getTime();
            for (RunningMap map : maps) {
                if (map.nextReport <= now) {
                    map.nextReport += REPORT_MILLIS;
                    map.status.progress = (float) ((now - begun) / MAP_MILLIS);
                    speculator.handle(new SpeculatorEvent(map.status, now));
                }
            }
            TimeUnit.MILLISECONDS.sleep(TICK_MILLIS);
        }
    }

    private static long liveHeapBytes() {
        System.gc();
        System.gc();
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }

    /** Of Java's own threads: what the compilers take in the first minute would hide the rest. */
    private static long cpuNanos() {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        return Arrays.stream(threads.getAllThreadIds()).map(threads::getThreadCpuTime).sum();
    }

    /** KIND TASKS FILE: writes bytes of live heap, and CPU milliseconds in a second. */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        SpeculatingJob running =
                new SpeculatingJob(Kind.valueOf(arguments[0]), Integer.parseInt(arguments[1]));
        running.report(WARM_UP_MILLIS);
        long before = cpuNanos();
        running.report(WINDOW_MILLIS);
        double millis = (cpuNanos() - before) / 1e6 / (WINDOW_MILLIS / 1e3);
        long heap = liveHeapBytes();
        Files.write(Path.of(arguments[2]), List.of(Long.toString(heap), Double.toString(millis)));
        System.exit(running.maps.isEmpty() ? 1 : 0);
    }
}
