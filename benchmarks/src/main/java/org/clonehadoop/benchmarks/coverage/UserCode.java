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
package org.clonehadoop.benchmarks.coverage;

import java.io.File;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.StandardOpenOption;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.Timer;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.IntWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.Reducer;
import org.apache.hadoop.mapreduce.lib.map.TokenCounterMapper;
import org.apache.hadoop.mapreduce.lib.output.MultipleOutputs;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Mappers and reducers as users write them: each has something that Hadoop's own haven't. */
final class UserCode {
    private UserCode() {}

    /** A pool of threads, all idle after their first work. */
    public static final class IdlePool extends TokenCounterMapper {
        private final ExecutorService pool = Executors.newFixedThreadPool(2);

        @Override
        protected void setup(Context context) throws InterruptedException {
            pool.invokeAll(Collections.nCopies(2, () -> "work"));
        }

        @Override
        protected void cleanup(Context context) {
            pool.shutdown();
        }
    }

    /** A timer that waits. */
    public static final class WaitingTimer extends TokenCounterMapper {
        private final Timer timer = new Timer();

        @Override
        protected void cleanup(Context context) {
            timer.cancel();
        }
    }

    /** A connection to somebody, here the JobHistory server, for as long as the map runs. */
    public static final class Connection extends TokenCounterMapper {
        private Socket socket;

        @Override
        protected void setup(Context context) throws IOException {
            socket = new Socket("h0", 19888);
        }

        @Override
        protected void cleanup(Context context) throws IOException {
            socket.close();
        }
    }

    /** A file in HDFS that stays open, and is read now and then. */
    public static final class SideFile extends TokenCounterMapper {
        private FSDataInputStream side;
        private long records;

        @Override
        protected void setup(Context context) throws IOException {
            side = FileSystem.get(context.getConfiguration()).open(Inputs.SIDE);
        }

        @Override
        public void map(Object key, Text value, Context context)
                throws IOException, InterruptedException {
            if (++records % 1000 == 0) {
                side.seek(records % 4000);
                context.write(new Text("side" + side.readByte()), new IntWritable(1));
            }
            super.map(key, value, context);
        }

        @Override
        protected void cleanup(Context context) throws IOException {
            side.close();
        }
    }

    /** A file of the distributed cache, all of it in memory and still open. */
    public static final class CachedFile extends TokenCounterMapper {
        private final Set<String> lines = new HashSet<>();
        private RandomAccessFile open;

        @Override
        protected void setup(Context context) throws IOException {
            File file = new File(context.getCacheFiles()[0].getFragment());
            open = new RandomAccessFile(file, "r");
            lines.addAll(Files.readAllLines(file.toPath()));
        }

        @Override
        public void map(Object key, Text value, Context context)
                throws IOException, InterruptedException {
            if (lines.contains(value.toString())) {
                context.write(new Text("cached"), new IntWritable(1));
            }
            super.map(key, value, context);
        }

        @Override
        protected void cleanup(Context context) throws IOException, InterruptedException {
            context.write(new Text("length"), new IntWritable((int) open.length()));
            open.close();
        }
    }

    /** Counts in memory, and writes at its end. */
    public static final class InMemory extends Mapper<Object, Text, Text, IntWritable> {
        private final Map<String, Integer> counts = new TreeMap<>();

        @Override
        protected void map(Object key, Text line, Context context) {
            for (String word : line.toString().split(" ")) {
                counts.merge(word, 1, Integer::sum);
            }
        }

        @Override
        protected void cleanup(Context context) throws IOException, InterruptedException {
            for (Map.Entry<String, Integer> count : counts.entrySet()) {
                context.write(new Text(count.getKey()), new IntWritable(count.getValue()));
            }
        }
    }

    /** A scratch file of its own, written and mapped. */
    public static final class ScratchFile extends TokenCounterMapper {
        private RandomAccessFile file;
        private MappedByteBuffer mapped;
        private int records;

        @Override
        protected void setup(Context context) throws IOException {
            File scratch = File.createTempFile("scratch", ".bin");
            scratch.deleteOnExit();
            file = new RandomAccessFile(scratch, "rw");
            mapped = file.getChannel().map(FileChannel.MapMode.READ_WRITE, 0, 1 << 16);
        }

        @Override
        public void map(Object key, Text value, Context context)
                throws IOException, InterruptedException {
            mapped.putInt(0, mapped.getInt(0) + 1);
            file.seek(mapped.capacity() + 8L * records++);
            file.writeLong(records);
            super.map(key, value, context);
        }

        @Override
        protected void cleanup(Context context) throws IOException, InterruptedException {
            context.write(new Text("mapped"), new IntWritable(mapped.getInt(0)));
            context.write(
                    new Text("written"),
                    new IntWritable((int) (file.length() - mapped.capacity())));
            file.close();
        }
    }

    /** Twenty files instead of one. */
    public static final class TwentyFiles extends Reducer<Text, IntWritable, Text, IntWritable> {
        static final int FILES = 20;

        private MultipleOutputs<Text, IntWritable> outputs;

        @Override
        protected void setup(Context context) {
            outputs = new MultipleOutputs<>(context);
        }

        @Override
        protected void reduce(Text word, Iterable<IntWritable> counts, Context context)
                throws IOException, InterruptedException {
            int sum = 0;
            for (IntWritable count : counts) {
                sum += count.get();
            }
            int file = (word.toString().hashCode() & Integer.MAX_VALUE) % FILES;
            outputs.write(word, new IntWritable(sum), "file" + file);
        }

        @Override
        protected void cleanup(Context context) throws IOException, InterruptedException {
            outputs.close();
        }
    }

    /** The same of a map. */
    public static final class TwentyFilesOfMap extends Mapper<Object, Text, Text, IntWritable> {
        private MultipleOutputs<Text, IntWritable> outputs;

        @Override
        protected void setup(Context context) {
            outputs = new MultipleOutputs<>(context);
        }

        @Override
        protected void map(Object key, Text line, Context context)
                throws IOException, InterruptedException {
            int file = (line.toString().hashCode() & Integer.MAX_VALUE) % TwentyFiles.FILES;
            outputs.write(line, new IntWritable(line.getLength()), "file" + file);
        }

        @Override
        protected void cleanup(Context context) throws IOException, InterruptedException {
            outputs.close();
        }
    }

    /** Keeps what it has seen of all keys, and writes it at its end as well. */
    public static final class Histogram extends Reducer<Text, IntWritable, Text, IntWritable> {
        private final Map<Integer, Integer> histogram = new HashMap<>();

        @Override
        protected void reduce(Text word, Iterable<IntWritable> counts, Context context)
                throws IOException, InterruptedException {
            int sum = 0;
            for (IntWritable count : counts) {
                sum += count.get();
            }
            histogram.merge(sum, 1, Integer::sum);
            context.write(word, new IntWritable(sum));
        }

        @Override
        protected void cleanup(Context context) throws IOException, InterruptedException {
            for (Map.Entry<Integer, Integer> bar : new TreeMap<>(histogram).entrySet()) {
                context.write(new Text("sum" + bar.getKey()), new IntWritable(bar.getValue()));
            }
        }
    }

    /** Counts as many things as a job may, or nearly. */
    public static final class ManyCounters extends TokenCounterMapper {
        private long records;

        @Override
        public void map(Object key, Text value, Context context)
                throws IOException, InterruptedException {
            context.getCounter("users", "counter" + records++ % 105).increment(1);
            super.map(key, value, context);
        }
    }

    /** Maps a file of an archive from the distributed cache, and reads another one at its end. */
    public static final class CachedArchive extends TokenCounterMapper {
        private MappedByteBuffer mapped;
        private int at;
        private int sum;

        @Override
        protected void setup(Context context) throws IOException {
            try (RandomAccessFile file = new RandomAccessFile("archive/directory/lines", "r")) {
                mapped = file.getChannel().map(FileChannel.MapMode.READ_ONLY, 0, file.length());
            }
        }

        @Override
        public void map(Object key, Text value, Context context)
                throws IOException, InterruptedException {
            sum += mapped.get(at++ % mapped.limit());
            super.map(key, value, context);
        }

        @Override
        protected void cleanup(Context context) throws IOException, InterruptedException {
            int lines = Files.readAllLines(java.nio.file.Path.of("archive/directory/lines")).size();
            context.write(new Text("archive"), new IntWritable(sum + lines));
        }
    }

    /** Appends to a file outside of its own directories, which is open only meanwhile. */
    public static class Appended extends TokenCounterMapper {
        private java.nio.file.Path file;
        private long records;

        @Override
        protected void setup(Context context) throws IOException {
            file = java.nio.file.Path.of("/dev/shm/appended-" + name(context));
        }

        /** Of no other attempt's. */
        protected String name(Context context) {
            return context.getTaskAttemptID().toString();
        }

        @Override
        public void map(Object key, Text value, Context context)
                throws IOException, InterruptedException {
            if (++records % 10 == 0) {
                Files.writeString(file, "x", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
            }
            super.map(key, value, context);
        }

        @Override
        protected void cleanup(Context context) throws IOException, InterruptedException {
            context.write(new Text("appended"), new IntWritable((int) Files.size(file)));
            Files.delete(file);
        }
    }

    /** The same by a name that says nothing of the task. */
    public static final class AppendedByAnyName extends Appended {
        @Override
        protected String name(Context context) {
            return UUID.randomUUID().toString();
        }
    }

    /** A file in its working directory, by its attempt's id, of which it makes the name anew. */
    public static final class NamedFile extends TokenCounterMapper {
        private static java.nio.file.Path file(Context context) {
            return java.nio.file.Path.of("seen-" + context.getTaskAttemptID());
        }

        @Override
        public void map(Object key, Text value, Context context)
                throws IOException, InterruptedException {
            Files.writeString(
                    file(context), "x", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
            super.map(key, value, context);
        }

        @Override
        protected void cleanup(Context context) throws IOException, InterruptedException {
            context.write(new Text("seen"), new IntWritable((int) Files.size(file(context))));
        }
    }

    /** Sends datagrams, as clients of statsd do. */
    public static final class Udp extends TokenCounterMapper {
        private DatagramSocket socket;
        private long records;

        @Override
        protected void setup(Context context) throws IOException {
            socket = new DatagramSocket();
        }

        @Override
        public void map(Object key, Text value, Context context)
                throws IOException, InterruptedException {
            if (records++ % 10 == 0) {
                socket.send(
                        new DatagramPacket(new byte[] {1}, 1, new InetSocketAddress("h0", 8125)));
            }
            super.map(key, value, context);
        }

        @Override
        protected void cleanup(Context context) {
            socket.close();
        }
    }

    /** The same by a socket that is connected, and so bound to an address of its host. */
    public static final class UdpConnected extends TokenCounterMapper {
        private DatagramSocket socket;

        @Override
        protected void setup(Context context) throws IOException {
            socket = new DatagramSocket();
            socket.connect(new InetSocketAddress("h0", 8125));
        }

        @Override
        protected void cleanup(Context context) {
            socket.close();
        }
    }

    /** Computes in the threads that all of a JVM share. */
    public static final class ParallelStream extends TokenCounterMapper {
        private int sum;

        @Override
        public void map(Object key, Text value, Context context)
                throws IOException, InterruptedException {
            sum += IntStream.range(0, 1000).parallel().map(i -> i % 7).sum();
            super.map(key, value, context);
        }

        @Override
        protected void cleanup(Context context) throws IOException, InterruptedException {
            context.write(new Text("sum"), new IntWritable(sum));
        }
    }

    /** Reports progress in a thread of its own. */
    public static final class Heartbeat extends TokenCounterMapper {
        private final ScheduledExecutorService beat = Executors.newScheduledThreadPool(1);

        @Override
        protected void setup(Context context) {
            beat.scheduleAtFixedRate(context::progress, 100, 100, TimeUnit.MILLISECONDS);
        }

        @Override
        protected void cleanup(Context context) {
            beat.shutdownNow();
        }
    }

    /** Starts a process now and then, and waits for its end. */
    public static final class ShortChildren extends TokenCounterMapper {
        private long records;

        @Override
        public void map(Object key, Text value, Context context)
                throws IOException, InterruptedException {
            if (records++ % 2000 == 0) {
                Process process = new ProcessBuilder("/bin/true").start();
                context.write(new Text("child"), new IntWritable(1 + process.waitFor()));
            }
            super.map(key, value, context);
        }
    }

    /** Writes a file of its own to HDFS, which isn't part of the job's output. */
    public static final class OwnSideOutput extends TokenCounterMapper {
        private FSDataOutputStream side;

        @Override
        protected void setup(Context context) throws IOException {
            side =
                    FileSystem.get(context.getConfiguration())
                            .create(
                                    new Path(
                                            "/coverage/side-of-users/"
                                                    + context.getTaskAttemptID()));
        }

        @Override
        public void map(Object key, Text value, Context context)
                throws IOException, InterruptedException {
            side.write(value.getBytes(), 0, value.getLength());
            super.map(key, value, context);
        }

        @Override
        protected void cleanup(Context context) throws IOException {
            side.close();
        }
    }

    /** Logs a lot. */
    public static final class Talkative extends TokenCounterMapper {
        private static final Logger LOG = LoggerFactory.getLogger(Talkative.class);
        private long records;

        @Override
        public void map(Object key, Text value, Context context)
                throws IOException, InterruptedException {
            if (records++ % 10 == 0) {
                LOG.info("record {} is {}", records, value);
                System.out.println(value);
            }
            super.map(key, value, context);
        }
    }
}
