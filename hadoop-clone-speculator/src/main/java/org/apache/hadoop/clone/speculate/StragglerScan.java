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

import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.clone.score.CloneCosts;
import org.apache.hadoop.clone.score.CloneScore;
import org.apache.hadoop.clone.score.RecentPace;
import org.apache.hadoop.clone.score.RemainingTime;
import org.apache.hadoop.clone.score.RunningAttempt;
import org.apache.hadoop.mapreduce.v2.api.records.Phase;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptState;
import org.apache.hadoop.mapreduce.v2.api.records.TaskId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskState;
import org.apache.hadoop.mapreduce.v2.app.job.Task;
import org.apache.hadoop.mapreduce.v2.app.job.TaskAttempt;
import org.apache.hadoop.mapreduce.v2.app.speculate.TaskRuntimeEstimator;

/** One look at the tasks of a kind: which of them are stragglers, and how the others stand. */
final class StragglerScan {
    private final TaskRuntimeEstimator estimator;
    private final Cloner cloner;
    private final OrderedRestarts restarts;
    private final ProgressWatch watch;
    private final long now;

    private final List<Candidate> candidates = new ArrayList<>();
    private final List<Decision> passedOver = new ArrayList<>();
    private final List<TaskId> running = new ArrayList<>();
    private final List<TaskAttemptId> stopped = new ArrayList<>();
    private int speculating;

    // What is usual, in milliseconds: estimators say the same for all tasks of a kind, and look it
    // up by the task for as long as everything else here takes.
    private boolean knowsUsual;
    private long threshold;
    private long mean;
    private CloneCosts costs;

    StragglerScan(
            TaskRuntimeEstimator estimator,
            Cloner cloner,
            OrderedRestarts restarts,
            ProgressWatch watch,
            long now) {
        this.estimator = estimator;
        this.cloner = cloner;
        this.restarts = restarts;
        this.watch = watch;
        this.now = now;
    }

    /**
     * Only a task that runs may get another attempt: T_ADD_SPEC_ATTEMPT in SCHEDULED ends the job.
     *
     * @param mapsRun whether a reduce that fetches may be waiting for them
     */
    void look(Task task, boolean mapsRun) {
        int underWay = 0;
        TaskAttempt first = null;
        for (TaskAttempt attempt : task.getAttempts().values()) {
            TaskAttemptState state = attempt.getState();
            if (isUnderWay(state)) {
                first = underWay++ == 0 ? attempt : first;
            } else if (state == TaskAttemptState.KILLED || state == TaskAttemptState.FAILED) {
                stopped.add(attempt.getID());
            }
        }
        if (task.getState() != TaskState.RUNNING || first == null) {
            return;
        }
        running.add(task.getID());
        if (underWay > 1 || cloner.isBeingCloned(first.getID()) || restarts.isAwaited(task)) {
            speculating++;
            passedOver.add(Decision.none(first.getID(), Reason.ALREADY_SPECULATING));
        } else if (first.getState() == TaskAttemptState.COMMIT_PENDING) {
            passedOver.add(Decision.none(first.getID(), Reason.COMMITTING));
        } else if (mapsRun && first.getPhase() == Phase.SHUFFLE
                || watch.isToReport(first.getID(), now)) {
            passedOver.add(Decision.none(first.getID(), Reason.WAITS_FOR_MAPS));
        } else {
            consider(first);
        }
    }

    /** From the moment it is there: events that begin an attempt take their time. */
    static boolean isUnderWay(TaskAttemptState state) {
        return state == TaskAttemptState.NEW
                || state == TaskAttemptState.RUNNING
                || state == TaskAttemptState.STARTING
                || state == TaskAttemptState.COMMIT_PENDING;
    }

    private void consider(TaskAttempt attempt) {
        TaskAttemptId id = attempt.getID();
        learnUsual(id.getTaskId());
        double elapsed = elapsed(id);
        if (threshold == Long.MAX_VALUE) {
            passedOver.add(Decision.none(id, Reason.NOTHING_TO_COMPARE));
            return;
        }
        if (elapsed < 0) {
            passedOver.add(Decision.none(id, Reason.TOO_NEW));
            return;
        }
        double remaining = remaining(id, attempt.getProgress(), elapsed);
        if (Double.isNaN(remaining) || mean <= 0) {
            passedOver.add(Decision.none(id, Reason.TOO_NEW));
        } else if (elapsed + remaining <= usual()) {
            passedOver.add(Decision.none(id, Reason.ON_SCHEDULE));
        } else {
            boolean steady = isSteady(id, attempt.getProgress(), elapsed);
            candidates.add(new Candidate(id, score(attempt, costs), cloner.obstacle(id), steady));
        }
    }

    private void learnUsual(TaskId any) {
        if (!knowsUsual) {
            threshold = estimator.thresholdRuntime(any);
            mean = estimator.estimatedNewAttemptRuntime(any);
            costs = cloner.costs();
            knowsUsual = true;
        }
    }

    private boolean isSteady(TaskAttemptId id, double progress, double elapsed) {
        RecentPace pace = pace(id, elapsed);
        return ProgressWatch.hasStarted(progress)
                && !pace.silent()
                && !RemainingTime.hasFallen(elapsed, progress, pace);
    }

    // The longest that is on schedule. The deviation of the first few that have ended, 0 for one,
    // says little; β says how far off an estimate may be anyway.
    private double usual() {
        return Math.max(threshold, costs.beta() * mean);
    }

    /** The attempt's score at this moment, as if it could be cloned at these costs. */
    CloneScore score(TaskAttempt attempt, CloneCosts costs) {
        TaskAttemptId id = attempt.getID();
        learnUsual(id.getTaskId());
        double progress = attempt.getProgress();
        return CloneScore.of(
                new RunningAttempt(
                        remaining(id, progress, elapsed(id)),
                        progress,
                        mean > 0 ? mean : Double.NaN,
                        cloner.fileBytes(id).orElseGet(() -> AttemptCounters.localBytes(attempt))),
                costs);
    }

    /** NaN as long as nothing can be said. */
    private double remaining(TaskAttemptId id, double progress, double elapsed) {
        if (watch.isStarting(id, progress, elapsed, mean)) {
            return Double.NaN;
        }
        double remaining =
                RemainingTime.of(
                        estimator.estimatedRuntime(id), elapsed, progress, pace(id, elapsed));
        // Work that makes no progress, as on a last or only record: as much again as there was.
        return progress >= 1 && isOverdue(elapsed)
                ? Math.max(remaining, watch.silentMillis(id, now))
                : remaining;
    }

    private RecentPace pace(TaskAttemptId id, double elapsed) {
        return watch.pace(id, isOverdue(elapsed), now);
    }

    private boolean isOverdue(double elapsed) {
        return elapsed > usual();
    }

    /** Negative as long as the estimator doesn't know the attempt. */
    private double elapsed(TaskAttemptId id) {
        long start = estimator.attemptEnrolledTime(id);
        return start == Long.MAX_VALUE ? -1 : now - start;
    }

    List<Candidate> candidates() {
        return candidates;
    }

    /** Those that are no stragglers, or can't be told to be. */
    List<Decision> passedOver() {
        return passedOver;
    }

    /** Attempts that were killed or have failed. */
    List<TaskAttemptId> stopped() {
        return stopped;
    }

    /** Tasks with an attempt under way. */
    List<TaskId> running() {
        return running;
    }

    /** Tasks with more than one, ordered clones included. */
    int speculating() {
        return speculating;
    }
}
