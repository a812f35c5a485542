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

import static org.mockito.ArgumentMatchers.any;

import java.io.IOException;
import java.nio.file.Path;
import javax.crypto.SecretKey;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocalDirAllocator;
import org.apache.hadoop.io.compress.CompressionCodec;
import org.apache.hadoop.io.compress.DefaultCodec;
import org.apache.hadoop.mapreduce.MRConfig;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.TaskCounter;
import org.apache.hadoop.util.ReflectionUtils;
import org.mockito.Mockito;

/** A reduce outside of any container. */
public final class TestReduce extends ReduceTask {
    private final TaskReporter reporter;

    /**
     * @param dir becomes the only local directory
     * @param secret of the job's shuffle
     */
    public TestReduce(JobConf job, Path dir, TaskAttemptID id, SecretKey secret) {
        super("", id, id.getTaskID().getId(), job.getNumMapTasks(), 1);
        job.set(MRConfig.LOCAL_DIR, dir.toString());
        job.set(MRJobConfig.TASK_ATTEMPT_ID, id.toString());
        setConf(job);
        setShuffleSecret(secret);
        reporter = new TaskReporter(getProgress(), null);
    }

    /** As {@link ReduceTask#run} makes it. */
    public <K, V> ShuffleConsumerPlugin.Context<K, V> context() throws IOException {
        JobConf job = (JobConf) getConf();
        YarnOutputFiles files = new YarnOutputFiles();
        files.setConf(job);
        TaskUmbilicalProtocol umbilical = Mockito.mock(TaskUmbilicalProtocol.class);
        AMFeedback known = new AMFeedback();
        known.setTaskFound(true);
        try {
            Mockito.when(umbilical.statusUpdate(any(), any())).thenReturn(known);
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
        return new ShuffleConsumerPlugin.Context<>(
                getTaskID(),
                job,
                FileSystem.getLocal(job),
                umbilical,
                new LocalDirAllocator(MRConfig.LOCAL_DIR),
                reporter,
                codec(job),
                null,
                null,
                count(TaskCounter.SPILLED_RECORDS),
                count(TaskCounter.COMBINE_INPUT_RECORDS),
                count(TaskCounter.SHUFFLED_MAPS),
                count(TaskCounter.REDUCE_SHUFFLE_BYTES),
                count(TaskCounter.FAILED_SHUFFLE),
                count(TaskCounter.MERGED_MAP_OUTPUTS),
                taskStatus,
                getProgress().addPhase("copy"),
                getProgress().addPhase("sort"),
                this,
                files,
                null);
    }

    private static CompressionCodec codec(JobConf job) {
        return job.getCompressMapOutput()
                ? ReflectionUtils.newInstance(
                        job.getMapOutputCompressorClass(DefaultCodec.class), job)
                : null;
    }

    private Counters.Counter count(TaskCounter counter) {
        return reporter.getCounter(counter);
    }

    public long counter(TaskCounter counter) {
        return count(counter).getCounter();
    }
}
