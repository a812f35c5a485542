package org.apache.hadoop.clone.speculate;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;

/** When each running attempt last moved. */
final class ProgressWatch {
    // As long as stock's speculator waits before it takes a report to be missing.
    private static final long SILENT_MILLIS = 9_000;

    /** What Hadoop's estimators, too, can't tell from no progress at all. */
    private static final double STARTED = 0.0001;

    private record Mark(float progress, long since) {}

    private final long reportMillis;
    private final Map<TaskAttemptId, Mark> marks = new ConcurrentHashMap<>();

    /**
     * @param reportMillis how long after its start a task reports for the first time at the latest
     */
    ProgressWatch(long reportMillis) {
        this.reportMillis = reportMillis;
    }

    /** It hasn't reported yet, and counts from now on. */
    void started(TaskAttemptId attempt, long now) {
        reported(attempt, 0, now);
    }

    void reported(TaskAttemptId attempt, float progress, long now) {
        marks.merge(
                attempt,
                new Mark(progress, now),
                (last, next) -> next.progress() == last.progress() ? last : next);
    }

    void ended(TaskAttemptId attempt) {
        marks.remove(attempt);
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

    /** Whether it hasn't moved for so long that its estimate says nothing any more. */
    boolean isSilent(TaskAttemptId attempt, long now) {
        Mark mark = marks.get(attempt);
        return mark != null && now - mark.since() > SILENT_MILLIS;
    }
}
