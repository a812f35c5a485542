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
