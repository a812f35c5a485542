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
    private static final Reason[] REASONS = Reason.values();

    private final TaskRuntimeEstimator estimator;
    private final Cloner cloner;
    private final OrderedRestarts restarts;
    private final ProgressWatch watch;
    private final long now;

    private final List<Candidate> candidates = new ArrayList<>();
    private final List<TaskAttemptId> passedOver = new ArrayList<>();
    private final int[] passedOverFor = new int[REASONS.length];
    private final List<TaskAttemptId> stopped = new ArrayList<>();
    private int running;
    private int neededByRunning;
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
     * Asks the task, its attempts and the estimator only where events don't tell all.
     *
     * @param mapsRun whether a reduce that fetches may be waiting for them
     * @return whether they were asked
     */
    boolean look(StartedTask started, boolean mapsRun) {
        OnlyAttempt only = started.only();
        if (only != null && !only.isToBeAsked(now) && standsAsBefore(started, only, mapsRun)) {
            runs(started);
            return false;
        }
        int events = started.events();
        OnlyAttempt asked = ask(started, mapsRun);
        started.found(followsReports() ? asked : null, events);
        return true;
    }

    private boolean standsAsBefore(StartedTask started, OnlyAttempt only, boolean mapsRun) {
        Reason standing = standing(only, mapsRun);
        boolean straggles = standing == null;
        if (straggles != only.straggles() || straggles && !only.isStillOnly(started.task())) {
            return false;
        }
        if (straggles) {
            candidates.add(candidate(only));
        } else {
            passedOverFor[standing.ordinal()]++;
        }
        return true;
    }

    /**
     * Only a task that runs may get another attempt: T_ADD_SPEC_ATTEMPT in SCHEDULED ends the job.
     *
     * @return the task's only attempt if it runs; else null
     */
    private OnlyAttempt ask(StartedTask started, boolean mapsRun) {
        Task task = started.task();
        int all = 0;
        int underWay = 0;
        TaskAttempt first = null;
        TaskAttemptState firstState = null;
        for (TaskAttempt attempt : task.getAttempts().values()) {
            TaskAttemptState state = attempt.getState();
            all++;
            if (isUnderWay(state)) {
                if (underWay++ == 0) {
                    first = attempt;
                    firstState = state;
                }
            } else if (state == TaskAttemptState.KILLED || state == TaskAttemptState.FAILED) {
                stopped.add(attempt.getID());
            }
        }
        if (task.getState() != TaskState.RUNNING || first == null) {
            return null;
        }
        runs(started);
        TaskAttemptId id = first.getID();
        if (underWay > 1 || cloner.isBeingCloned(id) || restarts.isAwaited(task)) {
            speculating++;
            return passOver(id, Reason.ALREADY_SPECULATING);
        } else if (firstState == TaskAttemptState.COMMIT_PENDING) {
            return passOver(id, Reason.COMMITTING);
        }
        OnlyAttempt only = facts(first, all);
        Reason standing = standing(only, mapsRun);
        if (standing == null) {
            candidates.add(candidate(only));
            only = only.straggling();
        } else {
            passOver(id, standing);
        }
        return firstState == TaskAttemptState.RUNNING ? only : null;
    }

    /** Whether an estimate changes with reports only: of those that aren't Hadoop's who knows. */
    private boolean followsReports() {
        return estimator
                .getClass()
                .getPackageName()
                .equals(TaskRuntimeEstimator.class.getPackageName());
    }

    private OnlyAttempt passOver(TaskAttemptId attempt, Reason reason) {
        passedOver.add(attempt);
        passedOverFor[reason.ordinal()]++;
        return null;
    }

    private void runs(StartedTask started) {
        running++;
        neededByRunning += started.neededContainers();
    }

    /** From the moment it is there: events that begin an attempt take their time. */
    static boolean isUnderWay(TaskAttemptState state) {
        return state == TaskAttemptState.NEW
                || state == TaskAttemptState.RUNNING
                || state == TaskAttemptState.STARTING
                || state == TaskAttemptState.COMMIT_PENDING;
    }

    private OnlyAttempt facts(TaskAttempt attempt, int attempts) {
        TaskAttemptId id = attempt.getID();
        return new OnlyAttempt(
                attempt,
                id,
                attempts,
                false,
                watch.track(id),
                estimator.attemptEnrolledTime(id),
                estimator.estimatedRuntime(id),
                attempt.getProgress(),
                attempt.getPhase(),
                now);
    }

    /** Why it is no straggler, or can't be told to be; null if it is one. */
    private Reason standing(OnlyAttempt attempt, boolean mapsRun) {
        if (mapsRun && attempt.phase() == Phase.SHUFFLE || attempt.isToReport(now)) {
            return Reason.WAITS_FOR_MAPS;
        }
        learnUsual(attempt.id());
        double elapsed = attempt.elapsed(now);
        if (threshold == Long.MAX_VALUE) {
            return Reason.NOTHING_TO_COMPARE;
        } else if (elapsed < 0) {
            return Reason.TOO_NEW;
        }
        double remaining = remaining(attempt, elapsed);
        if (Double.isNaN(remaining) || mean <= 0) {
            return Reason.TOO_NEW;
        }
        return elapsed + remaining <= usual() ? Reason.ON_SCHEDULE : null;
    }

    private Candidate candidate(OnlyAttempt attempt) {
        return new Candidate(
                attempt.id(),
                score(attempt, costs),
                cloner.obstacle(attempt.id()),
                isSteady(attempt));
    }

    private void learnUsual(TaskAttemptId any) {
        if (!knowsUsual) {
            TaskId task = any.getTaskId();
            threshold = estimator.thresholdRuntime(task);
            mean = estimator.estimatedNewAttemptRuntime(task);
            costs = cloner.costs();
            knowsUsual = true;
        }
    }

    private boolean isSteady(OnlyAttempt attempt) {
        double elapsed = attempt.elapsed(now);
        RecentPace pace = pace(attempt, elapsed);
        return ProgressWatch.hasStarted(attempt.progress())
                && !pace.silent()
                && !RemainingTime.hasFallen(elapsed, attempt.progress(), pace);
    }

    // The longest that is on schedule. The deviation of the first few that have ended, 0 for one,
    // says little; β says how far off an estimate may be anyway.
    private double usual() {
        return Math.max(threshold, costs.beta() * mean);
    }

    /** The attempt's score at this moment, as if it could be cloned at these costs. */
    CloneScore score(TaskAttempt attempt, CloneCosts costs) {
        learnUsual(attempt.getID());
        return score(facts(attempt, 1), costs);
    }

    private CloneScore score(OnlyAttempt attempt, CloneCosts costs) {
        return CloneScore.of(
                new RunningAttempt(
                        remaining(attempt, attempt.elapsed(now)),
                        attempt.progress(),
                        mean > 0 ? mean : Double.NaN,
                        cloner.fileBytes(attempt.id())
                                .orElseGet(() -> AttemptCounters.localBytes(attempt.attempt()))),
                costs);
    }

    /** NaN as long as nothing can be said. */
    private double remaining(OnlyAttempt attempt, double elapsed) {
        double progress = attempt.progress();
        if (watch.isStarting(attempt.id(), progress, elapsed, mean)) {
            return Double.NaN;
        }
        double remaining =
                RemainingTime.of(
                        attempt.estimatedRuntime(), elapsed, progress, pace(attempt, elapsed));
        // Work that makes no progress, as on a last or only record: as much again as there was.
        return progress >= 1 && isOverdue(elapsed)
                ? Math.max(remaining, attempt.silentMillis(now))
                : remaining;
    }

    private RecentPace pace(OnlyAttempt attempt, double elapsed) {
        return attempt.pace(isOverdue(elapsed), now);
    }

    private boolean isOverdue(double elapsed) {
        return elapsed > usual();
    }

    List<Candidate> candidates() {
        return candidates;
    }

    /**
     * Those that aren't stragglers, or can't be told to be, and weren't known before to be none.
     */
    List<TaskAttemptId> passedOver() {
        return passedOver;
    }

    /** How many were passed over for a reason. */
    int passedOverFor(Reason reason) {
        return passedOverFor[reason.ordinal()];
    }

    /** Attempts that were killed or have failed. */
    List<TaskAttemptId> stopped() {
        return stopped;
    }

    /** Tasks with an attempt under way. */
    int running() {
        return running;
    }

    /** Containers that those wait for. */
    int neededByRunning() {
        return neededByRunning;
    }

    /** Tasks with more than one, ordered clones included. */
    int speculating() {
        return speculating;
    }
}
