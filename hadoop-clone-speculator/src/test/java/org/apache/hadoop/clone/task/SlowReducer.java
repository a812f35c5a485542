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
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Reducer;

/**
 * Passes its records on; from the middle, where it makes the file {@link #HALFWAY}, slowly until
 * somebody makes the file {@link SlowOrder#HURRY}.
 */
public final class SlowReducer extends Reducer<LongWritable, Text, LongWritable, Text> {
    static final String HALFWAY = "halfway";
    static final int MIDDLE = 12_000;

    private int records;

    @Override
    protected void reduce(LongWritable key, Iterable<Text> values, Context context)
            throws IOException, InterruptedException {
        for (Text value : values) {
            pause(++records);
            context.write(key, value);
        }
    }

    static void pause(int records) throws IOException {
        if (records == MIDDLE) {
            Files.createFile(Path.of(HALFWAY));
        }
        if (records >= MIDDLE && !Files.exists(Path.of(SlowOrder.HURRY))) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
        }
    }
}
