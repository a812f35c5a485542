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

import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.clone.score.CloneScore;
import org.apache.hadoop.clone.score.Outcome;
import org.apache.hadoop.clone.score.RunningAttempt;
import org.apache.hadoop.clone.score.SpeculationCap;
import org.apache.hadoop.clone.speculate.Cloner;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptState;
import org.apache.hadoop.mapreduce.v2.api.records.TaskType;
import org.apache.hadoop.mapreduce.v2.app.AppContext;
import org.apache.hadoop.mapreduce.v2.app.job.Job;
import org.apache.hadoop.mapreduce.v2.app.job.Task;
import org.apache.hadoop.mapreduce.v2.app.job.TaskAttempt;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskAttemptStatusUpdateEvent.TaskAttemptStatus;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskEvent;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskEventType;
import org.apache.hadoop.mapreduce.v2.app.speculate.LegacyTaskRuntimeEstimator;
import org.apache.hadoop.mapreduce.v2.app.speculate.SpeculatorEvent;
import org.apache.hadoop.mapreduce.v2.app.speculate.TaskRuntimeEstimator;
import org.apache.hadoop.util.ReflectionUtils;
import org.clonehadoop.benchmarks.feed.FeedPlayer;

/**
 * The paper's Algorithm 1 to the letter: in each look the one attempt whose CloneScore is highest,
 * by any gain, if the cap allows. What the algorithm doesn't say is as in stock's speculator, into
 * which it was built: what counts as running, its estimates, that nothing is ordered while a
 * container request of the kind pends, one order per kind, and the rest after it.
 */
final class PaperAlgorithm implements FeedPlayer.Listener {
    /** As stock: when an attempt counts as one that has said nothing more. */
    private static final long SILENT_MILLIS = 9_000;

    private record Heard(long estimate, float progress, long at) {}

    /** a*, with its score. */
    private record Best(TaskAttempt attempt, CloneScore score) {}

    private final Configuration conf;
    private final AppContext context;
    private final Cloner cloner;
    private final TaskRuntimeEstimator estimator;
    private final SpeculationCap cap;
    private final long afterNone;
    private final long afterSome;
    private final Map<TaskType, Integer> needs = new EnumMap<>(TaskType.class);
    private final Map<TaskAttemptId, Heard> heard = new HashMap<>();
    private long nextMillis = Long.MIN_VALUE;

    PaperAlgorithm(Configuration conf, AppContext context, Cloner cloner) {
        this.conf = conf;
        this.context = context;
        this.cloner = cloner;
        estimator =
                ReflectionUtils.newInstance(
                        conf.getClass(
                                MRJobConfig.MR_AM_TASK_ESTIMATOR,
                                LegacyTaskRuntimeEstimator.class,
                                TaskRuntimeEstimator.class),
                        null);
        estimator.contextualize(conf, context);

        cap = SpeculationCap.of(conf);
        afterNone =
                conf.getLong(
                        MRJobConfig.SPECULATIVE_RETRY_AFTER_NO_SPECULATE,
                        MRJobConfig.DEFAULT_SPECULATIVE_RETRY_AFTER_NO_SPECULATE);
        afterSome =
                conf.getLong(
                        MRJobConfig.SPECULATIVE_RETRY_AFTER_SPECULATE,
                        MRJobConfig.DEFAULT_SPECULATIVE_RETRY_AFTER_SPECULATE);
    }

    @Override
    public void handle(SpeculatorEvent event) {
        switch (event.getType()) {
            case ATTEMPT_STATUS_UPDATE ->
                    estimator.updateAttempt(event.getReportedStatus(), event.getTimestamp());
            case TASK_CONTAINER_NEED_UPDATE ->
                    needs.merge(
                            event.getTaskID().getTaskType(),
                            event.containersNeededChange(),
                            Integer::sum);
            case ATTEMPT_START ->
                    estimator.enrollAttempt(event.getReportedStatus(), event.getTimestamp());
            case JOB_CREATE -> estimator.contextualize(conf, context);
        }
    }

    @Override
    public void look() {
        long now = now();
        if (now < nextMillis) {
            return;
        }
        boolean some = false;
        for (Job job : context.getAllJobs().values()) {
            some |= look(job, TaskType.MAP);
            some |= look(job, TaskType.REDUCE);
        }
        nextMillis = now + (some ? afterSome : afterNone);
    }

    private boolean look(Job job, TaskType kind) {
        if (needs.getOrDefault(kind, 0) > 0) {
            return false;
        }
        int running = 0;
        int speculating = 0;
        Optional<Best> best = Optional.empty();
        for (Task task : job.getTasks(kind).values()) {
            List<TaskAttempt> attempts =
                    task.getAttempts().values().stream().filter(PaperAlgorithm::runs).toList();
            if (attempts.isEmpty()) {
                continue;
            }
            running++;
            TaskAttempt first = attempts.get(0);
            if (attempts.size() > 1 || cloner.isBeingCloned(first.getID())) {
                speculating++;
            } else {
                best = better(best, score(first));
            }
        }
        if (best.isEmpty() || speculating >= cap.allowed(job.getTasks(kind).size(), running)) {
            return false;
        }
        order(best.get());
        return true;
    }

    private static boolean runs(TaskAttempt attempt) {
        return attempt.getState() == TaskAttemptState.RUNNING
                || attempt.getState() == TaskAttemptState.STARTING;
    }

    private static Optional<Best> better(Optional<Best> best, Optional<Best> other) {
        double least = best.map(one -> one.score().gainMillis()).orElse(0.0);
        return other.filter(one -> one.score().gainMillis() > least).or(() -> best);
    }

    /** getCloneScore(a); empty where stock has no estimate. */
    private Optional<Best> score(TaskAttempt attempt) {
        TaskAttemptId id = attempt.getID();
        long now = now();
        long start = estimator.attemptEnrolledTime(id);
        hear(attempt, now);
        double end = (double) start + estimator.estimatedRuntime(id);
        long mean = estimator.estimatedNewAttemptRuntime(id.getTaskId());
        if (estimator.thresholdRuntime(id.getTaskId()) == Long.MAX_VALUE
                || start > now
                || end < now
                || mean <= 0) {
            return Optional.empty();
        }
        CloneScore score =
                CloneScore.of(
                        new RunningAttempt(
                                end - now,
                                attempt.getProgress(),
                                mean,
                                cloner.cloneBytes(id).orElse(0L)),
                        cloner.costs());
        return Optional.of(
                new Best(attempt, cloner.obstacle(id).isPresent() ? score.withoutClone() : score));
    }

    /** As stock: one that says nothing new is taken to have said the same again. */
    private void hear(TaskAttempt attempt, long now) {
        long estimate = estimator.estimatedRuntime(attempt.getID());
        Heard last = heard.get(attempt.getID());
        boolean same =
                last != null
                        && last.estimate() == estimate
                        && last.progress() == attempt.getProgress();
        if (same && now - last.at() > SILENT_MILLIS) {
            TaskAttemptStatus status = new TaskAttemptStatus();
            status.id = attempt.getID();
            status.progress = attempt.getProgress();
            status.taskState = attempt.getState();
            estimator.updateAttempt(status, now);
        }
        if (!same || now - last.at() > SILENT_MILLIS) {
            heard.put(attempt.getID(), new Heard(estimate, attempt.getProgress(), now));
        }
    }

    private void order(Best best) {
        TaskAttemptId id = best.attempt().getID();
        if (best.score().best() == Outcome.CLONE) {
            cloner.clone(id, best.score());
        } else {
            context.getEventHandler()
                    .handle(new TaskEvent(id.getTaskId(), TaskEventType.T_ADD_SPEC_ATTEMPT));
        }
    }

    private long now() {
        return context.getClock().getTime();
    }
}
