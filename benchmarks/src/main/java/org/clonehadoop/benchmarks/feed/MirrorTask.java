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
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskState;
import org.apache.hadoop.mapreduce.v2.api.records.TaskType;
import org.apache.hadoop.mapreduce.v2.app.job.TaskAttempt;

/** A task as its AppMaster knows it. */
public final class MirrorTask extends UnaskedTask {
    private final TaskId id;
    // An AppMaster's other threads may look while an attempt is added.
    private final Map<TaskAttemptId, MirrorAttempt> attempts = new ConcurrentSkipListMap<>();
    private final Map<TaskAttemptId, TaskAttempt> asHadoops = Collections.unmodifiableMap(attempts);
    private volatile TaskState state = TaskState.NEW;

    MirrorTask(TaskId id) {
        this.id = id;
    }

    @Override
    public TaskId getID() {
        return id;
    }

    @Override
    public TaskType getType() {
        return id.getTaskType();
    }

    @Override
    public TaskState getState() {
        return state;
    }

    public void setState(TaskState state) {
        this.state = state;
    }

    /** In the order of their numbers. */
    @Override
    public Map<TaskAttemptId, TaskAttempt> getAttempts() {
        return asHadoops;
    }

    /** Null if there is none. */
    @Override
    public MirrorAttempt getAttempt(TaskAttemptId attempt) {
        return attempts.get(attempt);
    }

    /** The attempt, which is added if it wasn't there. */
    public MirrorAttempt attempt(TaskAttemptId attempt) {
        return attempts.computeIfAbsent(attempt, MirrorAttempt::new);
    }
}
