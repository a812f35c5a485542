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

import org.apache.hadoop.clone.score.RecentPace;
import org.apache.hadoop.mapreduce.v2.api.records.Phase;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptState;
import org.apache.hadoop.mapreduce.v2.api.records.TaskState;
import org.apache.hadoop.mapreduce.v2.app.job.Task;
import org.apache.hadoop.mapreduce.v2.app.job.TaskAttempt;

/**
 * An attempt that is its task's only one under way, as it has reported. A large job has very many,
 * and to ask each of them for its state, its task for its attempts and an estimator for what it
 * made of the last report takes locks, copies and hashes of ids, which together take longer than
 * all else.
 *
 * @param attempts that its task has, ended ones included
 * @param straggles whether it did when it was asked last
 * @param track what it has reported lately; null if it hasn't begun
 * @param start when it began as the estimator counts; {@link Long#MAX_VALUE} if that doesn't know
 * @param estimatedRuntime the estimator's, in milliseconds from the start
 * @param runningAt when its state was asked for last; it was running
 */
record OnlyAttempt(
        TaskAttempt attempt,
        TaskAttemptId id,
        int attempts,
        boolean straggles,
        ProgressTrack track,
        long start,
        long estimatedRuntime,
        float progress,
        Phase phase,
        long runningAt) {
    /** As long as a speculator of stock's waits before it takes a report to be missing. */
    private static final long TRUSTED_MILLIS = 9_000;

    /**
     * An attempt may end without a word: of those that are killed or fail the AppMaster tells its
     * speculator nothing but that another one needs a container.
     */
    boolean isToBeAsked(long now) {
        return now - runningAt > TRUSTED_MILLIS;
    }

    OnlyAttempt reported(long estimatedRuntime, float progress, Phase phase, long now) {
        return new OnlyAttempt(
                attempt,
                id,
                attempts,
                straggles,
                track,
                start,
                estimatedRuntime,
                progress,
                phase,
                now);
    }

    OnlyAttempt straggling() {
        return new OnlyAttempt(
                attempt,
                id,
                attempts,
                true,
                track,
                start,
                estimatedRuntime,
                progress,
                phase,
                runningAt);
    }

    /** Whether nothing has happened yet that events will tell. */
    boolean isStillOnly(Task task) {
        return attempt.getState() == TaskAttemptState.RUNNING
                && task.getState() == TaskState.RUNNING
                && task.getAttempts().size() == attempts;
    }

    /** Negative as long as the estimator doesn't know the attempt. */
    double elapsed(long now) {
        return start == Long.MAX_VALUE ? -1 : now - start;
    }

    /** Whether what it has done since it was released can't have been heard yet. */
    boolean isToReport(long now) {
        return track != null && track.isToReport(now);
    }

    /**
     * @param overdue whether it has taken longer than such attempts usually take
     */
    RecentPace pace(boolean overdue, long now) {
        return track == null ? RecentPace.UNKNOWN : track.pace(overdue, now);
    }

    /** For how many milliseconds it hasn't moved; 0 if that says nothing yet. */
    long silentMillis(long now) {
        return track == null ? 0 : track.silentMillis(now);
    }
}
