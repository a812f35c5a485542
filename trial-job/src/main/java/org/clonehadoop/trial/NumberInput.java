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
package org.clonehadoop.trial;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.io.Writable;
import org.apache.hadoop.mapreduce.InputFormat;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.mapreduce.JobContext;
import org.apache.hadoop.mapreduce.RecordReader;
import org.apache.hadoop.mapreduce.TaskAttemptContext;

/** Made-up input: each map gets as many numbers, and no file is read. */
public final class NumberInput extends InputFormat<LongWritable, NullWritable> {
    static final String MAPS = "clonehadoop.trial.maps";
    static final String RECORDS = "clonehadoop.trial.records";

    /** The numbers from {@code first} on. */
    public static final class Numbers extends InputSplit implements Writable {
        private long first;
        private long count;

        public Numbers() {}

        Numbers(long first, long count) {
            this.first = first;
            this.count = count;
        }

        @Override
        public long getLength() {
            return count;
        }

        @Override
        public String[] getLocations() {
            return new String[0];
        }

        @Override
        public void write(DataOutput out) throws IOException {
            out.writeLong(first);
            out.writeLong(count);
        }

        @Override
        public void readFields(DataInput in) throws IOException {
            first = in.readLong();
            count = in.readLong();
        }
    }

    private static final class Reader extends RecordReader<LongWritable, NullWritable> {
        private final LongWritable number = new LongWritable();
        private Numbers split;
        private long done;

        @Override
        public void initialize(InputSplit numbers, TaskAttemptContext context) {
            split = (Numbers) numbers;
        }

        @Override
        public boolean nextKeyValue() {
            number.set(split.first + done);
            return done++ < split.count;
        }

        @Override
        public LongWritable getCurrentKey() {
            return number;
        }

        @Override
        public NullWritable getCurrentValue() {
            return NullWritable.get();
        }

        @Override
        public float getProgress() {
            return Math.min(1, (float) done / split.count);
        }

        @Override
        public void close() {}
    }

    @Override
    public List<InputSplit> getSplits(JobContext context) {
        int maps = context.getConfiguration().getInt(MAPS, 0);
        long records = context.getConfiguration().getLong(RECORDS, 0);
        List<InputSplit> splits = new ArrayList<>();
        for (int map = 0; map < maps; map++) {
            splits.add(new Numbers(map * records, records));
        }
        return splits;
    }

    @Override
    public RecordReader<LongWritable, NullWritable> createRecordReader(
            InputSplit split, TaskAttemptContext context) {
        return new Reader();
    }
}
