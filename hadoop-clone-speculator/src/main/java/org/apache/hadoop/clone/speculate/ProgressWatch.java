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
    /**
     * With less, most of an attempt's time was its start, and no estimate by its pace is any good.
     */
    private static final float STARTED = 0.01f;

    /** Times what others took to start. */
    private static final double LATE = 1.5;

    /** The same as long as most haven't started: then those that have were the quick ones. */
    private static final double VERY_LATE = 3;

    private final long reportMillis;
    private final Map<TaskAttemptId, ProgressTrack> tracks = new ConcurrentHashMap<>();

    /** When those began that haven't started yet. */
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
            hasStarted(attempt, now);
        }
    }

    private void hasStarted(TaskAttemptId attempt, long now) {
        Long start = starting.remove(attempt);
        if (start != null) {
            starts.get(attempt.getTaskId().getTaskType()).add(now - start);
        }
    }

    /** With success, perhaps before it has reported anything. */
    void succeeded(TaskAttemptId attempt, long now) {
        hasStarted(attempt, now);
        ended(attempt);
    }

    /** In whatever way. */
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
        double late = haveMostStarted(kind) ? LATE : VERY_LATE;
        return progress < STARTED
                && elapsed < Math.max(mean, late * usualStart(kind, mean)) + reportMillis;
    }

    private boolean haveMostStarted(TaskType kind) {
        long notYet =
                starting.keySet().stream()
                        .filter(attempt -> attempt.getTaskId().getTaskType() == kind)
                        .count();
        return starts.get(kind).count() >= notYet;
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
