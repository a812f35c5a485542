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
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.mapreduce.v2.api.records.JobId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskType;

/** How many containers each task has asked for and not been given yet. */
final class ContainerNeeds {
    private final Map<TaskId, Integer> needs = new ConcurrentHashMap<>();
    private final Set<JobId> jobs = ConcurrentHashMap.newKeySet();

    void changed(TaskId task, int change) {
        jobs.add(task.getJobId());
        needs.merge(task, change, (before, more) -> before + more == 0 ? null : before + more);
    }

    /** All jobs that ever asked. */
    Set<JobId> jobs() {
        return jobs;
    }

    /**
     * Containers that first attempts wait for.
     *
     * @param speculated tasks that have an attempt, so that they wait for another one's
     */
    int waiting(JobId job, TaskType type, Set<TaskId> speculated) {
        return needs.entrySet().stream()
                .filter(need -> need.getKey().getTaskType() == type)
                .filter(need -> need.getKey().getJobId().equals(job))
                .filter(need -> !speculated.contains(need.getKey()))
                .mapToInt(need -> Math.max(0, need.getValue()))
                .sum();
    }
}
