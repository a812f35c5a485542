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

import java.io.DataInput;
import java.io.DataOutput;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.InputFormat;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.mapreduce.JobContext;
import org.apache.hadoop.mapreduce.RecordReader;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.hadoop.mapreduce.lib.output.FileOutputCommitter;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.example.UsersOwn;

/**
 * Records 1, 2, 3, … with the reading attempt's id as value, until somebody makes the file {@link
 * #END} in the working directory. How far it is stands in the file {@link #POSITION}.
 */
public final class CountedInput extends InputFormat<LongWritable, Text> {
    static final String END = "end";
    static final String POSITION = "position";

    /**
     * Key of the job: what the map does besides, "process", "thread", "file"; or what {@link
     * #WHERE} is for.
     */
    static final String BESIDES = "counted.besides";

    /** Key of the job: the port of its "connection", the file to be written "elsewhere". */
    static final String WHERE = "counted.where";

    /** It does that when somebody has made this file. */
    static final String NOW = "now";

    private static final int RECORDS_PER_PAUSE = 20;

    @Override
    public List<InputSplit> getSplits(JobContext context) {
        return List.of(new Split());
    }

    @Override
    public RecordReader<LongWritable, Text> createRecordReader(
            InputSplit split, TaskAttemptContext context) {
        return new Counting();
    }

    /** The only one, without anything in it. */
    public static final class Split extends InputSplit
            implements org.apache.hadoop.mapred.InputSplit {
        @Override
        public long getLength() {
            return 0;
        }

        @Override
        public String[] getLocations() {
            return new String[0];
        }

        @Override
        public void write(DataOutput out) {}

        @Override
        public void readFields(DataInput in) {}
    }

    /** Reads for both of Hadoop's APIs. */
    static final class Counting extends RecordReader<LongWritable, Text> {
        private final LongWritable number = new LongWritable();
        private final Text reader = new Text();
        private Supplier<String> attempt;
        private TaskAttemptContext context;
        private RandomAccessFile position;
        private OwnConnection connection;

        @Override
        public void initialize(InputSplit split, TaskAttemptContext of) throws IOException {
            context = of;
            int port = of.getConfiguration().getInt(OwnConnection.PORT, 0);
            if (port > 0) {
                connection = new OwnConnection(port, () -> context.getTaskAttemptID().toString());
            }
            open(() -> context.getTaskAttemptID().toString());
        }

        /**
         * @param of tells the id of the attempt that reads
         */
        void open(Supplier<String> of) throws IOException {
            attempt = of;
            position = new RandomAccessFile(POSITION, "rw");
        }

        private void doBesides() throws IOException {
            String where = context.getConfiguration().get(WHERE);
            switch (context.getConfiguration().get(BESIDES, "nothing")) {
                case "process" -> new ProcessBuilder("sleep", "1000").start();
                case "thread" -> UsersOwn.startRestless();
                case "file" -> writeFile();
                case "connection" ->
                        UsersOwn.keep(new Socket("127.0.0.1", Integer.parseInt(where)));
                case "elsewhere" -> UsersOwn.keep(new FileOutputStream(where));
                default -> {}
            }
        }

        /** As MultipleOutputs do. */
        private void writeFile() throws IOException {
            org.apache.hadoop.fs.Path output = FileOutputFormat.getOutputPath(context);
            FileOutputCommitter committer = new FileOutputCommitter(output, context);
            org.apache.hadoop.fs.Path file =
                    new org.apache.hadoop.fs.Path(committer.getWorkPath(), "besides");
            file.getFileSystem(context.getConfiguration()).create(file).close();
        }

        @Override
        public boolean nextKeyValue() throws IOException {
            long last = number.get();
            if (last % RECORDS_PER_PAUSE == 0) {
                if (Files.exists(Path.of(END))) {
                    return false;
                }
                if (Files.deleteIfExists(Path.of(NOW))) {
                    doBesides();
                }
                if (connection != null) {
                    connection.use();
                }
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
            }
            number.set(last + 1);
            reader.set(attempt.get());
            position.seek(0);
            position.writeLong(number.get());
            return true;
        }

        @Override
        public LongWritable getCurrentKey() {
            return number;
        }

        @Override
        public Text getCurrentValue() {
            return reader;
        }

        @Override
        public float getProgress() {
            return 0.5f;
        }

        @Override
        public void close() throws IOException {
            position.close();
        }
    }
}
