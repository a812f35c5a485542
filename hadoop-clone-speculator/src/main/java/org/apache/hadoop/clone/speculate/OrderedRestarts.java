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
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptState;
import org.apache.hadoop.mapreduce.v2.api.records.TaskId;
import org.apache.hadoop.mapreduce.v2.app.job.Task;

/**
 * The tasks that were told to start another attempt and, for events take their time, haven't yet.
 * Another look at such a task would order a third one.
 */
final class OrderedRestarts {
    /**
     * @param attemptsThen how many the task had
     * @param inPlaceOf the one that is killed for it; null if none is
     */
    private record Order(int attemptsThen, TaskAttemptId inPlaceOf) {}

    private final Map<TaskId, Order> orders = new ConcurrentHashMap<>();

    void ordered(Task task) {
        orders.put(task.getID(), new Order(task.getAttempts().size(), null));
    }

    /** Hadoop begins it once it has killed the second attempt, if it still does. */
    void orderedInPlaceOf(TaskAttemptId second, Task task) {
        orders.put(task.getID(), new Order(task.getAttempts().size(), second));
    }

    boolean isAwaited(Task task) {
        Order order = orders.get(task.getID());
        return order != null
                && task.getAttempts().size() <= order.attemptsThen
                && (order.inPlaceOf == null || isKilled(task, order.inPlaceOf));
    }

    private static boolean isKilled(Task task, TaskAttemptId attempt) {
        return task.getAttempt(attempt).getState() == TaskAttemptState.KILLED;
    }
}
