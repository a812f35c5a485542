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

import org.apache.hadoop.clone.estimate.Slack;
import org.apache.hadoop.mapreduce.v2.api.records.Phase;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptState;
import org.apache.hadoop.mapreduce.v2.api.records.TaskState;
import org.apache.hadoop.mapreduce.v2.app.job.Task;
import org.apache.hadoop.mapreduce.v2.app.job.TaskAttempt;

/**
 * An attempt that is its task's only one under way, as it has reported. A large job has very many,
 * and to ask each of them for its state, and its task for its attempts, takes locks and copies,
 * which together take longer than all else.
 *
 * @param attempts that its task has, ended ones included
 * @param straggles whether it did when it was asked last
 * @param runningAt when its state was asked for last; it was running
 * @param slack what must change before it can be off schedule, if it reports nothing more
 * @param footprint what it last reported of that; null as long as that isn't needed
 */
record OnlyAttempt(
        TaskAttempt attempt,
        TaskAttemptId id,
        int attempts,
        boolean straggles,
        Phase phase,
        long runningAt,
        Slack slack,
        Footprint footprint)
        implements UnderWay {
    OnlyAttempt(
            TaskAttempt attempt,
            TaskAttemptId id,
            int attempts,
            boolean straggles,
            Phase phase,
            long runningAt) {
        this(attempt, id, attempts, straggles, phase, runningAt, Slack.NONE, null);
    }

    /**
     * An attempt may end without a word: of those that are killed or fail the AppMaster tells its
     * speculator nothing but that another one needs a container.
     *
     * @param trustedMillis so old a report may be
     */
    boolean isToBeAsked(long now, double trustedMillis) {
        return now - runningAt > trustedMillis;
    }

    OnlyAttempt reported(Phase phase, long now) {
        return new OnlyAttempt(attempt, id, attempts, straggles, phase, now);
    }

    OnlyAttempt straggling() {
        return new OnlyAttempt(attempt, id, attempts, true, phase, runningAt);
    }

    OnlyAttempt with(Slack slack) {
        return new OnlyAttempt(
                attempt, id, attempts, straggles, phase, runningAt, slack, footprint);
    }

    OnlyAttempt with(Footprint footprint) {
        return new OnlyAttempt(
                attempt, id, attempts, straggles, phase, runningAt, slack, footprint);
    }

    /** Whether nothing has happened yet that events will tell. */
    boolean isStillOnly(Task task) {
        return attempt.getState() == TaskAttemptState.RUNNING
                && task.getState() == TaskState.RUNNING
                && task.getAttempts().size() == attempts;
    }
}
