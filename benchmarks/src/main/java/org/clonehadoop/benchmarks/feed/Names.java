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

import java.util.Locale;
import org.apache.hadoop.mapreduce.v2.api.records.JobId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskType;
import org.apache.hadoop.mapreduce.v2.util.MRApps;
import org.apache.hadoop.mapreduce.v2.util.MRBuilderUtils;

/** Short names of tasks and attempts within a job: {@code m_000003}, {@code r_000000_1}. */
public final class Names {
    private Names() {}

    public static String of(TaskId task) {
        char kind = task.getTaskType() == TaskType.MAP ? 'm' : 'r';
        return String.format(Locale.ROOT, "%c_%06d", kind, task.getId());
    }

    public static String of(TaskAttemptId attempt) {
        return of(attempt.getTaskId()) + "_" + attempt.getId();
    }

    static JobId job(String name) {
        return MRApps.toJobID(name);
    }

    /**
     * @throws IllegalArgumentException if the name isn't like {@code m_000003}
     */
    public static TaskId task(JobId job, String name) {
        String[] parts = parts(name, 2);
        return MRBuilderUtils.newTaskId(
                job,
                Integer.parseInt(parts[1]),
                parts[0].equals("m") ? TaskType.MAP : TaskType.REDUCE);
    }

    /**
     * @throws IllegalArgumentException if the name isn't like {@code m_000003_0}
     */
    public static TaskAttemptId attempt(JobId job, String name) {
        String[] parts = parts(name, 3);
        return MRBuilderUtils.newTaskAttemptId(
                task(job, parts[0] + "_" + parts[1]), Integer.parseInt(parts[2]));
    }

    private static String[] parts(String name, int count) {
        String[] parts = name.split("_", -1);
        if (parts.length != count || !name.matches("[mr](_\\d+)+")) {
            throw new IllegalArgumentException(
                    "'" + name + "' is no name of " + (count == 2 ? "a task" : "an attempt"));
        }
        return parts;
    }
}
