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
import org.apache.hadoop.fs.FileSystem;
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

    /** Key of the job: what it keeps, as no clone may: that file's "path", or its "id" as text. */
    static final String KEPT = "last.kept";

    private Path directory;
    private Path file;
    private String id;

    @Override
    protected void setup(Context context) throws IOException, InterruptedException {
        directory = FileOutputFormat.getWorkOutputPath(context);
        file = new Path(directory, NAME);
        id = context.getTaskAttemptID().toString();
    }

    @Override
    protected void cleanup(Context context) throws IOException {
        String kept = context.getConfiguration().get(KEPT, "");
        FileSystem system = directory.getFileSystem(context.getConfiguration());
        if (kept.equals("id")) {
            system.mkdirs(new Path("/made-by", id));
        }
        Path last = kept.equals("path") ? file : new Path(directory, NAME);
        try (FSDataOutputStream out = system.create(last, true)) {
            out.writeUTF(context.getTaskAttemptID().toString());
        }
    }
}
