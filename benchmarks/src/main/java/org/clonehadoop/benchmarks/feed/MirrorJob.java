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
package org.clonehadoop.benchmarks.feed;

import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.hadoop.mapreduce.v2.api.records.JobId;
import org.apache.hadoop.mapreduce.v2.api.records.JobState;
import org.apache.hadoop.mapreduce.v2.api.records.TaskId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskType;
import org.apache.hadoop.mapreduce.v2.app.job.Task;
import org.apache.hadoop.mapreduce.v2.util.MRBuilderUtils;

/** A job as its AppMaster knows it. */
public final class MirrorJob extends UnaskedJob {
    private final JobId id;
    private final Map<TaskType, Map<TaskId, Task>> tasks = new EnumMap<>(TaskType.class);
    private final int maps;
    private final int reduces;
    private volatile int completedMaps;
    private volatile int completedReduces;

    /** Tasks are numbered from 0, and have no attempts yet. */
    public MirrorJob(JobId id, int maps, int reduces) {
        this.id = id;
        this.maps = maps;
        this.reduces = reduces;
        tasks.put(TaskType.MAP, tasks(TaskType.MAP, maps));
        tasks.put(TaskType.REDUCE, tasks(TaskType.REDUCE, reduces));
    }

    private Map<TaskId, Task> tasks(TaskType kind, int count) {
        Map<TaskId, Task> all = new LinkedHashMap<>();
        for (int number = 0; number < count; number++) {
            TaskId task = MRBuilderUtils.newTaskId(id, number, kind);
            all.put(task, new MirrorTask(task));
        }
        return Collections.unmodifiableMap(all);
    }

    @Override
    public JobId getID() {
        return id;
    }

    /** A feed ends with its job. */
    @Override
    public JobState getState() {
        return JobState.RUNNING;
    }

    @Override
    public Map<TaskId, Task> getTasks() {
        Map<TaskId, Task> all = new LinkedHashMap<>(tasks.get(TaskType.MAP));
        all.putAll(tasks.get(TaskType.REDUCE));
        return all;
    }

    /** In the order of their numbers. */
    @Override
    public Map<TaskId, Task> getTasks(TaskType kind) {
        return tasks.get(kind);
    }

    /** Null if there is none. */
    @Override
    public MirrorTask getTask(TaskId task) {
        return (MirrorTask) tasks.get(task.getTaskType()).get(task);
    }

    @Override
    public int getTotalMaps() {
        return maps;
    }

    @Override
    public int getTotalReduces() {
        return reduces;
    }

    @Override
    public int getCompletedMaps() {
        return completedMaps;
    }

    public void setCompletedMaps(int count) {
        completedMaps = count;
    }

    @Override
    public int getCompletedReduces() {
        return completedReduces;
    }

    public void setCompletedReduces(int count) {
        completedReduces = count;
    }

    /** A feed's tasks succeed. */
    @Override
    public int getFailedMaps() {
        return 0;
    }

    @Override
    public int getFailedReduces() {
        return 0;
    }

    @Override
    public int getKilledMaps() {
        return 0;
    }

    @Override
    public int getKilledReduces() {
        return 0;
    }
}
