package org.apache.hadoop.clone.speculate;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.clone.score.RecentPace;
import org.apache.hadoop.mapreduce.v2.api.records.Phase;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskType;
import org.apache.hadoop.mapreduce.v2.app.speculate.DataStatistics;

/** How each running attempt gets on, by its reports. */
final class ProgressWatch {
    /** What Hadoop's estimators, too, can't tell from no progress at all. */
    private static final double STARTED = 0.0001;

    /** Times what others took for their first progress, with the report of it. */
    private static final double LATE = 1.5;

    private final long reportMillis;
    private final Map<TaskAttemptId, ProgressTrack> tracks = new ConcurrentHashMap<>();

    /** When those started that haven't made any progress yet. */
    private final Map<TaskAttemptId, Long> starting = new ConcurrentHashMap<>();

    /** How long the others took for that. */
    private final Map<TaskType, DataStatistics> starts =
            Map.of(TaskType.MAP, new DataStatistics(), TaskType.REDUCE, new DataStatistics());

    /**
     * @param reportMillis how long after its start a task reports for the first time at the latest
     */
    ProgressWatch(long reportMillis) {
        this.reportMillis = reportMillis;
    }

    /** From zero; it hasn't reported yet, and counts from now on. */
    void started(TaskAttemptId attempt, long now) {
        starting.put(attempt, now);
        reported(attempt, 0, null, now);
    }

    void reported(TaskAttemptId attempt, float progress, Phase phase, long now) {
        tracks.computeIfAbsent(attempt, id -> new ProgressTrack(progress, phase, now))
                .reported(progress, phase, now);
        if (progress >= STARTED) {
            Long start = starting.remove(attempt);
            if (start != null) {
                starts.get(attempt.getTaskId().getTaskType()).add(now - start);
            }
        }
    }

    void ended(TaskAttemptId attempt) {
        tracks.remove(attempt);
        starting.remove(attempt);
    }

    /**
     * Whether an attempt without progress may only be slow to start: estimators say that it takes
     * days, or nothing before its first report. One isn't spared that takes much longer than others
     * took, and in whose time one of them could have ended, and said so.
     *
     * @param elapsed milliseconds since its start
     * @param mean milliseconds that an attempt of its kind takes
     */
    boolean isStarting(TaskType kind, double progress, double elapsed, double mean) {
        return progress < STARTED
                && elapsed < Math.max(mean + reportMillis, LATE * usualStart(kind, mean));
    }

    /**
     * How long attempts from zero take to make some progress, in milliseconds.
     *
     * @param unknown what it is as long as none has
     */
    double usualStart(TaskType kind, double unknown) {
        DataStatistics known = starts.get(kind);
        return known.count() > 0 ? known.mean() : unknown;
    }

    /**
     * @param overdue whether it has taken longer than such attempts usually take
     */
    RecentPace pace(TaskAttemptId attempt, boolean overdue, long now) {
        ProgressTrack track = tracks.get(attempt);
        return track == null ? RecentPace.UNKNOWN : track.pace(overdue, now);
    }
}
