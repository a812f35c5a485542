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
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.SortedMap;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import org.apache.hadoop.clone.conf.CloneKeys;
import org.apache.hadoop.clone.protocol.CloneAnswer;
import org.apache.hadoop.clone.protocol.CloneIdentity;
import org.apache.hadoop.clone.protocol.CloneOrder;
import org.apache.hadoop.clone.protocol.OneTimeKey;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.server.namenode.NameNodeAdapter;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.TaskAttemptID;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.Mapper;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Hadoop's own map, really cloned: both run to their end, and each is who it should be. */
@Timeout(180)
class ClonedMapTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final long CLONE = 5;
    private static final byte[] NONCE = new byte[OneTimeKey.NONCE_BYTES];
    private static final TaskAttemptID CLONED = new TaskAttemptID(TaskJvm.ATTEMPT.getTaskID(), 1);

    @TempDir private Path temp;
    private Path tool;
    private TaskJvm original;
    private CloneContainer clone;
    private StandInAppMaster appMaster;

    @BeforeEach
    void setUp() throws Exception {
        tool = NativeTool.required();
        original = new TaskJvm(temp.resolve("original"));
        clone = new CloneContainer(temp.resolve("clone"));
    }

    @AfterEach
    void end() {
        if (original != null) {
            original.close();
            clone.close();
        }
        if (appMaster != null) {
            appMaster.close();
        }
    }

    @Tag("older-hadoop")
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void runsOnAsTwoAttempts(boolean newApi) throws Exception {
        appMaster = new StandInAppMaster(original.task());
        offer(newApi ? TaskJvm.job() : TaskJvm.oldJob());
        appMaster.expected = new CloneIdentity(CLONED, CloneContainer.CONTAINER, "127.0.0.1");
        pull();
        CloneAnswer sent = appMaster.answer(CloneAnswer.Kind.SENT, clone::log);
        await(() -> appMaster.running.size() == 1);

        assertThat(appMaster.becoming)
                .containsExactly(TaskJvm.ATTEMPT + " in " + CloneContainer.CONTAINER);
        assertThat(appMaster.running).containsExactly(CLONED);
        long both = Math.max(original.position(), clone.position());
        await(() -> original.position() > both + 1000 && clone.position() > both + 1000);
        long updates = appMaster.updatesOf(CLONED);
        await(() -> appMaster.updatesOf(CLONED) > updates);

        clone.endInput();
        assertThat(clone.exitCode()).as(clone.log()).isZero();
        assertThat(appMaster.done).containsExactly(CLONED);
        original.endInput();
        assertThat(original.exitCode()).as(original.log()).isZero();
        assertThat(appMaster.done).containsExactly(CLONED, TaskJvm.ATTEMPT);
        assertThat(appMaster.errors).isEmpty();
        assertOutputs();
    }

    /** What its environment says is still its original's, which may be dead by then. */
    @Test
    void offersItselfAtItsOwnHost() throws Exception {
        appMaster = new StandInAppMaster(original.task());
        offer(TaskJvm.job());
        appMaster.expected = new CloneIdentity(CLONED, CloneContainer.CONTAINER, "clones-host");
        pull();
        await(() -> appMaster.running.size() == 1);
        appMaster.answer(CloneAnswer.Kind.SENT);
        original.endInput();
        assertThat(original.exitCode()).as(original.log()).isZero();

        appMaster.order(CLONED, CloneOrder.offer(2, CLONE + 1, NONCE, StandInAppMaster.PATIENT));
        CloneAnswer offered = appMaster.answer(CloneAnswer.Kind.OFFERED, clone::log);
        assertThat(offered.address()).startsWith("clones-host:");
    }

    /** A process that isn't certain who it is ends at once, and cleans nothing up. */
    @Test
    void endsWithoutATraceWhenTheAppMasterExpectsNobody() throws Exception {
        appMaster = new StandInAppMaster(original.task());
        offer(TaskJvm.job());
        pull();
        assertThat(clone.exitCode()).as(clone.log()).isEqualTo(70);
        assertThat(clone.log()).contains("nobody is expected there");
        assertThat(appMaster.running).isEmpty();

        original.endInput();
        assertThat(original.exitCode()).as(original.log()).isZero();
        assertThat(appMaster.done).containsExactly(TaskJvm.ATTEMPT);
        assertThat(appMaster.errors).isEmpty();
        assertThat(MapOutput.read(original.local, TaskJvm.ATTEMPT))
                .hasSize((int) original.position());
    }

    /** Nothing that lives in the clone takes it for the original. */
    @Test
    void keepsNothingOfTheOriginalsIdentity() throws Exception {
        appMaster = new StandInAppMaster(original.task());
        offer(TaskJvm.job());
        appMaster.expected = new CloneIdentity(CLONED, CloneContainer.CONTAINER, "127.0.0.1");
        pull();
        await(() -> appMaster.updatesOf(CLONED) > 0);
        assertThat(clone.log()).doesNotContain("The generator of UUIDs stays as it was");

        HeapDump heap = HeapDump.read(clone.heapDump(original.work));
        assertThat(heap.instancesOf("org/apache/hadoop/mapred/TaskAttemptID")).isNotEmpty();
        assertThat(IdentityAudit.of(heap, CLONED)).as("it finds what is there").isNotEmpty();
        assertThat(IdentityAudit.of(heap, TaskJvm.ATTEMPT)).isEmpty();
    }

    /** Both read on where they were, over connections of their own. */
    @Test
    void readsOnFromHdfs() throws Exception {
        try (MiniDFSCluster hdfs = HdfsLines.start(temp.resolve("hdfs"))) {
            appMaster = new StandInAppMaster(original.task(HdfsLines.write(hdfs)));
            appMaster.expected = new CloneIdentity(CLONED, CloneContainer.CONTAINER, "127.0.0.1");
            offer(HdfsLines.job());
            pull();
            await(() -> appMaster.running.size() == 1);
            assertThat(original.position()).isLessThan(HdfsLines.COUNT);

            clone.endInput();
            assertThat(clone.exitCode()).as(clone.log()).isZero();
            original.endInput();
            assertThat(original.exitCode()).as(original.log()).isZero();
            assertThat(appMaster.done).containsExactly(CLONED, TaskJvm.ATTEMPT);
            HdfsLines.assertAll(MapOutput.read(clone.local, CLONED));
            HdfsLines.assertAll(MapOutput.read(original.local, TaskJvm.ATTEMPT));
            assertThat(clone.log()).doesNotContain("Retrying connect");
        }
    }

    /** What it writes to HDFS itself goes on as two files; the finished blocks are linked. */
    @ParameterizedTest
    @CsvSource({"new, 0, part-m-00003", "old, 0, part-00003", "side, 1, side-m-00003"})
    void writesOnAsTwoAttempts(String kind, int reduces, String file) throws Exception {
        try (MiniDFSCluster hdfs = HdfsOutput.start(temp.resolve("hdfs"))) {
            appMaster = new StandInAppMaster(original.task());
            appMaster.expected = new CloneIdentity(CLONED, CloneContainer.CONTAINER, "127.0.0.1");
            JobConf job = kind.equals("old") ? TaskJvm.oldJob() : TaskJvm.job();
            if (kind.equals("side")) {
                HdfsOutput.withSide(job);
            }
            job.setNumReduceTasks(reduces);
            HdfsOutput output = new HdfsOutput(hdfs.getFileSystem(), file);
            output.configure(job);
            offer(job, HdfsOutput.TWO_BLOCKS);
            pull();
            await(() -> appMaster.running.size() == 1);
            long both = Math.max(original.position(), clone.position());
            await(() -> original.position() > both + 1000 && clone.position() > both + 1000);

            clone.endInput();
            assertThat(clone.exitCode()).as(clone.log()).isZero();
            assertThat(appMaster.done).containsExactly(CLONED);
            assertThat(clone.log()).containsPattern("[1-9]\\d* bytes linked");
            output.assertRecords(clone.position(), TaskJvm.ATTEMPT, CLONED);

            original.endInput();
            assertThat(original.exitCode()).as(original.log()).isZero();
            output.assertRecords(original.position(), TaskJvm.ATTEMPT, TaskJvm.ATTEMPT);
            assertThat(appMaster.done).containsExactly(CLONED, TaskJvm.ATTEMPT);
            assertThat(appMaster.errors).isEmpty();
        }
    }

    /** It lists what is in the work path, which it has made before the first record. */
    @Test
    void hasItsOutputCommittedByAManifest() throws Exception {
        try (MiniDFSCluster hdfs = HdfsOutput.start(temp.resolve("hdfs"))) {
            HdfsOutput output = offer(hdfs, HdfsOutput::withManifest);
            pull();
            await(() -> appMaster.running.size() == 1);

            long before = clone.position();
            await(() -> clone.position() > before + 100); // some of its own
            clone.endInput();
            assertThat(clone.exitCode()).as(clone.log()).isZero();
            assertThat(appMaster.done).containsExactly(CLONED);
            output.commitManifests();
            output.assertRecords(clone.position(), TaskJvm.ATTEMPT, CLONED);
        }
    }

    /** Which wants the work path of a map that writes nothing there, too. */
    @Test
    void hasNothingCommittedByAManifest() throws Exception {
        try (MiniDFSCluster hdfs = HdfsOutput.start(temp.resolve("hdfs"))) {
            offer(
                    hdfs,
                    job -> {
                        HdfsOutput.withManifest(job);
                        job.setNumReduceTasks(1);
                    });
            pull();
            await(() -> appMaster.running.size() == 1);

            clone.endInput();
            assertThat(clone.exitCode()).as(clone.log()).isZero();
            original.endInput();
            assertThat(original.exitCode()).as(original.log()).isZero();
            assertThat(appMaster.done).containsExactly(CLONED, TaskJvm.ATTEMPT);
            assertOutputs();
        }
    }

    /** User code has kept its work path, and each writes to its own. */
    @Test
    void writesToItsOwnWorkPathOfWhichItsUserWasTold() throws Exception {
        try (MiniDFSCluster hdfs = HdfsOutput.start(temp.resolve("hdfs"))) {
            HdfsOutput output = offerWithLastFile(hdfs, "nothing");
            pull();
            await(() -> appMaster.running.size() == 1);

            clone.endInput();
            assertThat(clone.exitCode()).as(clone.log()).isZero();
            assertThat(output.takeLast()).isEqualTo(CLONED.toString());
            output.assertRecords(clone.position(), TaskJvm.ATTEMPT, CLONED);

            original.endInput();
            assertThat(original.exitCode()).as(original.log()).isZero();
            assertThat(output.takeLast()).isEqualTo(TaskJvm.ATTEMPT.toString());
        }
    }

    /** It has kept what a clone can't know of. */
    @ParameterizedTest
    @CsvSource({"path, /out/", "id, /made-by/"})
    void endsBeforeItChangesWhatIsItsOriginals(String kept, String where) throws Exception {
        try (MiniDFSCluster hdfs = HdfsOutput.start(temp.resolve("hdfs"))) {
            HdfsOutput output = offerWithLastFile(hdfs, kept);
            pull();
            await(() -> appMaster.running.size() == 1);

            clone.endInput();
            assertThat(clone.exitCode()).as(clone.log()).isEqualTo(70);
            assertThat(clone.log())
                    .contains("it would change " + where, TaskJvm.ATTEMPT.toString());
            assertThat(appMaster.done).isEmpty();

            original.endInput();
            assertThat(original.exitCode()).as(original.log()).isZero();
            assertThat(output.takeLast()).isEqualTo(TaskJvm.ATTEMPT.toString());
            output.assertRecords(original.position(), TaskJvm.ATTEMPT, TaskJvm.ATTEMPT);
        }
    }

    /** Leases belong to clients' names, and these clients are in no cache. */
    @Tag("older-hadoop")
    @Test
    void opensFilesUnderItsOwnNameWhateverClientItHasKept() throws Exception {
        try (MiniDFSCluster hdfs = HdfsOutput.start(temp.resolve("hdfs"))) {
            offer(
                    hdfs,
                    job -> {
                        job.setNumReduceTasks(1);
                        job.setClass(
                                MRJobConfig.MAP_CLASS_ATTR, KeptClientsMapper.class, Mapper.class);
                    });
            pull();
            await(() -> appMaster.running.size() == 1);

            clone.endInput();
            assertHolds(hdfs, CLONED);
            assertThat(clone.exitCode()).as(clone.log()).isZero();
            original.endInput();
            assertHolds(hdfs, TaskJvm.ATTEMPT);
            assertThat(original.exitCode()).as(original.log()).isZero();
        }
    }

    private void assertHolds(MiniDFSCluster hdfs, TaskAttemptID attempt) throws IOException {
        for (String client :
                List.of(
                        KeptClientsMapper.OF_CONTEXT,
                        KeptClientsMapper.OF_UNCACHED,
                        KeptClientsMapper.OF_VIEW)) {
            String path = KeptClientsMapper.path(attempt.toString(), client).toString();
            await(() -> holder(hdfs, path) != null);
            assertThat(holder(hdfs, path)).as(path).contains(attempt.toString());
        }
        hdfs.getFileSystem()
                .create(KeptClientsMapper.path(attempt.toString(), KeptClientsMapper.SEEN))
                .close();
    }

    private static String holder(MiniDFSCluster hdfs, String path) {
        return NameNodeAdapter.getLeaseHolderForPath(hdfs.getNameNode(), path);
    }

    /** As the resource may do before a clone, and as no clone could do after it. */
    @Test
    void takesAlongWhatItsUsersResourceWritesAndCloses() throws Exception {
        try (MiniDFSCluster hdfs = HdfsOutput.start(temp.resolve("hdfs"))) {
            HdfsOutput output =
                    offer(
                            hdfs,
                            job ->
                                    job.setClass(
                                            MRJobConfig.MAP_CLASS_ATTR,
                                            ClosingMapper.class,
                                            Mapper.class));
            pull();
            await(() -> appMaster.running.size() == 1);

            clone.endInput();
            assertThat(clone.exitCode()).as(clone.log()).isZero();
            assertThat(output.takeLast()).isEqualTo(TaskJvm.ATTEMPT.toString());
            output.assertRecords(clone.position(), TaskJvm.ATTEMPT, CLONED);

            original.endInput();
            assertThat(original.exitCode()).as(original.log()).isZero();
            assertThat(output.takeLast()).isEqualTo(TaskJvm.ATTEMPT.toString());
        }
    }

    private HdfsOutput offerWithLastFile(MiniDFSCluster hdfs, String kept) throws IOException {
        return offer(hdfs, job -> HdfsOutput.withLast(job, kept));
    }

    private HdfsOutput offer(MiniDFSCluster hdfs, Consumer<JobConf> mapper) throws IOException {
        appMaster = new StandInAppMaster(original.task());
        appMaster.expected = new CloneIdentity(CLONED, CloneContainer.CONTAINER, "127.0.0.1");
        JobConf job = TaskJvm.job();
        job.setNumReduceTasks(0);
        HdfsOutput output = new HdfsOutput(hdfs.getFileSystem(), "part-m-00003");
        output.configure(job);
        mapper.accept(job);
        offer(job);
        return output;
    }

    /** Both go on with connections of their own, since its user's code knows how to. */
    @Test
    void takesItsUsersResourcesAlong() throws Exception {
        try (ConnectionServer server = new ConnectionServer()) {
            appMaster = new StandInAppMaster(original.task());
            appMaster.expected = new CloneIdentity(CLONED, CloneContainer.CONTAINER, "127.0.0.1");
            JobConf job = TaskJvm.job();
            job.setInt(OwnConnection.PORT, server.port());
            offer(job);
            pull();
            await(() -> appMaster.running.size() == 1);
            long both = Math.max(original.position(), clone.position());
            await(() -> original.position() > both + 1000 && clone.position() > both + 1000);
            assertThat(server.users())
                    .startsWith(TaskJvm.ATTEMPT.toString())
                    .containsExactlyInAnyOrder(
                            TaskJvm.ATTEMPT.toString(),
                            TaskJvm.ATTEMPT.toString(),
                            CLONED.toString());

            clone.endInput();
            assertThat(clone.exitCode()).as(clone.log()).isZero();
            original.endInput();
            assertThat(original.exitCode()).as(original.log()).isZero();
            assertOutputs();
        }
    }

    private void assertOutputs() throws IOException {
        SortedMap<Long, String> originals = MapOutput.read(original.local, TaskJvm.ATTEMPT);
        assertThat(originals).hasSize((int) original.position());
        assertThat(originals.values()).containsOnly(TaskJvm.ATTEMPT.toString());

        SortedMap<Long, String> clones = MapOutput.read(clone.local, CLONED);
        assertThat(clones).hasSize((int) clone.position());
        String first = clones.get(clones.firstKey());
        String last = clones.get(clones.lastKey());
        assertThat(first).isEqualTo(TaskJvm.ATTEMPT.toString());
        assertThat(last).isEqualTo(CLONED.toString());
    }

    /** Starts a map of that job, and orders an offer while it reads records. */
    private void offer(JobConf job) throws IOException {
        offer(job, 3000);
    }

    private void offer(JobConf job, long afterRecords) throws IOException {
        job.set(CloneKeys.TOOL, tool.toString());
        original.start(appMaster, job, List.of());
        await(() -> original.position() > afterRecords);
        appMaster.order(CloneOrder.offer(1, CLONE, NONCE, StandInAppMaster.PATIENT));
    }

    private void pull() throws Exception {
        CloneAnswer offered = appMaster.answer(CloneAnswer.Kind.OFFERED);
        OneTimeKey key = OneTimeKey.of(appMaster.token().getPassword(), CLONE, NONCE);
        clone.pull(tool, offered, key);
    }

    private void await(Callable<Boolean> condition) throws IOException {
        try {
            Awaitility.await().atMost(PATIENCE).until(condition);
        } catch (ConditionTimeoutException e) {
            throw new AssertionError(original.log() + clone.log(), e);
        }
    }
}
