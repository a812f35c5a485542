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
import java.util.Iterator;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapred.MapReduceBase;
import org.apache.hadoop.mapred.OutputCollector;
import org.apache.hadoop.mapred.Reducer;
import org.apache.hadoop.mapred.Reporter;

/** {@link SlowReducer} by Hadoop's old API. */
public final class OldSlowReducer extends MapReduceBase
        implements Reducer<LongWritable, Text, LongWritable, Text> {
    private int records;

    @Override
    public void reduce(
            LongWritable key,
            Iterator<Text> values,
            OutputCollector<LongWritable, Text> output,
            Reporter reporter)
            throws IOException {
        while (values.hasNext()) {
            Text value = values.next();
            SlowReducer.pause(++records);
            output.collect(key, value);
        }
    }
}
