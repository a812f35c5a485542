package org.apache.hadoop.clone.speculate;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.mapreduce.v2.api.records.TaskId;
import org.apache.hadoop.mapreduce.v2.app.job.Task;

/**
 * The tasks that were told to start another attempt and, for events take their time, haven't yet.
 * Another look at such a task would order a third one.
 */
final class OrderedRestarts {
    private final Map<TaskId, Integer> attemptsThen = new ConcurrentHashMap<>();

    void ordered(Task task) {
        attemptsThen.put(task.getID(), task.getAttempts().size());
    }

    boolean isAwaited(Task task) {
        Integer then = attemptsThen.get(task.getID());
        return then != null && task.getAttempts().size() <= then;
    }
}
