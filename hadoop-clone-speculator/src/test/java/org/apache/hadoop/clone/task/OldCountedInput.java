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

import java.io.IOException;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapred.InputFormat;
import org.apache.hadoop.mapred.InputSplit;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.RecordReader;
import org.apache.hadoop.mapred.Reporter;
import org.apache.hadoop.mapreduce.MRJobConfig;

/** {@link CountedInput} for Hadoop's old API. */
public final class OldCountedInput implements InputFormat<LongWritable, Text> {
    @Override
    public InputSplit[] getSplits(JobConf job, int splits) {
        return new InputSplit[] {new CountedInput.Split()};
    }

    @Override
    public RecordReader<LongWritable, Text> getRecordReader(
            InputSplit split, JobConf job, Reporter reporter) throws IOException {
        CountedInput.Counting counting = new CountedInput.Counting();
        counting.open(() -> job.get(MRJobConfig.TASK_ATTEMPT_ID));
        return new Reader(counting);
    }

    private static final class Reader implements RecordReader<LongWritable, Text> {
        private final CountedInput.Counting counting;

        Reader(CountedInput.Counting counting) {
            this.counting = counting;
        }

        @Override
        public boolean next(LongWritable number, Text reader) throws IOException {
            boolean more = counting.nextKeyValue();
            number.set(counting.getCurrentKey().get());
            reader.set(counting.getCurrentValue());
            return more;
        }

        @Override
        public LongWritable createKey() {
            return new LongWritable();
        }

        @Override
        public Text createValue() {
            return new Text();
        }

        @Override
        public long getPos() {
            return counting.getCurrentKey().get();
        }

        @Override
        public float getProgress() {
            return counting.getProgress();
        }

        @Override
        public void close() throws IOException {
            counting.close();
        }
    }
}
