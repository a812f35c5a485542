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
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.MRConfig;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;

/** Runs a job of its own, with a reduce, in its own process before its first record. */
public final class NestedJobMapper extends Mapper<LongWritable, Text, LongWritable, Text> {
    /** Directory of that job's output, in the working directory. */
    static final String OUTPUT = "nested-output";

    private static final String INPUT = "nested-input";

    @Override
    protected void setup(Context context) throws IOException, InterruptedException {
        Files.writeString(Path.of(INPUT), "b\na\n");
        Configuration conf = new Configuration();
        conf.set("fs.defaultFS", "file:///");
        conf.setInt(MRJobConfig.IO_SORT_MB, 1);
        conf.set(MRConfig.FRAMEWORK_NAME, MRConfig.LOCAL_FRAMEWORK_NAME);
        conf.set("hadoop.tmp.dir", Path.of("nested-tmp").toAbsolutePath().toString());
        Job job = Job.getInstance(conf);
        FileInputFormat.addInputPath(job, new org.apache.hadoop.fs.Path(INPUT));
        FileOutputFormat.setOutputPath(job, new org.apache.hadoop.fs.Path(OUTPUT));
        try {
            if (!job.waitForCompletion(false)) {
                throw new IOException("the job within the map failed");
            }
        } catch (ClassNotFoundException e) {
            throw new IOException(e);
        }
    }
}
