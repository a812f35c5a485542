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
package org.apache.hadoop.mapred;

import java.nio.file.Path;
import org.apache.hadoop.mapreduce.MRConfig;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.split.JobSplit.TaskSplitIndex;
import org.apache.hadoop.util.Progress;

/** A map outside of any container. */
public final class TestMap extends MapTask {
    private static final TaskAttemptID ID =
            TaskAttemptID.forName("attempt_1700000000000_0001_m_000000_0");

    private final Progress sort = new Progress();
    private final TaskReporter reporter;

    /**
     * The only one of its job.
     *
     * @param dir becomes the only local directory
     */
    public TestMap(JobConf job, Path dir) {
        this(only(job), dir, ID);
    }

    private static JobConf only(JobConf job) {
        job.setNumMapTasks(1);
        return job;
    }

    /** One of those that the job has. */
    public TestMap(JobConf job, Path dir, TaskAttemptID id) {
        super("", id, id.getTaskID().getId(), new TaskSplitIndex(), 1);
        job.set(MRConfig.LOCAL_DIR, dir.toString());
        job.set(MRJobConfig.TASK_ATTEMPT_ID, id.toString());
        job.setClass(MRConfig.TASK_LOCAL_OUTPUT_CLASS, YarnOutputFiles.class, MapOutputFile.class);
        setConf(job);
        reporter = new TaskReporter(getProgress(), null);
    }

    @Override
    public Progress getSortPhase() {
        return sort;
    }

    /** What stock does after the last record of a mapper that hasn't failed. */
    public void recordsRead() {
        setPhase(TaskStatus.Phase.SORT);
    }

    public MapOutputCollector.Context context() {
        return new MapOutputCollector.Context(this, (JobConf) getConf(), reporter);
    }

    public long counter(Enum<?> name) {
        return reporter.getCounter(name).getCounter();
    }
}
