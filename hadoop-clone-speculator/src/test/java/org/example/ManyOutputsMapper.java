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
package org.example;

import java.io.IOException;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.lib.output.MultipleOutputs;

/** Deals its records out to {@link #COUNT} files, of which each has little. */
public final class ManyOutputsMapper extends Mapper<LongWritable, Text, LongWritable, Text> {
    public static final int COUNT = 20;

    /** What the files' names begin with. */
    public static final String NAME = "many";

    private MultipleOutputs<LongWritable, Text> outputs;

    @Override
    protected void setup(Context context) {
        outputs = new MultipleOutputs<>(context);
    }

    @Override
    protected void map(LongWritable number, Text reader, Context context)
            throws IOException, InterruptedException {
        outputs.write(number, reader, NAME + number.get() % COUNT);
    }

    @Override
    protected void cleanup(Context context) throws IOException, InterruptedException {
        outputs.close();
    }
}
