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
import java.util.function.Supplier;
import org.apache.hadoop.clone.estimate.Drift;
import org.apache.hadoop.clone.estimate.Estimate;
import org.apache.hadoop.clone.estimate.Slack;
import org.apache.hadoop.clone.score.CloneCosts;
import org.apache.hadoop.clone.score.CloneScore;
import org.apache.hadoop.clone.score.Outcome;
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
    private final Supplier<Drift> drifts;
    private final Cloner cloner;
    private final OrderedRestarts restarts;
    private final Prices prices;
    private final long now;

    private final List<Candidate> candidates = new ArrayList<>();
    private final List<TaskAttemptId> passedOver = new ArrayList<>();
    private final int[] passedOverFor = new int[REASONS.length];
    private final List<TaskAttemptId> stopped = new ArrayList<>();
    private final List<Replacement> replacements = new ArrayList<>();
    private final boolean full;
    private final double trustedMillis;
    private Drift drift;
    private CloneCosts costs;
    private int running;
    private int neededByRunning;
    private int speculating;

    /**
     * @param estimates of attempts at this moment
     * @param drifts of what is usual for them; asked once, if at all
     * @param full whether no task may have another attempt, as far as is known: stragglers of
     *     before are deferred then
     * @param trustedMillis after which an attempt that has said nothing is asked for its state
     */
    StragglerScan(
            Function<TaskAttemptId, Optional<Estimate>> estimates,
            Supplier<Drift> drifts,
            Cloner cloner,
            OrderedRestarts restarts,
            Prices prices,
            boolean full,
            double trustedMillis,
            long now) {
        this.estimates = estimates;
        this.drifts = drifts;
        this.cloner = cloner;
        this.restarts = restarts;
        this.prices = prices;
        this.full = full;
        this.trustedMillis = trustedMillis;
        this.now = now;
    }

    /**
     * Asks the task, and its attempts only where events don't tell all.
     *
     * @param mapsRun whether a reduce that fetches may be waiting for them
     * @return whether they were asked
     */
    boolean look(StartedTask started, boolean mapsRun) {
        if (isAsBefore(started, mapsRun)) {
            runs(started);
            return false;
        }
        int events = started.events();
        started.found(ask(started, mapsRun), events);
        return true;
    }

    private boolean isAsBefore(StartedTask started, boolean mapsRun) {
        UnderWay known = started.known();
        if (known instanceof OnlyAttempt only) {
            if (only.isToBeAsked(now, trustedMillis)) {
                return false;
            }
            if (full && only.straggles()) {
                passedOverFor[Reason.CAP_REACHED.ordinal()]++;
                return true;
            }
            return standsAsBefore(started, only, mapsRun);
        }
        if (known instanceof TwoAttempts two && two.areUnderWay(started.task())) {
            speculating++;
            passedOverFor[Reason.ALREADY_SPECULATING.ordinal()]++;
            started.learned(two, weighed(two, mapsRun));
            return true;
        }
        return false;
    }

    private boolean standsAsBefore(StartedTask started, OnlyAttempt only, boolean mapsRun) {
        Standing standing = standing(only, mapsRun);
        if (standing.straggles() != only.straggles()
                || standing.straggles() && !only.isStillOnly(started.task())) {
            return false;
        }
        if (standing.straggles()) {
            Footprint footprint = only.footprint();
            if (footprint == null) {
                footprint = Footprint.of(only.attempt());
                started.learned(only, only.with(footprint));
            }
            candidates.add(candidate(only.id(), standing.estimate(), footprint));
            return true;
        }
        passedOverFor[standing.why().ordinal()]++;
        if (standing.estimate() != null) {
            started.learned(only, only.with(standing.estimate().slack()));
        }
        return true;
    }

    /**
     * Only a task that runs may get another attempt: T_ADD_SPEC_ATTEMPT in SCHEDULED ends the job.
     *
     * @return what runs of it, if that stands until something happens to it; else null
     */
    private UnderWay ask(StartedTask started, boolean mapsRun) {
        Task task = started.task();
        int all = 0;
        int underWay = 0;
        TaskAttempt first = null;
        TaskAttempt second = null;
        TaskAttemptState firstState = null;
        for (TaskAttempt attempt : task.getAttempts().values()) {
            TaskAttemptState state = attempt.getState();
            all++;
            if (isUnderWay(state)) {
                underWay++;
                if (first == null) {
                    first = attempt;
                    firstState = state;
                } else {
                    second = attempt;
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
            passOver(id, Reason.ALREADY_SPECULATING);
            return underWay == 2 ? weighed(new TwoAttempts(first, second, all - 1), mapsRun) : null;
        } else if (firstState == TaskAttemptState.COMMIT_PENDING) {
            passOver(id, Reason.COMMITTING);
            return null;
        }
        OnlyAttempt only = new OnlyAttempt(first, id, all, false, first.getPhase(), now);
        Standing standing = standing(only, mapsRun);
        if (standing.straggles()) {
            candidates.add(candidate(id, standing.estimate(), Footprint.of(first)));
            only = only.straggling();
        } else {
            passOver(id, standing.why());
        }
        return firstState == TaskAttemptState.RUNNING ? only : null;
    }

    /** A second attempt may straggle, too: another one in its place must save its price. */
    private TwoAttempts weighed(TwoAttempts two, boolean mapsRun) {
        if (!prices.replaces()
                || isCovered(two.slack(), prices.inPlace())
                || !two.bothWork(mapsRun)) {
            return two;
        }
        Optional<Estimate> ofSecond = estimates.apply(two.second().getID());
        ofSecond.filter(its -> !its.isOnSchedule(prices.inPlace()))
                .ifPresent(its -> weighAnother(two, its));
        return ofSecond.map(its -> two.with(its.slack())).orElse(two);
    }

    private void weighAnother(TwoAttempts two, Estimate ofSecond) {
        TaskAttempt first = two.first();
        TaskAttemptId id = first.getID();
        if (cloner.isBeingCloned(id)) {
            return;
        }
        estimates
                .apply(id)
                .map(one -> one.orSooner(ofSecond.remaining()))
                .map(sooner -> candidate(id, sooner, Footprint.of(first)))
                .filter(one -> isWorthOneMore(one.attainable(), two.tries()))
                .map(one -> one.inPlaceOf(two.second().getID()))
                .ifPresent(replacements::add);
    }

    private boolean isWorthOneMore(CloneScore another, int tries) {
        // What shows no work at all has no pace that another could be held against.
        return another.gainMillis() > 0
                && Double.isFinite(another.gainMillis())
                && another.isWorth(prices.ofAnother(tries));
    }

    private void passOver(TaskAttemptId attempt, Reason reason) {
        passedOver.add(attempt);
        passedOverFor[reason.ordinal()]++;
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

    /**
     * @param why it is no straggler, or can't be told to be; null if it is one
     * @param estimate null if there is none, or none was needed
     */
    private record Standing(Reason why, Estimate estimate) {
        static final Standing WAITS_FOR_MAPS = new Standing(Reason.WAITS_FOR_MAPS, null);
        static final Standing TOO_NEW = new Standing(Reason.TOO_NEW, null);
        static final Standing STILL_ON_SCHEDULE = new Standing(Reason.ON_SCHEDULE, null);

        boolean straggles() {
            return why == null;
        }
    }

    private Standing standing(OnlyAttempt attempt, boolean mapsRun) {
        if (mapsRun && attempt.phase() == Phase.SHUFFLE) {
            return Standing.WAITS_FOR_MAPS;
        }
        if (isCovered(attempt.slack(), prices.ofSecond())) {
            return Standing.STILL_ON_SCHEDULE;
        }
        return estimates
                .apply(attempt.id())
                .map(
                        one ->
                                new Standing(
                                        one.isOnSchedule(prices.ofSecond())
                                                ? Reason.ON_SCHEDULE
                                                : null,
                                        one))
                .orElse(Standing.TOO_NEW);
    }

    // So are most attempts of a large job at most looks.
    private boolean isCovered(Slack slack, double price) {
        if (!slack.lasts(now)) {
            return false;
        }
        if (drift == null) {
            drift = drifts.get();
        }
        return slack.covers(price, drift);
    }

    private Candidate candidate(TaskAttemptId id, Estimate estimate, Footprint footprint) {
        if (costs == null) {
            costs = cloner.costs();
        }
        CloneScore score = score(id, estimate, footprint, costs);
        return new Candidate(id, score, cloner.obstacle(id).or(() -> slowHost(id, score)));
    }

    /** Why its clone would be given up once it has answered, if it answers as another there did. */
    private Optional<String> slowHost(TaskAttemptId id, CloneScore score) {
        return score.after(0, cloner.leastCloneMillis(id)).best() == Outcome.CLONE
                ? Optional.empty()
                : Optional.of("another on its host was slow to answer");
    }

    /**
     * The attempt's score at this moment, as if it could be cloned at these costs.
     *
     * @return empty as long as nothing can be said of it
     */
    Optional<CloneScore> score(TaskAttempt attempt, CloneCosts costs) {
        TaskAttemptId id = attempt.getID();
        return estimates
                .apply(id)
                .map(estimate -> score(id, estimate, Footprint.of(attempt), costs));
    }

    private CloneScore score(
            TaskAttemptId id, Estimate estimate, Footprint footprint, CloneCosts costs) {
        return CloneScore.of(
                new RunningAttempt(
                        estimate.remaining(),
                        estimate.done(),
                        estimate.fresh(),
                        cloner.cloneBytes(id, footprint)),
                costs);
    }

    List<Candidate> candidates() {
        return candidates;
    }

    /** Stragglers of before that weren't looked at, since they can have no second attempt now. */
    int deferred() {
        return passedOverFor(Reason.CAP_REACHED);
    }

    /** Second attempts in whose place another is to begin. */
    List<Replacement> replacements() {
        return replacements;
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
