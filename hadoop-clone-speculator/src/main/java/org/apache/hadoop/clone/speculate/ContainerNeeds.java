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

import java.util.EnumMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.mapreduce.v2.api.records.JobId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskType;

/** How many containers each task has asked for and not been given yet. Thread-safe. */
final class ContainerNeeds {
    private final Map<TaskId, Integer> needs = new ConcurrentHashMap<>();
    private final Set<JobId> jobs = ConcurrentHashMap.newKeySet();
    private final Map<TaskType, AtomicInteger> all = new EnumMap<>(TaskType.class);

    ContainerNeeds() {
        for (TaskType kind : TaskType.values()) {
            all.put(kind, new AtomicInteger());
        }
    }

    void changed(TaskId task, int change) {
        jobs.add(task.getJobId());
        needs.compute(
                task,
                (id, known) -> {
                    int before = known == null ? 0 : known;
                    int now = before + change;
                    all.get(id.getTaskType()).addAndGet(Math.max(0, now) - Math.max(0, before));
                    return now == 0 ? null : now;
                });
    }

    int of(TaskId task) {
        return Math.max(0, needs.getOrDefault(task, 0));
    }

    /** All jobs that ever asked. */
    Set<JobId> jobs() {
        return jobs;
    }

    /**
     * Containers that first attempts wait for; of all jobs, as an AppMaster has only one.
     *
     * @param forOthers how many of them are for tasks that have an attempt, and wait for another
     */
    int waiting(TaskType type, int forOthers) {
        return all.get(type).get() - forOthers;
    }
}
