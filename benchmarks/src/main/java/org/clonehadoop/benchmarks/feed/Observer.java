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
package org.clonehadoop.benchmarks.feed;

import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.hadoop.clone.score.CloneCosts;
import org.apache.hadoop.clone.speculate.Cloner;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptState;
import org.apache.hadoop.mapreduce.v2.app.job.Job;
import org.apache.hadoop.mapreduce.v2.app.job.Task;
import org.apache.hadoop.mapreduce.v2.app.job.TaskAttempt;

/** Finds what is no longer as the mirror has it, and tells it line by line. */
final class Observer {
    private final MirrorContext mirror;
    private final MirrorCloner mirrorCloner;
    private final Cloner cloner;
    private final Consumer<FeedLine> changes;

    /**
     * @param cloner the real one
     * @param changes plays each line to the mirror before it returns
     */
    Observer(
            MirrorContext mirror,
            MirrorCloner mirrorCloner,
            Cloner cloner,
            Consumer<FeedLine> changes) {
        this.mirror = mirror;
        this.mirrorCloner = mirrorCloner;
        this.cloner = cloner;
        this.changes = changes;
    }

    /** All of the job. */
    void observe(Job real, long now) {
        observeSums(real, now);
        for (Task task : real.getTasks().values()) {
            observe(task, now);
            for (TaskAttempt attempt : task.getAttempts().values()) {
                observe(attempt, now);
            }
        }
        CloneCosts costs = cloner.costs();
        if (!costs.equals(mirrorCloner.costs())) {
            changes.accept(
                    new FeedLine.CostsAre(
                            now, costs.beta(), costs.vmMillis(), costs.bytesPerMilli()));
        }
    }

    /** Only what concerns an attempt. */
    void observe(Job real, TaskAttemptId attempt, long now) {
        observeSums(real, now);
        Task task = real.getTask(attempt.getTaskId());
        observe(task, now);
        observe(task.getAttempt(attempt), now);
    }

    /** How many tasks it has, and how many of them are done. */
    void observeSums(Job real, long now) {
        MirrorJob known = mirror.job();
        if (known == null) {
            changes.accept(
                    new FeedLine.JobIs(
                            now,
                            real.getID().toString(),
                            real.getTotalMaps(),
                            real.getTotalReduces(),
                            null,
                            null));
            known = mirror.job();
        }
        Integer maps = changed(known.getCompletedMaps(), real.getCompletedMaps());
        Integer reduces = changed(known.getCompletedReduces(), real.getCompletedReduces());
        if (maps != null || reduces != null) {
            changes.accept(new FeedLine.JobIs(now, null, null, null, maps, reduces));
        }
    }

    private void observe(Task real, long now) {
        if (real.getState() != mirror.job().getTask(real.getID()).getState()) {
            changes.accept(new FeedLine.TaskIs(now, Names.of(real.getID()), real.getState()));
        }
    }

    private void observe(TaskAttempt real, long now) {
        TaskAttemptId id = real.getID();
        MirrorTask task = mirror.job().getTask(id.getTaskId());
        boolean isNew = task.getAttempt(id) == null;
        MirrorAttempt known = isNew ? new MirrorAttempt(id) : task.getAttempt(id);
        Map<FeedCounter, Long> counters = FeedCounter.read(real.getCounters());
        FeedLine.AttemptIs line =
                new FeedLine.AttemptIs(
                        now,
                        Names.of(id),
                        changed(known.getState(), real.getState()),
                        changed(known.getProgress(), real.getProgress()),
                        changed(known.getPhase(), real.getPhase()),
                        changed(hostOf(known), hostOf(real)),
                        changed(known.getLaunchTime(), real.getLaunchTime()),
                        changed(known.getFinishTime(), real.getFinishTime()),
                        changed(FeedCounter.read(known.getCounters()), counters));
        if (isNew || !line.equals(unchanged(now, line.attempt()))) {
            changes.accept(line);
        }
        observeCloning(id, real.getState(), now);
    }

    private static FeedLine.AttemptIs unchanged(long now, String attempt) {
        return new FeedLine.AttemptIs(now, attempt, null, null, null, null, null, null, null);
    }

    // What has ended isn't cloned any more, but its being a clone is asked for until the end.
    private void observeCloning(TaskAttemptId id, TaskAttemptState state, long now) {
        boolean ended =
                state == TaskAttemptState.KILLED
                        || state == TaskAttemptState.FAILED
                        || state == TaskAttemptState.SUCCEEDED;
        String obstacle =
                ended
                        ? null
                        : changed(
                                mirrorCloner.obstacle(id).orElse(""),
                                cloner.obstacle(id).orElse(""));
        Boolean underWay = changed(mirrorCloner.isBeingCloned(id), cloner.isBeingCloned(id));
        Long fileBytes =
                cloner.cloneBytes(id)
                        .filter(bytes -> !Optional.of(bytes).equals(mirrorCloner.cloneBytes(id)))
                        .orElse(null);
        String original = changed(original(mirrorCloner, id), original(cloner, id));
        Double least = changed(mirrorCloner.leastCloneMillis(id), cloner.leastCloneMillis(id));
        if (obstacle != null
                || underWay != null
                || fileBytes != null
                || original != null
                || least != null) {
            changes.accept(
                    new FeedLine.CloningIs(
                            now, Names.of(id), obstacle, underWay, fileBytes, original, least));
        }
    }

    private static String original(Cloner cloner, TaskAttemptId attempt) {
        return cloner.originalOf(attempt).map(Names::of).orElse("");
    }

    private static String hostOf(TaskAttempt attempt) {
        return attempt.getNodeId() == null ? null : attempt.getNodeId().getHost();
    }

    private static <T> T changed(T before, T now) {
        return Objects.equals(before, now) ? null : now;
    }
}
