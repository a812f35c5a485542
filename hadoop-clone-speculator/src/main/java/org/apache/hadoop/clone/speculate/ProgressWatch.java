package org.apache.hadoop.clone.speculate;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.clone.score.RecentPace;
import org.apache.hadoop.mapreduce.v2.api.records.Phase;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;

/** How each running attempt gets on, by its reports. */
final class ProgressWatch {
    /** What Hadoop's estimators, too, can't tell from no progress at all. */
    private static final double STARTED = 0.0001;

    private final long reportMillis;
    private final Map<TaskAttemptId, ProgressTrack> tracks = new ConcurrentHashMap<>();

    /**
     * @param reportMillis how long after its start a task reports for the first time at the latest
     */
    ProgressWatch(long reportMillis) {
        this.reportMillis = reportMillis;
    }

    /** It hasn't reported yet, and counts from now on. */
    void started(TaskAttemptId attempt, long now) {
        reported(attempt, 0, null, now);
    }

    void reported(TaskAttemptId attempt, float progress, Phase phase, long now) {
        tracks.computeIfAbsent(attempt, id -> new ProgressTrack(progress, phase, now))
                .reported(progress, phase, now);
    }

    void ended(TaskAttemptId attempt) {
        tracks.remove(attempt);
    }

    /**
     * Whether an attempt without progress may only be slow to start: estimators say that it takes
     * days, or nothing before its first report. One that could have ended twice, and said so, isn't
     * spared: where processors are busy many take as long as one that is quick to begin and to end.
     *
     * @param elapsed milliseconds since its start
     * @param mean milliseconds that an attempt of its kind takes
     */
    boolean isStarting(double progress, double elapsed, double mean) {
        return progress < STARTED && elapsed < 2 * mean + reportMillis;
    }

    /**
     * @param overdue whether it has taken longer than such attempts usually take
     */
    RecentPace pace(TaskAttemptId attempt, boolean overdue, long now) {
        ProgressTrack track = tracks.get(attempt);
        return track == null ? RecentPace.UNKNOWN : track.pace(overdue, now);
    }
}
