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
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Mapper;

/**
 * Passes its records on. Besides it has a pool that is mostly idle, a timer, and a file in HDFS
 * that it opens once and looks into now and then.
 */
public final class PooledMapper extends Mapper<LongWritable, Text, LongWritable, Text> {
    /** Key of the job: the file, with {@link #CONTENTS}. */
    public static final String SIDE_FILE = "pooled.side-file";

    public static final String CONTENTS = "known to all maps";

    private static final int RECORDS_PER_LOOK = 200;

    private final ExecutorService pool = Executors.newFixedThreadPool(3);
    private final ScheduledExecutorService timer = Executors.newScheduledThreadPool(1);
    private FSDataInputStream side;

    @Override
    protected void setup(Context context) throws IOException {
        Path file = new Path(context.getConfiguration().get(SIDE_FILE));
        side = file.getFileSystem(context.getConfiguration()).open(file);
        timer.scheduleWithFixedDelay(context::progress, 0, 10, TimeUnit.MILLISECONDS);
    }

    @Override
    protected void map(LongWritable number, Text reader, Context context)
            throws IOException, InterruptedException {
        if (number.get() % RECORDS_PER_LOOK == 0) {
            try {
                pool.submit(this::look).get();
            } catch (ExecutionException e) {
                throw new IOException(e);
            }
        }
        context.write(number, reader);
    }

    private Void look() throws IOException {
        byte[] read = new byte[CONTENTS.length()];
        side.seek(0);
        side.readFully(read);
        if (!new String(read, java.nio.charset.StandardCharsets.US_ASCII).equals(CONTENTS)) {
            throw new IOException("not what is in the file");
        }
        return null;
    }

    @Override
    protected void cleanup(Context context) throws IOException {
        timer.shutdownNow();
        pool.shutdown();
        side.close();
    }
}
