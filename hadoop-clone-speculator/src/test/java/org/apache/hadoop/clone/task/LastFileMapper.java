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
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;

/**
 * Asks at its beginning where it may write files besides its output, and writes one at its end with
 * its attempt's id in it.
 */
public final class LastFileMapper extends Mapper<LongWritable, Text, LongWritable, Text> {
    static final String NAME = "last";

    /** Key of the job: whether it keeps that file's own path, which no clone may. */
    static final String FULL_NAME = "last.full-name";

    private Path directory;
    private Path file;

    @Override
    protected void setup(Context context) throws IOException, InterruptedException {
        directory = FileOutputFormat.getWorkOutputPath(context);
        file = new Path(directory, NAME);
    }

    @Override
    protected void cleanup(Context context) throws IOException {
        boolean full = context.getConfiguration().getBoolean(FULL_NAME, false);
        Path last = full ? file : new Path(directory, NAME);
        try (FSDataOutputStream out =
                last.getFileSystem(context.getConfiguration()).create(last, true)) {
            out.writeUTF(context.getTaskAttemptID().toString());
        }
    }
}
