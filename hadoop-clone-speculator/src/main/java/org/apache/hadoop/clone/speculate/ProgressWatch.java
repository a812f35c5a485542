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

import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.mapreduce.v2.api.records.Phase;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskType;

/** How each running attempt gets on, by its reports. */
final class ProgressWatch {
    /**
     * With less, most of an attempt's time was its start, and no estimate by its pace is any good.
     */
    private static final float STARTED = 0.01f;

    private final long reportMillis;
    private final Set<String> hosts = ConcurrentHashMap.newKeySet();
    private final Set<String> suspected = ConcurrentHashMap.newKeySet();
    private final Map<TaskAttemptId, ProgressTrack> tracks = new ConcurrentHashMap<>();
    private final Map<TaskType, Starts> starts =
            Map.of(TaskType.MAP, new Starts(), TaskType.REDUCE, new Starts());

    /**
     * @param reportMillis how long after its start a task reports for the first time at the latest
     */
    ProgressWatch(long reportMillis) {
        this.reportMillis = reportMillis;
    }

    /** From zero; it hasn't reported yet, and counts from now on. */
    void began(TaskAttemptId attempt, String host, long now) {
        hosts.add(host);
        startsOf(attempt).began(attempt, host, now);
        reported(attempt, 0, null, now);
    }

    void reported(TaskAttemptId attempt, float progress, Phase phase, long now) {
        tracks.computeIfAbsent(attempt, id -> new ProgressTrack(progress, phase, now))
                .reported(progress, phase, now);
        if (hasStarted(progress)) {
            startsOf(attempt).started(attempt, now);
        }
    }

    static boolean hasStarted(double progress) {
        return progress >= STARTED;
    }

    /** An attempt was a straggler on that host, and it may be the host. */
    void suspect(String host) {
        suspected.add(host);
    }

    /** Where every other host had one, it isn't the hosts. */
    private boolean isSuspect(String host) {
        return suspected.contains(host) && 2 * suspected.size() < hosts.size();
    }

    /** It could make no progress until now. */
    void released(TaskAttemptId attempt, long now) {
        tracks.computeIfPresent(
                attempt,
                (id, track) -> {
                    track.released(now);
                    return track;
                });
    }

    /** What the attempt has reported lately; null if it hasn't begun, or has ended. */
    ProgressTrack track(TaskAttemptId attempt) {
        return tracks.get(attempt);
    }

    /**
     * @param succeeded perhaps before it has reported anything
     */
    void ended(TaskAttemptId attempt, boolean succeeded, long now) {
        if (succeeded) {
            startsOf(attempt).started(attempt, now);
        }
        startsOf(attempt).ended(attempt);
        tracks.remove(attempt);
    }

    /**
     * Whether an attempt without progress may only be slow to start: estimators say that it takes
     * days, or nothing before its first report.
     *
     * @param elapsed milliseconds since its beginning
     * @param mean milliseconds that an attempt of its kind takes
     */
    boolean isStarting(TaskAttemptId attempt, double progress, double elapsed, double mean) {
        // None is late before the mean (Starts.late).
        return !hasStarted(progress)
                && (elapsed < mean + reportMillis
                        || elapsed
                                < startsOf(attempt).late(attempt, mean, this::isSuspect)
                                        + reportMillis);
    }

    /** How long attempts of a kind take to start, in milliseconds; 0 as long as none has. */
    double usualStart(TaskType kind) {
        return starts.get(kind).usual(0);
    }

    private Starts startsOf(TaskAttemptId attempt) {
        return starts.get(attempt.getTaskId().getTaskType());
    }
}
