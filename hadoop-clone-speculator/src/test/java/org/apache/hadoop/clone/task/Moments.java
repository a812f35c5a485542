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
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.OutputCommitter;
import org.apache.hadoop.mapreduce.RecordWriter;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.hadoop.mapreduce.lib.output.TextOutputFormat;

/**
 * Moments of a task's life at which it waits until a test lets it go on: user code of all sorts,
 * called by Hadoop at its times.
 */
final class Moments {
    private Moments() {}

    /**
     * At a moment for the first time, the task's own thread makes a file of its name, and waits.
     */
    private static void at(String moment) {
        if (!Thread.currentThread().getName().equals("main") || Files.exists(Path.of(moment))) {
            return;
        }
        try {
            Files.createFile(Path.of(moment));
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
        while (!Files.exists(Path.of(moment + ".over"))) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
        }
    }

    /** Of {@link #at}, in a task's working directory. */
    static boolean isAt(Path work, String moment) {
        return Files.exists(work.resolve(moment));
    }

    static void over(Path work, String moment) throws IOException {
        Files.createFile(work.resolve(moment + ".over"));
    }

    /** Waits before its first record and after its last. */
    public static final class Records extends Mapper<LongWritable, Text, LongWritable, Text> {
        @Override
        protected void setup(Context context) {
            at("before-records");
        }

        @Override
        protected void cleanup(Context context) {
            at("after-records");
        }
    }

    /** Waits when a map's output is sorted. */
    public static final class Order extends LongWritable.Comparator {
        @Override
        public int compare(byte[] b1, int s1, int l1, byte[] b2, int s2, int l2) {
            at("merge");
            return super.compare(b1, s1, l1, b2, s2, l2);
        }
    }

    /** Waits when the task is set up, and when its output is opened and closed. */
    public static final class Output extends TextOutputFormat<LongWritable, Text> {
        @Override
        public OutputCommitter getOutputCommitter(TaskAttemptContext context) throws IOException {
            at("set-up");
            return super.getOutputCommitter(context);
        }

        @Override
        public RecordWriter<LongWritable, Text> getRecordWriter(TaskAttemptContext context)
                throws IOException, InterruptedException {
            at("open");
            RecordWriter<LongWritable, Text> writer = super.getRecordWriter(context);
            return new RecordWriter<>() {
                @Override
                public void write(LongWritable key, Text value)
                        throws IOException, InterruptedException {
                    writer.write(key, value);
                }

                @Override
                public void close(TaskAttemptContext of) throws IOException, InterruptedException {
                    at("close");
                    writer.close(of);
                }
            };
        }
    }
}
