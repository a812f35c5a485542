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
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.lib.output.MultipleOutputs;

/** Passes its records on, and writes them to a file of its own as well. */
public final class SideOutputMapper extends Mapper<LongWritable, Text, LongWritable, Text> {
    /** Of the output's name, and of its files'. */
    static final String SIDE = "side";

    private MultipleOutputs<LongWritable, Text> outputs;

    @Override
    protected void setup(Context context) {
        outputs = new MultipleOutputs<>(context);
    }

    @Override
    protected void map(LongWritable number, Text reader, Context context)
            throws IOException, InterruptedException {
        context.write(number, reader);
        outputs.write(SIDE, number, reader);
    }

    @Override
    protected void cleanup(Context context) throws IOException, InterruptedException {
        outputs.close();
    }
}
