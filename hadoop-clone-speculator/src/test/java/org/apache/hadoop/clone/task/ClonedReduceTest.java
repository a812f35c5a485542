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
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.hadoop.clone.conf.CloneKeys;
import org.apache.hadoop.clone.hdfs.MiniHdfs;
import org.apache.hadoop.clone.hdfs.datanode.BlockLinkPlugin;
import org.apache.hadoop.clone.protocol.CloneAnswer;
import org.apache.hadoop.clone.protocol.CloneIdentity;
import org.apache.hadoop.clone.protocol.CloneOrder;
import org.apache.hadoop.clone.protocol.OneTimeKey;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.TaskAttemptID;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.Reducer;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Hadoop's own reduce, really cloned while it shuffles and sorts. */
@Timeout(180)
class ClonedReduceTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final long CLONE = 5;
    private static final byte[] NONCE = new byte[OneTimeKey.NONCE_BYTES];
    private static final TaskAttemptID CLONED = new TaskAttemptID(TaskJvm.REDUCE.getTaskID(), 1);
    private static final int MAPS = 60;

    /** Some of which are finished when the reduce is cloned. */
    private static final long BLOCK_BYTES = 1 << 20;

    /** The reduce's shuffle doesn't end before the others are known. */
    private static final int KNOWN = 50;

    @TempDir private Path temp;
    private Path tool;
    private TaskJvm original;
    private CloneContainer clone;
    private StandInAppMaster appMaster;
    private MapOutputServer maps;

    @BeforeEach
    void setUp() throws Exception {
        tool = NativeTool.required();
        original = new TaskJvm(temp.resolve("original"), TaskJvm.REDUCE);
        clone = new CloneContainer(temp.resolve("clone"));
        appMaster = new StandInAppMaster(TaskJvm.reduce(MAPS));
        maps = new MapOutputServer(MAPS, appMaster.token().getPassword());
        appMaster.completions = reduce -> maps.completed(KNOWN);
        appMaster.expected = new CloneIdentity(CLONED, CloneContainer.CONTAINER, "127.0.0.1");
    }

    @AfterEach
    void end() {
        if (original != null) {
            original.close();
            clone.close();
            appMaster.close();
            maps.close();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void fetchesOnAsTwoAttempts(boolean newApi) throws Exception {
        maps.nanosEach = TimeUnit.MILLISECONDS.toNanos(100);
        original.hurry();
        start(newApi);
        await(() -> maps.served() > KNOWN / 3);
        cloneIt();
        assertThat(maps.servedAgain()).as("what was fetched once is kept").isLessThan(MAPS / 2);

        maps.nanosEach = 0;
        appMaster.completions = reduce -> maps.completed(reduce.equals(CLONED) ? MAPS : KNOWN);
        assertThat(clone.exitCode()).as(clone.log()).isZero();
        assertThat(appMaster.done).containsExactly(CLONED);
        assertThat(output()).isEqualTo(maps.sorted());

        appMaster.completions = reduce -> maps.completed(MAPS);
        assertThat(original.exitCode()).as(original.log()).isZero();
        assertThat(appMaster.done).containsExactly(CLONED, TaskJvm.REDUCE);
        assertThat(output()).isEqualTo(maps.sorted());

        assertThat(appMaster.errors).isEmpty();
        assertThat(appMaster.fetchFailures).isEmpty();
    }

    /** Merges go on where they were, with the files that they were reading and writing. */
    @Test
    void sortsOnAsTwoAttempts() throws Exception {
        appMaster.completions = reduce -> maps.completed(MAPS);
        JobConf job = job(true);
        job.setOutputKeyComparatorClass(SlowFinalMerge.class);
        original.start(appMaster, job, List.of());
        await(() -> original.log().contains("finalMerge called"));
        cloneIt();
        int served = maps.served();
        assertThat(clone.log()).doesNotContain("Merging 0 sorted segments");

        clone.hurry();
        assertThat(clone.exitCode()).as(clone.log()).isZero();
        assertThat(appMaster.done).containsExactly(CLONED);
        assertThat(output()).isEqualTo(maps.sorted());

        original.hurry();
        assertThat(original.exitCode()).as(original.log()).isZero();
        assertThat(output()).isEqualTo(maps.sorted());
        assertThat(maps.served()).as("nothing was fetched again").isEqualTo(served);
        assertThat(appMaster.errors).isEmpty();
        assertThat(appMaster.fetchFailures).isEmpty();
    }

    /** Nothing that lives in the clone takes it for the original. */
    @Test
    void keepsNothingOfTheOriginalsIdentity() throws Exception {
        original.hurry();
        start(true);
        await(() -> maps.served() == KNOWN);
        cloneIt();
        await(() -> appMaster.updatesOf(CLONED) > 0);

        HeapDump heap = HeapDump.read(clone.heapDump(original.work));
        assertThat(IdentityAudit.of(heap, CLONED)).as("it finds what is there").isNotEmpty();
        assertThat(IdentityAudit.of(heap, TaskJvm.REDUCE)).isEmpty();
    }

    /** The output that is open when it is cloned goes on as two files. */
    @Tag("older-hadoop")
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void reducesOnAsTwoAttempts(boolean newApi) throws Exception {
        appMaster.completions = reduce -> maps.completed(MAPS);
        try (MiniDFSCluster hdfs = miniHdfs()) {
            FileSystem system = hdfs.getFileSystem();
            JobConf job = job(newApi);
            job.set("fs.defaultFS", system.getUri().toString());
            job.set(FileOutputFormat.OUTDIR, system.getUri() + "/out");
            job.setClass(MRJobConfig.REDUCE_CLASS_ATTR, SlowReducer.class, Reducer.class);
            job.setReducerClass(OldSlowReducer.class);
            original.start(appMaster, job, List.of());
            await(() -> Files.exists(original.work.resolve(SlowReducer.HALFWAY)));
            cloneIt();

            clone.hurry();
            assertThat(clone.exitCode()).as(clone.log()).isZero();
            assertThat(appMaster.done).containsExactly(CLONED);
            org.apache.hadoop.fs.Path part = new org.apache.hadoop.fs.Path("/out/part-00001");
            part = system.exists(part) ? part : new org.apache.hadoop.fs.Path("/out/part-r-00001");
            assertThat(read(system, part)).isEqualTo(maps.sorted());
            system.delete(part, false);

            original.hurry();
            assertThat(original.exitCode()).as(original.log()).isZero();
            assertThat(read(system, part)).isEqualTo(maps.sorted());
            assertThat(appMaster.errors).isEmpty();
        }
    }

    private MiniDFSCluster miniHdfs() throws IOException {
        Configuration conf = new Configuration();
        conf.setInt("dfs.replication", 1);
        conf.setLong("dfs.blocksize", BLOCK_BYTES);
        conf.setLong("dfs.namenode.fs-limits.min-block-size", BLOCK_BYTES);
        conf.set("dfs.datanode.plugins", BlockLinkPlugin.class.getName());
        return MiniHdfs.build(new MiniDFSCluster.Builder(conf, temp.resolve("hdfs").toFile()));
    }

    private static String read(FileSystem system, org.apache.hadoop.fs.Path file)
            throws IOException {
        try (InputStream in = system.open(file)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private void start(boolean newApi) throws IOException {
        original.start(appMaster, job(newApi), List.of());
    }

    private JobConf job(boolean newApi) throws IOException {
        JobConf job = TaskJvm.job();
        job.setNumMapTasks(MAPS);
        job.setBoolean("mapred.reducer.new-api", newApi);
        job.set(FileOutputFormat.OUTDIR, temp.resolve("out").toUri().toString());
        // Of which a quarter is the most that is fetched to memory at once.
        job.setLong(MRJobConfig.REDUCE_MEMORY_TOTAL_BYTES, 1 << 20);
        job.setInt(MRJobConfig.IO_SORT_FACTOR, 3);
        job.setInt(MRJobConfig.SHUFFLE_PARALLEL_COPIES, 2);
        job.set(CloneKeys.TOOL, tool.toString());
        job.setLong("dfs.blocksize", BLOCK_BYTES);
        job.setInt("dfs.replication", 1);
        return job;
    }

    /** Until both run. */
    private void cloneIt() throws Exception {
        appMaster.order(CloneOrder.offer(1, CLONE, NONCE, StandInAppMaster.PATIENT));
        CloneAnswer offered = appMaster.answer(CloneAnswer.Kind.OFFERED);
        clone.pull(tool, offered, OneTimeKey.of(appMaster.token().getPassword(), CLONE, NONCE));
        appMaster.answer(CloneAnswer.Kind.SENT, () -> original.log() + clone.log());
        await(() -> appMaster.running.contains(CLONED));
    }

    /** What has been committed; taken away, so that it isn't there the next time. */
    private String output() throws IOException {
        try (Stream<Path> all = Files.list(temp.resolve("out"))) {
            List<Path> parts =
                    all.filter(file -> file.getFileName().toString().startsWith("part-")).toList();
            assertThat(parts).hasSize(1);
            String records = Files.readString(parts.get(0));
            Files.delete(parts.get(0));
            return records;
        }
    }

    private void await(Callable<Boolean> condition) throws IOException {
        try {
            Awaitility.await().atMost(PATIENCE).until(condition);
        } catch (ConditionTimeoutException e) {
            throw new AssertionError(original.log() + clone.log(), e);
        }
    }
}
