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
import org.apache.hadoop.mapreduce.Reducer;

/** Adds up the numbers of each bucket; and all of them in a counter. */
public final class SumReducer
        extends Reducer<LongWritable, LongWritable, LongWritable, LongWritable> {
    /** What the job's user looks at. */
    enum Sum {
        NUMBERS,
        TOTAL
    }

    @Override
    protected void reduce(LongWritable bucket, Iterable<LongWritable> numbers, Context context)
            throws IOException, InterruptedException {
        long count = 0;
        long sum = 0;
        for (LongWritable number : numbers) {
            count++;
            sum += number.get();
        }
        context.getCounter(Sum.NUMBERS).increment(count);
        context.getCounter(Sum.TOTAL).increment(sum);
        context.write(bucket, new LongWritable(sum));
    }
}
