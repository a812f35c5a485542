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
package org.clonehadoop.simulator.replay;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.clone.score.CloneCosts;
import org.apache.hadoop.clone.score.CloneScore;
import org.apache.hadoop.clone.speculate.Cloner;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.v2.api.records.JobId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptState;
import org.apache.hadoop.mapreduce.v2.api.records.TaskId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskState;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskAttemptStatusUpdateEvent.TaskAttemptStatus;
import org.apache.hadoop.mapreduce.v2.app.speculate.SpeculatorEvent;
import org.apache.hadoop.mapreduce.v2.util.MRApps;
import org.apache.hadoop.yarn.event.Event;
import org.clonehadoop.benchmarks.feed.FeedCounter;
import org.clonehadoop.benchmarks.feed.MirrorAttempt;
import org.clonehadoop.benchmarks.feed.MirrorContext;
import org.clonehadoop.benchmarks.feed.MirrorJob;
import org.clonehadoop.benchmarks.feed.Names;
import org.clonehadoop.benchmarks.feed.PinnedClock;
import org.clonehadoop.benchmarks.feed.RecordingSpeculator;

/** A job of maps in an AppMaster whose speculator is recorded. Times are in milliseconds. */
final class RecordedJob implements Cloner {
    private static final long BEGIN = 1_000_000;

    final List<Event<?>> started = new ArrayList<>();
    final List<TaskAttemptId> cloned = new ArrayList<>();
    Optional<String> obstacle = Optional.empty();
    double leastMillis;

    private final JobId id = MRApps.toJobID("job_1700000000000_0001");
    private final PinnedClock clock = new PinnedClock();
    private final MirrorJob job;
    private final RecordingSpeculator speculator;
    private long now = BEGIN;

    RecordedJob(int maps, Path feed) throws IOException {
        clock.pin(now);
        job = new MirrorJob(id, maps, 0);
        MirrorContext context = new MirrorContext(clock, event -> started.add(event));
        context.setJob(job);
        Configuration conf = new Configuration(false);
        speculator = new RecordingSpeculator(conf, context, this, Files.newOutputStream(feed));
        speculator.init(conf);
        speculator.handle(new SpeculatorEvent(id, now));
    }

    void pass(long millis) {
        now += millis;
        clock.pin(now);
    }

    void start(int map) {
        TaskId task = Names.task(id, String.format("m_%06d", map));
        TaskAttemptId attempt = attempt(map).getID();
        speculator.handle(new SpeculatorEvent(task, 1));
        speculator.handle(new SpeculatorEvent(task, -1));
        attempt(map).setHost("h" + map);
        attempt(map).setState(TaskAttemptState.RUNNING);
        attempt(map).setLaunchTime(now);
        job.getTask(task).setState(TaskState.RUNNING);
        speculator.handle(new SpeculatorEvent(attempt, true, now));
    }

    private MirrorAttempt attempt(int map) {
        TaskAttemptId attempt = Names.attempt(id, String.format("m_%06d_0", map));
        return job.getTask(attempt.getTaskId()).attempt(attempt);
    }

    void report(int map, double progress) {
        attempt(map).setProgress((float) progress);
        FeedCounter.MAP_INPUT_RECORDS.set(attempt(map).getCounters(), Math.round(1000 * progress));
        report(map);
    }

    void succeed(int map) {
        attempt(map).setProgress(1);
        attempt(map).setState(TaskAttemptState.SUCCEEDED);
        attempt(map).setFinishTime(now);
        job.getTask(attempt(map).getID().getTaskId()).setState(TaskState.SUCCEEDED);
        job.setCompletedMaps(job.getCompletedMaps() + 1);
        report(map);
    }

    private void report(int map) {
        TaskAttemptStatus status = new TaskAttemptStatus();
        status.id = attempt(map).getID();
        status.progress = attempt(map).getProgress();
        status.phase = attempt(map).getPhase();
        status.taskState = TaskAttemptState.RUNNING;
        speculator.handle(new SpeculatorEvent(status, now));
    }

    void look() {
        speculator.look();
    }

    void end() {
        speculator.stop();
    }

    // --- the AppMaster's cloner ---

    @Override
    public Optional<String> obstacle(TaskAttemptId attempt) {
        return obstacle;
    }

    @Override
    public double leastCloneMillis(TaskAttemptId attempt) {
        return leastMillis;
    }

    @Override
    public boolean isBeingCloned(TaskAttemptId attempt) {
        return cloned.contains(attempt);
    }

    @Override
    public Optional<Long> cloneBytes(TaskAttemptId attempt) {
        return Optional.empty();
    }

    @Override
    public CloneCosts costs() {
        return new CloneCosts(1.2, 1500, 100_000);
    }

    @Override
    public Optional<TaskAttemptId> originalOf(TaskAttemptId attempt) {
        return Optional.empty();
    }

    @Override
    public void clone(TaskAttemptId original, CloneScore score) {
        cloned.add(original);
    }
}
