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

import java.io.IOException;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.TaskAttemptID;

/**
 * Waits for a moment at each record, so that it takes time and no processor. The first attempt of
 * map 1 waits a hundred times as long from 60 % of its records on; any other attempt, a clone of it
 * as well, doesn't.
 */
public final class StragglingMapper
        extends Mapper<LongWritable, NullWritable, LongWritable, LongWritable> {
    static final long MILLIS_A_RECORD = 10;
    private static final int SLOWDOWN = 100;
    private static final double ONSET = 0.6;

    private final LongWritable bucket = new LongWritable();
    private long records;
    private long seen;

    @Override
    protected void setup(Context context) {
        records = context.getConfiguration().getLong(NumberInput.RECORDS, 0);
    }

    @Override
    protected void map(LongWritable number, NullWritable nothing, Context context)
            throws IOException, InterruptedException {
        bucket.set(number.get() % 10);
        context.write(bucket, number);
        seen++;
        Thread.sleep(MILLIS_A_RECORD * slowdown(context.getTaskAttemptID(), seen, records));
    }

    /** How many times as long an attempt waits after {@code seen} of its records. */
    static int slowdown(TaskAttemptID attempt, long seen, long records) {
        boolean straggler = attempt.getTaskID().getId() == 1 && attempt.getId() == 0;
        return straggler && seen > ONSET * records ? SLOWDOWN : 1;
    }
}
