package org.apache.hadoop.clone.task;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.commons.io.FileUtils;
import org.apache.hadoop.clone.conf.CloneKeys;
import org.apache.hadoop.clone.protocol.CloneAnswer;
import org.apache.hadoop.clone.protocol.CloneIdentity;
import org.apache.hadoop.clone.protocol.CloneOrder;
import org.apache.hadoop.clone.protocol.OneTimeKey;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.TaskAttemptID;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
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
        FileUtils.deleteDirectory(temp.resolve("out").toFile());

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
        start(true);
        await(() -> original.log().contains("finalMerge called"));
        cloneIt();
        int served = maps.served();
        assertThat(clone.log()).doesNotContain("Merging 0 sorted segments");

        clone.hurry();
        assertThat(clone.exitCode()).as(clone.log()).isZero();
        assertThat(appMaster.done).containsExactly(CLONED);
        assertThat(output()).isEqualTo(maps.sorted());
        FileUtils.deleteDirectory(temp.resolve("out").toFile());

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

    private void start(boolean newApi) throws IOException {
        JobConf job = TaskJvm.job();
        job.setNumMapTasks(MAPS);
        job.setBoolean("mapred.reducer.new-api", newApi);
        job.set(FileOutputFormat.OUTDIR, temp.resolve("out").toUri().toString());
        job.setOutputKeyComparatorClass(SlowOrder.class);
        // Of which a quarter is the most that is fetched to memory at once.
        job.setLong(MRJobConfig.REDUCE_MEMORY_TOTAL_BYTES, 1 << 20);
        job.setInt(MRJobConfig.IO_SORT_FACTOR, 3);
        job.setInt(MRJobConfig.SHUFFLE_PARALLEL_COPIES, 2);
        job.set(CloneKeys.TOOL, tool.toString());
        original.start(appMaster, job, List.of());
    }

    /** Until both run. */
    private void cloneIt() throws Exception {
        appMaster.order(CloneOrder.offer(1, CLONE, NONCE, PATIENCE.toMillis()));
        CloneAnswer offered = appMaster.answer();
        assertThat(offered.kind()).as(offered.toString()).isEqualTo(CloneAnswer.Kind.OFFERED);
        clone.pull(tool, offered, OneTimeKey.of(appMaster.token().getPassword(), CLONE, NONCE));
        CloneAnswer sent = appMaster.answer();
        assertThat(sent.kind())
                .as(sent + original.log() + clone.log())
                .isEqualTo(CloneAnswer.Kind.SENT);
        await(() -> appMaster.running.contains(CLONED));
    }

    /** What was committed last. */
    private String output() throws IOException {
        try (Stream<Path> all = Files.list(temp.resolve("out"))) {
            List<Path> parts =
                    all.filter(file -> file.getFileName().toString().startsWith("part-")).toList();
            assertThat(parts).hasSize(1);
            return Files.readString(parts.get(0));
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
