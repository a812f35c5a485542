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
import org.crac.Core;
import org.crac.Resource;

/**
 * Has two more files open, one of which no clone could go on with, and ends both before a clone:
 * the other is part of its output then.
 */
public final class ClosingMapper extends Mapper<LongWritable, Text, LongWritable, Text>
        implements Resource {
    private String attempt;
    private FSDataOutputStream inOutput;
    private FSDataOutputStream elsewhere;

    @Override
    protected void setup(Context context) throws IOException, InterruptedException {
        attempt = context.getTaskAttemptID().toString();
        FileSystem system = FileSystem.get(context.getConfiguration());
        inOutput =
                system.create(
                        new Path(FileOutputFormat.getWorkOutputPath(context), LastFileMapper.NAME));
        elsewhere = system.create(new Path("/elsewhere"));
        Core.getGlobalContext().register(this);
    }

    @Override
    public void beforeCheckpoint(org.crac.Context<? extends Resource> context) throws IOException {
        inOutput.writeUTF(attempt);
        inOutput.close();
        elsewhere.close();
    }

    @Override
    public void afterRestore(org.crac.Context<? extends Resource> context) {}
}
