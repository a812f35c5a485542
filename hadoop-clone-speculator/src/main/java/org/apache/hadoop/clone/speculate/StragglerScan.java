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
import java.util.Optional;
import java.util.function.Function;
import org.apache.hadoop.clone.estimate.Estimate;
import org.apache.hadoop.clone.score.CloneCosts;
import org.apache.hadoop.clone.score.CloneScore;
import org.apache.hadoop.clone.score.RunningAttempt;
import org.apache.hadoop.mapreduce.v2.api.records.Phase;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptState;
import org.apache.hadoop.mapreduce.v2.api.records.TaskState;
import org.apache.hadoop.mapreduce.v2.app.job.Task;
import org.apache.hadoop.mapreduce.v2.app.job.TaskAttempt;

/** One look at the tasks of a kind: which of them are stragglers, and how the others stand. */
final class StragglerScan {
    private static final Reason[] REASONS = Reason.values();

    private final Function<TaskAttemptId, Optional<Estimate>> estimates;
    private final Cloner cloner;
    private final OrderedRestarts restarts;
    private final double price;
    private final long now;

    private final List<Candidate> candidates = new ArrayList<>();
    private final List<TaskAttemptId> passedOver = new ArrayList<>();
    private final int[] passedOverFor = new int[REASONS.length];
    private final List<TaskAttemptId> stopped = new ArrayList<>();
    private final List<Replacement> replacements = new ArrayList<>();
    private int running;
    private int neededByRunning;
    private int speculating;

    StragglerScan(
            Function<TaskAttemptId, Optional<Estimate>> estimates,
            Cloner cloner,
            OrderedRestarts restarts,
            double price,
            long now) {
        this.estimates = estimates;
        this.cloner = cloner;
        this.restarts = restarts;
        this.price = price;
        this.now = now;
    }

    /**
     * Asks the task, and its attempts only where events don't tell all.
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
        started.found(ask(started, mapsRun), events);
        return true;
    }

    private boolean standsAsBefore(StartedTask started, OnlyAttempt only, boolean mapsRun) {
        Reason standing = standing(only, mapsRun);
        boolean straggles = standing == null;
        if (straggles != only.straggles() || straggles && !only.isStillOnly(started.task())) {
            return false;
        }
        if (straggles) {
            addCandidate(only.attempt());
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
        TaskAttempt last = null;
        TaskAttemptState firstState = null;
        for (TaskAttempt attempt : task.getAttempts().values()) {
            TaskAttemptState state = attempt.getState();
            all++;
            if (isUnderWay(state)) {
                last = attempt;
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
            if (underWay == 2 && !cloner.isBeingCloned(id)) {
                weighSecond(first, last, all - 1, mapsRun);
            }
            return passOver(id, Reason.ALREADY_SPECULATING);
        } else if (firstState == TaskAttemptState.COMMIT_PENDING) {
            return passOver(id, Reason.COMMITTING);
        }
        OnlyAttempt only = new OnlyAttempt(first, id, all, false, first.getPhase(), now);
        Reason standing = standing(only, mapsRun);
        if (standing == null) {
            addCandidate(first);
            only = only.straggling();
        } else {
            passOver(id, standing);
        }
        return firstState == TaskAttemptState.RUNNING ? only : null;
    }

    /**
     * A second attempt may straggle, too. Another one in its place must save as much as any. But as
     * often as a task's second attempts were no better it may be the task, and so many times what
     * another one takes must be left to do.
     */
    private void weighSecond(TaskAttempt first, TaskAttempt second, int tries, boolean mapsRun) {
        boolean both =
                first.getState() == TaskAttemptState.RUNNING
                        && second.getState() == TaskAttemptState.RUNNING;
        if (!both || mapsRun && second.getPhase() == Phase.SHUFFLE) {
            return;
        }
        Optional<Estimate> sooner =
                estimates
                        .apply(second.getID())
                        .filter(its -> !its.isOnSchedule(price))
                        .flatMap(
                                its ->
                                        estimates
                                                .apply(first.getID())
                                                .map(one -> one.orSooner(its.remaining())));
        sooner.map(estimate -> candidate(first, estimate, cloner.costs()))
                .filter(candidate -> candidate.attainable().gainMillis() > 0)
                .filter(candidate -> candidate.attainable().isWorth(tries * (1 + price) - 1))
                .map(candidate -> candidate.inPlaceOf(second.getID()))
                .ifPresent(replacements::add);
    }

    /** Second attempts in whose place another is to begin. */
    List<Replacement> replacements() {
        return replacements;
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

    /** Why it is no straggler, or can't be told to be; null if it is one. */
    private Reason standing(OnlyAttempt attempt, boolean mapsRun) {
        if (mapsRun && attempt.phase() == Phase.SHUFFLE) {
            return Reason.WAITS_FOR_MAPS;
        }
        Optional<Estimate> estimate = estimates.apply(attempt.id());
        if (estimate.isEmpty()) {
            return Reason.TOO_NEW;
        }
        return estimate.get().isOnSchedule(price) ? Reason.ON_SCHEDULE : null;
    }

    private void addCandidate(TaskAttempt attempt) {
        TaskAttemptId id = attempt.getID();
        estimates
                .apply(id)
                .map(estimate -> candidate(attempt, estimate, cloner.costs()))
                .ifPresent(candidates::add);
    }

    private Candidate candidate(TaskAttempt attempt, Estimate estimate, CloneCosts costs) {
        TaskAttemptId id = attempt.getID();
        return new Candidate(id, score(attempt, estimate, costs), cloner.obstacle(id));
    }

    /**
     * The attempt's score at this moment, as if it could be cloned at these costs.
     *
     * @return empty as long as nothing can be said of it
     */
    Optional<CloneScore> score(TaskAttempt attempt, CloneCosts costs) {
        return estimates.apply(attempt.getID()).map(estimate -> score(attempt, estimate, costs));
    }

    private CloneScore score(TaskAttempt attempt, Estimate estimate, CloneCosts costs) {
        return CloneScore.of(
                new RunningAttempt(
                        estimate.remaining(),
                        estimate.done(),
                        estimate.fresh(),
                        cloneBytes(attempt)),
                costs);
    }

    private long cloneBytes(TaskAttempt attempt) {
        return cloner.cloneBytes(attempt.getID())
                .orElseGet(() -> AttemptCounters.cloneBytes(attempt));
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
