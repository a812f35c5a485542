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
