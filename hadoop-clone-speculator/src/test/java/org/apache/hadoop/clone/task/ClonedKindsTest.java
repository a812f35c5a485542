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

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.SequenceFile;
import org.apache.hadoop.io.SequenceFile.CompressionType;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.io.compress.BZip2Codec;
import org.apache.hadoop.io.compress.SnappyCodec;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.TaskAttemptID;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.lib.chain.ChainMapper;
import org.apache.hadoop.mapreduce.lib.chain.ChainReducer;
import org.apache.hadoop.mapreduce.lib.map.MultithreadedMapper;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.hadoop.mapreduce.lib.output.SequenceFileOutputFormat;
import org.apache.hadoop.mapreduce.security.TokenCache;
import org.apache.hadoop.security.Credentials;
import org.apache.hadoop.security.UserGroupInformation;
import org.example.AppendingMapper;
import org.example.ManyOutputsMapper;
import org.example.PooledMapper;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tasks as users write them, really cloned: both attempts end, each with every record once. All
 * have their HDFS in common.
 */
@Timeout(180)
class ClonedKindsTest {
    private static final long SOME_RECORDS = 600;
    private static final int MAPS = 60;

    /** Half of the reduce's output is less than one of these. */
    private static final int LARGE_PACKET = 8 << 20;

    private static final long LARGE_BLOCK = 2L * LARGE_PACKET;

    private static MiniDFSCluster hdfs;
    private static FileSystem system;

    @TempDir private Path temp;

    @BeforeAll
    static void start(@TempDir Path directory) throws Exception {
        NativeTool.required();
        hdfs = HdfsOutput.start(directory.resolve("hdfs"));
        system = hdfs.getFileSystem();
    }

    @AfterAll
    static void stop() {
        if (hdfs != null) {
            hdfs.close();
        }
    }

    @AfterEach
    void takeAway() throws IOException {
        system.delete(new org.apache.hadoop.fs.Path("/out"), true);
    }

    /** Its readers stand one behind the other, whoever is in front. */
    @Test
    void aMapOfManyThreads() throws Exception {
        JobConf job = TaskJvm.job();
        job.setClass(MRJobConfig.MAP_CLASS_ATTR, MultithreadedMapper.class, Mapper.class);
        job.setInt(MultithreadedMapper.NUM_THREADS, 4);
        assertMapIsCloned(job);
    }

    @Test
    void aMapWithEncryptedSpills() throws Exception {
        JobConf job = TaskJvm.job();
        job.setBoolean(MRJobConfig.MR_ENCRYPTED_INTERMEDIATE_DATA, true);
        Credentials key = new Credentials(); // to read it here
        TokenCache.setEncryptedSpillKey(TaskJvm.SPILL_KEY, key);
        UserGroupInformation.getCurrentUser().addCredentials(key);
        assertMapIsCloned(job);
    }

    @Test
    void aMapWithCompressedSpills() throws Exception {
        JobConf job = TaskJvm.job();
        job.setCompressMapOutput(true);
        job.setMapOutputCompressorClass(SnappyCodec.class);
        assertMapIsCloned(job);
    }

    @Test
    void aChainOfMaps() throws Exception {
        Job job = Job.getInstance(TaskJvm.job());
        for (int i = 0; i < 3; i++) {
            ChainMapper.addMapper(
                    job,
                    Mapper.class,
                    LongWritable.class,
                    Text.class,
                    LongWritable.class,
                    Text.class,
                    new Configuration(false));
        }
        JobConf chain = TaskJvm.job();
        job.getConfiguration().forEach(entry -> chain.set(entry.getKey(), entry.getValue()));
        assertMapIsCloned(chain);
    }

    @Test
    void aMapWithAPoolATimerAndASideFile() throws Exception {
        org.apache.hadoop.fs.Path side =
                system.makeQualified(new org.apache.hadoop.fs.Path("/side"));
        try (var out = system.create(side)) {
            out.write(PooledMapper.CONTENTS.getBytes(StandardCharsets.US_ASCII));
        }
        JobConf job = TaskJvm.job();
        job.set(PooledMapper.SIDE_FILE, side.toString());
        job.setClass(MRJobConfig.MAP_CLASS_ATTR, PooledMapper.class, Mapper.class);
        assertMapIsCloned(job);
    }

    /** On another host it would be so at once. The clone must not make it anew. */
    @Test
    void aMapWhoseCloneLacksAFileThatItWouldGoOnWith() throws Exception {
        Path elsewhere = temp.resolve("elsewhere");
        JobConf job = TaskJvm.job();
        job.set(AppendingMapper.FILE, elsewhere.toString());
        job.setClass(MRJobConfig.MAP_CLASS_ATTR, AppendingMapper.class, Mapper.class);
        try (ClonePair pair = ClonePair.ofMap(temp)) {
            // As long as the file is there, both go on.
            cloneOnceItReads(pair, job);
            pair.original.endInput();
            assertThat(pair.original.exitCode()).as(pair.original.log()).isZero();
            assertThat(pair.appMaster.done).containsExactly(TaskJvm.ATTEMPT);

            Files.delete(elsewhere);
            assertThat(pair.clone.exitCode()).as(pair.clone.log()).isEqualTo(70);
            assertThat(pair.clone.log())
                    .contains("it would go on with " + elsewhere + ", which isn't on this host");
            assertThat(elsewhere).doesNotExist();
            assertThat(pair.appMaster.done).hasSize(1);
            assertThat(pair.appMaster.errors).isEmpty();
        }
    }

    private void assertMapIsCloned(JobConf job) throws Exception {
        try (ClonePair pair = ClonePair.ofMap(temp)) {
            pair.original.options = withGcLog(pair.original);
            cloneOnceItReads(pair, job);
            pair.clone.endInput();
            pair.assertCloneCompletes();
            assertRecords(
                    MapOutput.read(pair.clone.local, pair.cloned, job),
                    pair.clone.position(),
                    pair.cloned);
            pair.original.endInput();
            pair.assertOriginalCompletes();
            assertRecords(
                    MapOutput.read(pair.original.local, TaskJvm.ATTEMPT, job),
                    pair.original.position(),
                    TaskJvm.ATTEMPT);
        }
    }

    /** In its log directory, beside its NodeManager's files. */
    private static List<String> withGcLog(TaskJvm jvm) {
        List<String> options = new ArrayList<>(jvm.options);
        options.add("-Xlog:gc:file=" + jvm.logs.resolve("gc.log"));
        return options;
    }

    /** None of them has a block yet, nor has the job's own output. */
    @Test
    void aMapWithManyOutputsThatHaveNoBlockYet() throws Exception {
        JobConf job = TaskJvm.job();
        job.setClass(MRJobConfig.MAP_CLASS_ATTR, ManyOutputsMapper.class, Mapper.class);
        assertWriterIsCloned(job, ManyOutputsMapper.NAME, ClonedKindsTest::readText);
    }

    @Test
    void aMapThatWritesCompressedBlocks() throws Exception {
        JobConf job = TaskJvm.job();
        job.setClass(
                MRJobConfig.OUTPUT_FORMAT_CLASS_ATTR,
                SequenceFileOutputFormat.class,
                org.apache.hadoop.mapreduce.OutputFormat.class);
        job.setBoolean(FileOutputFormat.COMPRESS, true);
        job.set(FileOutputFormat.COMPRESS_TYPE, CompressionType.BLOCK.toString());
        job.setClass(
                FileOutputFormat.COMPRESS_CODEC,
                BZip2Codec.class,
                org.apache.hadoop.io.compress.CompressionCodec.class);
        assertWriterIsCloned(job, "part", ClonedKindsTest::readSequence);
    }

    private interface Reading {
        void into(SortedMap<Long, String> records, org.apache.hadoop.fs.Path file)
                throws IOException;
    }

    private void assertWriterIsCloned(JobConf job, String prefix, Reading reading)
            throws Exception {
        job.setNumReduceTasks(0);
        new HdfsOutput(system, prefix).configure(job);
        try (ClonePair pair = ClonePair.ofMap(temp)) {
            cloneOnceItReads(pair, job);
            pair.clone.endInput();
            pair.assertCloneCompletes();
            assertRecords(take(prefix, reading), pair.clone.position(), pair.cloned);
            pair.original.endInput();
            pair.assertOriginalCompletes();
            assertRecords(take(prefix, reading), pair.original.position(), TaskJvm.ATTEMPT);
        }
    }

    /** Its stream's thread has no name yet; and not the task's own thread gets the records. */
    @Test
    void aChainBehindAReduceWhoseOutputHasNoBlockYet() throws Exception {
        JobConf job = TaskJvm.job();
        job.setNumMapTasks(MAPS);
        job.setBoolean("mapred.reducer.new-api", true);
        new HdfsOutput(system, "part").configure(job);
        job.setLong("dfs.blocksize", LARGE_BLOCK);
        job.setInt(HdfsClientConfigKeys.DFS_CLIENT_WRITE_PACKET_SIZE_KEY, LARGE_PACKET);
        Job chain = Job.getInstance(job);
        ChainReducer.setReducer(
                chain,
                SlowReducer.class,
                LongWritable.class,
                Text.class,
                LongWritable.class,
                Text.class,
                new Configuration(false));
        ChainReducer.addMapper(
                chain,
                Mapper.class,
                LongWritable.class,
                Text.class,
                LongWritable.class,
                Text.class,
                new Configuration(false));
        chain.getConfiguration().forEach(entry -> job.set(entry.getKey(), entry.getValue()));
        try (ClonePair pair = ClonePair.ofReduce(temp, MAPS);
                MapOutputServer maps =
                        new MapOutputServer(MAPS, pair.appMaster.token().getPassword())) {
            pair.appMaster.completions = reduce -> maps.completed(MAPS);
            pair.start(job);
            pair.await(() -> Files.exists(pair.original.work.resolve(SlowReducer.HALFWAY)));
            pair.cloneIt();

            pair.clone.hurry();
            pair.assertCloneCompletes();
            assertThat(takeReduced()).isEqualTo(maps.sorted());
            pair.original.hurry();
            pair.assertOriginalCompletes();
            assertThat(takeReduced()).isEqualTo(maps.sorted());
        }
    }

    /** A timer looks at its trust store. */
    @Test
    void aReduceThatFetchesOverTls() throws Exception {
        TestTls tls = new TestTls(temp.resolve("tls"));
        JobConf job = TaskJvm.job();
        job.setNumMapTasks(MAPS);
        job.setBoolean("mapred.reducer.new-api", true);
        new HdfsOutput(system, "part").configure(job);
        try (ClonePair pair = ClonePair.ofReduce(temp, MAPS);
                MapOutputServer maps =
                        new MapOutputServer(
                                MAPS, pair.appMaster.token().getPassword(), tls.ofServer())) {
            tls.configure(job, pair.original);
            maps.nanosEach = TimeUnit.MILLISECONDS.toNanos(50);
            pair.appMaster.completions = reduce -> maps.completed(MAPS / 2);
            pair.start(job);
            pair.await(() -> maps.served() > MAPS / 4);
            pair.cloneIt();

            maps.nanosEach = 0;
            pair.appMaster.completions =
                    reduce -> maps.completed(reduce.equals(pair.cloned) ? MAPS : MAPS / 2);
            pair.assertCloneCompletes();
            assertThat(takeReduced()).isEqualTo(maps.sorted());
            pair.appMaster.completions = reduce -> maps.completed(MAPS);
            pair.assertOriginalCompletes();
            assertThat(takeReduced()).isEqualTo(maps.sorted());
            assertThat(pair.appMaster.fetchFailures).isEmpty();
        }
    }

    private static String takeReduced() throws IOException {
        org.apache.hadoop.fs.Path part = new org.apache.hadoop.fs.Path("/out/part-r-00001");
        try (InputStream in = system.open(part)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } finally {
            system.delete(part, false);
        }
    }

    private void cloneOnceItReads(ClonePair pair, JobConf job) throws Exception {
        pair.start(job);
        pair.await(() -> pair.original.position() > SOME_RECORDS);
        pair.cloneIt();
        long both = Math.max(pair.original.position(), pair.clone.position());
        pair.await(
                () ->
                        pair.original.position() > both + SOME_RECORDS
                                && pair.clone.position() > both + SOME_RECORDS);
    }

    private static void assertRecords(
            SortedMap<Long, String> records, long count, TaskAttemptID last) {
        assertThat(records).hasSize((int) count);
        assertThat(records.get(1L)).isEqualTo(TaskJvm.ATTEMPT.toString());
        assertThat(records.get(count)).isEqualTo(last.toString());
    }

    /** What has been committed; then it is no longer there. */
    private static SortedMap<Long, String> take(String prefix, Reading reading) throws IOException {
        SortedMap<Long, String> records = new TreeMap<>();
        org.apache.hadoop.fs.Path all = new org.apache.hadoop.fs.Path("/out/" + prefix + "*");
        for (FileStatus file : system.globStatus(all)) {
            reading.into(records, file.getPath());
            system.delete(file.getPath(), false);
        }
        return records;
    }

    private static void readText(SortedMap<Long, String> records, org.apache.hadoop.fs.Path file)
            throws IOException {
        try (BufferedReader in =
                new BufferedReader(
                        new InputStreamReader(system.open(file), StandardCharsets.UTF_8))) {
            in.lines()
                    .map(line -> line.split("\t"))
                    .forEach(words -> put(records, Long.parseLong(words[0]), words[1]));
        }
    }

    private static void readSequence(
            SortedMap<Long, String> records, org.apache.hadoop.fs.Path file) throws IOException {
        LongWritable number = new LongWritable();
        Text reader = new Text();
        try (SequenceFile.Reader in =
                new SequenceFile.Reader(system.getConf(), SequenceFile.Reader.file(file))) {
            while (in.next(number, reader)) {
                put(records, number.get(), reader.toString());
            }
        }
    }

    private static void put(SortedMap<Long, String> records, long number, String reader) {
        assertThat(records.put(number, reader)).as("twice: record %d", number).isNull();
    }
}
