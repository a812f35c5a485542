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

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.Locale;
import java.util.SortedMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.hadoop.clone.hdfs.MiniHdfs;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapreduce.InputFormat;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.lib.input.FileSplit;
import org.apache.hadoop.mapreduce.lib.input.TextInputFormat;

/** A file of numbered lines over many blocks in HDFS, and a map that reads it. */
final class HdfsLines {
    static final int COUNT = 200_000;

    private static final String LINE = "line %010d\n";
    private static final int LENGTH = String.format(Locale.ROOT, LINE, 0).length();
    static final long BLOCK = 1 << 20;

    private static final int BUFFER = 4096;

    private HdfsLines() {}

    static MiniDFSCluster start(java.nio.file.Path directory) throws IOException {
        return start(directory, new Configuration());
    }

    /** With more in its configuration. */
    static MiniDFSCluster start(java.nio.file.Path directory, Configuration conf)
            throws IOException {
        conf.setLong("dfs.namenode.fs-limits.min-block-size", BLOCK);
        conf.setLong("dfs.blocksize", BLOCK);
        MiniDFSCluster hdfs =
                MiniHdfs.build(
                        new MiniDFSCluster.Builder(
                                        conf, Files.createDirectories(directory).toFile())
                                .numDataNodes(1));
        hdfs.waitActive();
        return hdfs;
    }

    /** Writes the file, and makes all of it one map's input. */
    static FileSplit write(MiniDFSCluster hdfs) throws IOException {
        return write(hdfs, BLOCK);
    }

    /** In blocks of that size. */
    static FileSplit write(MiniDFSCluster hdfs, long block) throws IOException {
        DistributedFileSystem system = hdfs.getFileSystem();
        Path file = system.makeQualified(new Path("/lines"));
        short replication = system.getDefaultReplication(file);
        try (OutputStream out = system.create(file, true, BUFFER, replication, block)) {
            for (int i = 0; i < COUNT; i++) {
                out.write(line(i).getBytes(StandardCharsets.US_ASCII));
            }
        }
        return new FileSplit(file, 0, (long) COUNT * LENGTH, new String[0]);
    }

    private static String line(int number) {
        return String.format(Locale.ROOT, LINE, number);
    }

    static JobConf job() {
        JobConf job = TaskJvm.job();
        job.setClass(MRJobConfig.INPUT_FORMAT_CLASS_ATTR, TextInputFormat.class, InputFormat.class);
        job.setClass(MRJobConfig.MAP_CLASS_ATTR, Unhurried.class, Mapper.class);
        job.setFloat(MRJobConfig.MAP_SORT_SPILL_PERCENT, 0.8f);
        return job;
    }

    /** Every line once, in its place. */
    static void assertAll(SortedMap<Long, String> lines) {
        assertThat(lines).hasSize(COUNT);
        for (int i = 0; i < COUNT; i++) {
            assertThat(lines.get((long) i * LENGTH) + "\n").isEqualTo(line(i));
        }
    }

    /** Takes its time as {@link CountedInput} does, but after {@link CountedInput#END} none. */
    public static final class Unhurried extends Mapper<LongWritable, Text, LongWritable, Text> {
        private static final int LINES_PER_PAUSE = 5;

        private RandomAccessFile position;
        private long count;
        private boolean hurry;

        @Override
        protected void setup(Context context) throws IOException {
            position = new RandomAccessFile(CountedInput.POSITION, "rw");
        }

        @Override
        protected void map(LongWritable offset, Text line, Context context)
                throws IOException, InterruptedException {
            context.write(offset, line);
            count++;
            if (!hurry && count % LINES_PER_PAUSE == 0) {
                position.seek(0);
                position.writeLong(count);
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
                hurry = Files.exists(java.nio.file.Path.of(CountedInput.END));
            }
        }

        @Override
        protected void cleanup(Context context) throws IOException {
            position.close();
        }
    }
}
