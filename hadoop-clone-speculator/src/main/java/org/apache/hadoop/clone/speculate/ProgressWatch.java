package org.apache.hadoop.clone.speculate;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;

/** When each running attempt last moved. */
final class ProgressWatch {
    // As long as stock's speculator waits before it takes a report to be missing.
    private static final long SILENT_MILLIS = 9_000;

    private record Mark(float progress, long since) {}

    private final Map<TaskAttemptId, Mark> marks = new ConcurrentHashMap<>();

    void reported(TaskAttemptId attempt, float progress, long now) {
        marks.merge(
                attempt,
                new Mark(progress, now),
                (last, next) -> next.progress() == last.progress() ? last : next);
    }

    void ended(TaskAttemptId attempt) {
        marks.remove(attempt);
    }

    boolean isSilent(TaskAttemptId attempt, long now) {
        Mark mark = marks.get(attempt);
        return mark != null && now - mark.since() > SILENT_MILLIS;
    }
}
