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
package org.apache.hadoop.clone.task;

import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapreduce.InputFormat;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.mapreduce.JobContext;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.RecordReader;
import org.apache.hadoop.mapreduce.TaskAttemptContext;

/**
 * Records of 100 bytes with random keys, as many as the job says, and a pause of a millisecond
 * after some of them, so that the map's speed is about the same on every machine.
 */
public final class GeneratedInput extends InputFormat<LongWritable, Text> {
    /** Key of the job: how many records, without end by default. */
    static final String RECORDS = "generated.records";

    /** Key of the job: records between two pauses, 0 for no pauses. */
    static final String RECORDS_PER_PAUSE = "generated.records-per-pause";

    private static final int VALUE_BYTES = 91;

    /** A map of such records, which spills and reports as often as Hadoop's defaults say. */
    static JobConf job(int sortMegabytes) {
        JobConf job = TaskJvm.job();
        job.setClass(MRJobConfig.INPUT_FORMAT_CLASS_ATTR, GeneratedInput.class, InputFormat.class);
        job.setInt(MRJobConfig.IO_SORT_MB, sortMegabytes);
        job.unset(MRJobConfig.MAP_SORT_SPILL_PERCENT);
        job.unset(MRJobConfig.TASK_PROGRESS_REPORT_INTERVAL);
        return job;
    }

    @Override
    public List<InputSplit> getSplits(JobContext context) {
        return List.of(new CountedInput.Split());
    }

    @Override
    public RecordReader<LongWritable, Text> createRecordReader(
            InputSplit split, TaskAttemptContext context) {
        return new Generator();
    }

    private static final class Generator extends RecordReader<LongWritable, Text> {
        private final Random random = new Random(1);
        private final LongWritable key = new LongWritable();
        private final Text value = new Text();
        private long records;
        private long count;
        private int recordsPerPause;

        @Override
        public void initialize(InputSplit split, TaskAttemptContext context) {
            records = context.getConfiguration().getLong(RECORDS, Long.MAX_VALUE);
            recordsPerPause = context.getConfiguration().getInt(RECORDS_PER_PAUSE, 0);
            byte[] bytes = new byte[VALUE_BYTES];
            random.nextBytes(bytes);
            value.set(bytes);
        }

        @Override
        public boolean nextKeyValue() {
            if (count == records) {
                return false;
            }
            if (recordsPerPause > 0 && count % recordsPerPause == 0) {
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
            }
            count++;
            key.set(random.nextLong());
            return true;
        }

        @Override
        public LongWritable getCurrentKey() {
            return key;
        }

        @Override
        public Text getCurrentValue() {
            return value;
        }

        @Override
        public float getProgress() {
            return (float) count / records;
        }

        @Override
        public void close() {}
    }
}
