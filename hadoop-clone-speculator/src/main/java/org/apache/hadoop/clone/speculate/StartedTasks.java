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

import java.util.Collection;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.mapreduce.v2.api.records.TaskId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskState;
import org.apache.hadoop.mapreduce.v2.api.records.TaskType;
import org.apache.hadoop.mapreduce.v2.app.job.Task;

/**
 * The tasks that have begun, as far as they aren't over. A large job has far more that are or that
 * wait, and to visit each of those, or only to ask a job for its tasks, takes longer than all the
 * rest. Thread-safe.
 */
final class StartedTasks {
    private final Map<TaskType, Map<TaskId, StartedTask>> tasks = new EnumMap<>(TaskType.class);

    StartedTasks() {
        for (TaskType kind : TaskType.values()) {
            tasks.put(kind, new ConcurrentHashMap<>());
        }
    }

    /**
     * Again, too, if its output was lost.
     *
     * @param neededContainers that it has asked for and not been given
     */
    void began(Task task, int neededContainers) {
        // While it is checked for its end nothing begins.
        ofKind(task.getID())
                .compute(
                        task.getID(),
                        (id, known) -> {
                            StartedTask started = known == null ? new StartedTask(task) : known;
                            started.needs(neededContainers);
                            return started;
                        });
    }

    /** Empty if it hasn't begun, or is over. */
    Optional<StartedTask> find(TaskId task) {
        return Optional.ofNullable(ofKind(task).get(task));
    }

    /** Those of all jobs, as an AppMaster has only one. */
    Collection<StartedTask> of(TaskType kind) {
        return tasks.get(kind).values();
    }

    /** Forgets the task if it is over and nothing of it runs any more. */
    void checkOver(Task task) {
        ofKind(task.getID())
                .computeIfPresent(task.getID(), (id, known) -> isOver(task) ? null : known);
    }

    private static boolean isOver(Task task) {
        TaskState state = task.getState();
        return (state == TaskState.SUCCEEDED
                        || state == TaskState.FAILED
                        || state == TaskState.KILLED)
                && task.getAttempts().values().stream()
                        .noneMatch(attempt -> StragglerScan.isUnderWay(attempt.getState()));
    }

    private Map<TaskId, StartedTask> ofKind(TaskId task) {
        return tasks.get(task.getTaskType());
    }
}
