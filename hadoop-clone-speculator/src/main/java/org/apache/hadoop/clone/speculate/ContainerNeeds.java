package org.apache.hadoop.clone.speculate;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.mapreduce.v2.api.records.JobId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskType;

/** How many containers each job has asked for and not been given yet, by kind of task. */
final class ContainerNeeds {
    private record Kind(JobId job, TaskType type) {}

    private final Map<Kind, AtomicInteger> needs = new ConcurrentHashMap<>();
    private final Set<JobId> jobs = ConcurrentHashMap.newKeySet();

    void changed(TaskId task, int change) {
        jobs.add(task.getJobId());
        needs.computeIfAbsent(
                        new Kind(task.getJobId(), task.getTaskType()), kind -> new AtomicInteger())
                .addAndGet(change);
    }

    /** All jobs that ever asked. */
    Set<JobId> jobs() {
        return jobs;
    }

    int waiting(JobId job, TaskType type) {
        AtomicInteger need = needs.get(new Kind(job, type));
        return need == null ? 0 : Math.max(0, need.get());
    }
}
