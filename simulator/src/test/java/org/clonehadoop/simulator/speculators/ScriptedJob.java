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
package org.clonehadoop.simulator.speculators;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.clone.score.CloneCosts;
import org.apache.hadoop.clone.score.CloneScore;
import org.apache.hadoop.clone.speculate.Cloner;
import org.apache.hadoop.mapreduce.v2.api.records.JobId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptState;
import org.apache.hadoop.mapreduce.v2.api.records.TaskId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskState;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskAttemptStatusUpdateEvent.TaskAttemptStatus;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskEvent;
import org.apache.hadoop.mapreduce.v2.app.speculate.SpeculatorEvent;
import org.apache.hadoop.mapreduce.v2.util.MRApps;
import org.apache.hadoop.mapreduce.v2.util.MRBuilderUtils;
import org.clonehadoop.benchmarks.feed.MirrorAttempt;
import org.clonehadoop.benchmarks.feed.MirrorContext;
import org.clonehadoop.benchmarks.feed.MirrorJob;
import org.clonehadoop.benchmarks.feed.Names;
import org.clonehadoop.benchmarks.feed.PinnedClock;

/** A job of maps whose course a test writes, with its clock. Times are in milliseconds. */
final class ScriptedJob implements Cloner {
    /** Who is told what happens. */
    interface Told {
        void handle(SpeculatorEvent event);
    }

    /** When there is a job; an estimator takes a start at 0 for none. */
    static final long BEGIN = 1_000_000;

    /** β is 1.2, a JVM takes 15 s, and data 10 s for a GB. */
    private static final CloneCosts COSTS = new CloneCosts(1.2, 15_000, 100_000);

    /** As {@code 30000 NEW m_000002}. */
    final List<String> orders = new ArrayList<>();

    final Map<TaskAttemptId, CloneScore> scores = new HashMap<>();
    final Set<String> uncloneable = new TreeSet<>();
    final Set<String> beingCloned = new TreeSet<>();
    long cloneBytes;

    private final JobId id = MRApps.toJobID("job_1700000000000_0001");
    private final PinnedClock clock = new PinnedClock();
    private final MirrorJob job;
    final MirrorContext context;
    private long now;

    ScriptedJob(int maps) {
        at(BEGIN);
        job = new MirrorJob(id, maps, 0);
        context =
                new MirrorContext(
                        clock, event -> note("NEW", Names.of(((TaskEvent) event).getTaskID())));
        context.setJob(job);
    }

    private synchronized void note(String kind, String target) {
        orders.add(now + " " + kind + " " + target);
    }

    synchronized void at(long millis) {
        now = millis;
        clock.pin(millis);
    }

    MirrorAttempt attempt(int map) {
        TaskAttemptId attempt = Names.attempt(id, String.format("m_%06d_0", map));
        return job.getTask(attempt.getTaskId()).attempt(attempt);
    }

    void begin(Told told) {
        told.handle(new SpeculatorEvent(id, now));
    }

    /** On a host of its own. */
    void start(int map, Told told) {
        TaskId task = attempt(map).getID().getTaskId();
        told.handle(new SpeculatorEvent(task, 1));
        told.handle(new SpeculatorEvent(task, -1));
        attempt(map).setHost("h" + map);
        attempt(map).setLaunchTime(now);
        attempt(map).setState(TaskAttemptState.RUNNING);
        job.getTask(task).setState(TaskState.RUNNING);
        told.handle(new SpeculatorEvent(attempt(map).getID(), true, now));
    }

    /** Of all tasks that were ordered anew, on a host more. */
    void startWhatIsOrdered(Told told) {
        for (String order : orders) {
            TaskId task = Names.task(id, order.substring(order.lastIndexOf(' ') + 1));
            TaskAttemptId second = MRBuilderUtils.newTaskAttemptId(task, 1);
            if (job.getTask(task).getAttempt(second) == null) {
                MirrorAttempt attempt = job.getTask(task).attempt(second);
                attempt.setHost("another");
                attempt.setLaunchTime(now);
                attempt.setState(TaskAttemptState.RUNNING);
                told.handle(new SpeculatorEvent(second, true, now));
            }
        }
    }

    void report(int map, double progress, Told told) {
        attempt(map).setProgress((float) progress);
        told.handle(new SpeculatorEvent(status(map, TaskAttemptState.RUNNING), now));
    }

    void succeed(int map, Told told) {
        TaskAttemptStatus last = status(map, TaskAttemptState.RUNNING);
        last.progress = 1;
        attempt(map).setProgress(1);
        attempt(map).setState(TaskAttemptState.SUCCEEDED);
        attempt(map).setFinishTime(now);
        job.getTask(attempt(map).getID().getTaskId()).setState(TaskState.SUCCEEDED);
        job.setCompletedMaps(job.getCompletedMaps() + 1);
        last.taskState = TaskAttemptState.SUCCEEDED;
        told.handle(new SpeculatorEvent(last, now));
    }

    private TaskAttemptStatus status(int map, TaskAttemptState state) {
        TaskAttemptStatus status = new TaskAttemptStatus();
        status.id = attempt(map).getID();
        status.progress = attempt(map).getProgress();
        status.phase = attempt(map).getPhase();
        status.taskState = state;
        return status;
    }

    // --- its clones ---

    @Override
    public Optional<String> obstacle(TaskAttemptId attempt) {
        return uncloneable.contains(Names.of(attempt)) ? Optional.of("a test's") : Optional.empty();
    }

    @Override
    public boolean isBeingCloned(TaskAttemptId attempt) {
        return beingCloned.contains(Names.of(attempt));
    }

    @Override
    public Optional<Long> cloneBytes(TaskAttemptId attempt) {
        return Optional.of(cloneBytes);
    }

    @Override
    public CloneCosts costs() {
        return COSTS;
    }

    @Override
    public Optional<TaskAttemptId> originalOf(TaskAttemptId attempt) {
        return Optional.empty();
    }

    @Override
    public void clone(TaskAttemptId original, CloneScore score) {
        scores.put(original, score);
        note("CLONE", Names.of(original));
    }
}
