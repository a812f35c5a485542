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
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Mapper;

/** Passes its records on, and adds to a file now and then, which is closed otherwise. */
public final class AppendingMapper extends Mapper<LongWritable, Text, LongWritable, Text> {
    /** Key of the job: the file. */
    public static final String FILE = "appending.file";

    private static final int RECORDS_PER_BYTE = 20;

    private Path file;

    @Override
    protected void setup(Context context) {
        file = Path.of(context.getConfiguration().get(FILE));
    }

    @Override
    protected void map(LongWritable number, Text reader, Context context)
            throws IOException, InterruptedException {
        if (number.get() % RECORDS_PER_BYTE == 0) {
            Files.writeString(file, "x", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        }
        context.write(number, reader);
    }
}
