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
package org.apache.hadoop.clone.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Options.ChecksumOpt;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DFSOutputStream;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.MiniDFSCluster.DataNodeProperties;
import org.apache.hadoop.hdfs.OutputStreamDoor;
import org.apache.hadoop.hdfs.client.HdfsDataOutputStream;
import org.apache.hadoop.hdfs.client.HdfsDataOutputStream.SyncFlag;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.apache.hadoop.test.LambdaTestUtils;
import org.apache.hadoop.util.DataChecksum;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Original and clone go on side by side, each with other bytes, by clients of their own. */
@TestInstance(Lifecycle.PER_CLASS)
class FileCloneTest {
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final Path WORK = new Path("/work/original");
    private static final Path ORIGINAL = new Path(WORK, "part-0");
    private static final Path CLONE = new Path("/work/clone/part-0");

    private TestHdfs hdfs;
    private DistributedFileSystem system;
    private DistributedFileSystem clones;

    @BeforeAll
    void start(@TempDir java.nio.file.Path directory) throws IOException {
        hdfs = TestHdfs.start(directory, TestHdfs.withPlugin(), 4);
        system = hdfs.system();
        clones = hdfs.otherSystem();
    }

    @AfterAll
    void stop() {
        if (hdfs != null) {
            hdfs.close();
        }
    }

    @BeforeEach
    void clean() throws IOException {
        // What a test before this one has left open when it failed.
        system.getClient().closeAllFilesBeingWritten(true);
        clones.getClient().closeAllFilesBeingWritten(true);
        system.delete(WORK.getParent(), true);
    }

    @ParameterizedTest(name = "{0} bytes, {1} replicas")
    @CsvSource({
        "0, 1", // nothing yet
        "1, 3", // the first byte
        "512, 2", // a whole chunk
        "70001, 3", // in a chunk, in a packet
        "1048575, 1", // a byte before the end of a block
        "1048576, 3", // exactly at it
        "1048577, 3",
        "3145728, 1",
        "3145728, 2",
        "4000000, 3"
    })
    void bothGoOnFromAnyPosition(int position, short replicas) throws Exception {
        byte[] before = TestHdfs.bytes(position, 1);
        byte[] ofOriginal = TestHdfs.bytes(TestHdfs.BLOCK + 4711, 2);
        byte[] ofClone = TestHdfs.bytes(2 * TestHdfs.BLOCK + 815, 3);
        try (FSDataOutputStream original = system.create(ORIGINAL, replicas)) {
            original.write(before);
            StreamState state = state(original);
            // A block is complete with its first replica; one not yet reported would be copied.
            int complete = position / TestHdfs.BLOCK;
            awaitReplicas(ORIGINAL, complete, replicas, "");
            try (FSDataOutputStream clone = clone(original, state)) {
                assertThat(clone.getPos()).isEqualTo(position);
                writeInTurns(original, ofOriginal, clone, ofClone);
            }
        }

        assertThat(hdfs.read(ORIGINAL)).isEqualTo(TestHdfs.concat(before, ofOriginal));
        assertThat(hdfs.read(CLONE)).isEqualTo(TestHdfs.concat(before, ofClone));
        for (int block = 0; block < 1 + position / TestHdfs.BLOCK; block++) {
            assertThat(hdfs.isLinked(CLONE, block))
                    .as("block %s is linked", block)
                    .isEqualTo(block < position / TestHdfs.BLOCK);
        }
        assertThat(system.getFileStatus(CLONE).getReplication()).isEqualTo(replicas);
        hdfs.assertHealthy(WORK.getParent());
    }

    private static void writeInTurns(
            FSDataOutputStream one, byte[] ofOne, FSDataOutputStream other, byte[] ofOther)
            throws IOException {
        int step = 10_007;
        for (int i = 0; i < Math.max(ofOne.length, ofOther.length); i += step) {
            one.write(ofOne, Math.min(i, ofOne.length), left(ofOne, i, step));
            other.write(ofOther, Math.min(i, ofOther.length), left(ofOther, i, step));
        }
    }

    private static int left(byte[] bytes, int from, int step) {
        return Math.max(0, Math.min(step, bytes.length - from));
    }

    @Test
    void aCloneThatWritesNothingMoreIsComplete() throws Exception {
        byte[] before = TestHdfs.bytes(2 * TestHdfs.BLOCK, 1);
        FSDataOutputStream original = system.create(ORIGINAL, (short) 2);
        original.write(before);
        cloned(original).close();
        assertThat(hdfs.read(CLONE)).isEqualTo(before);

        original.close();
        assertThat(system.getFileChecksum(CLONE)).isEqualTo(system.getFileChecksum(ORIGINAL));
        system.delete(ORIGINAL, false);
        assertThat(hdfs.read(CLONE)).isEqualTo(before);
    }

    @Test
    void whatTheOriginalHasWrittenMeanwhileDoesNotCount() throws Exception {
        byte[] before = TestHdfs.bytes(TestHdfs.BLOCK + 1000, 1);
        FSDataOutputStream original = system.create(ORIGINAL, (short) 2);
        original.write(before);
        StreamState state = state(original);
        original.write(TestHdfs.bytes(3 * TestHdfs.BLOCK, 2));
        original.hflush();
        clone(original, state).close();

        assertThat(hdfs.read(CLONE)).isEqualTo(before);
        original.close();
    }

    @Test
    void theOriginalMayHaveCommitted() throws Exception {
        byte[] before = TestHdfs.bytes(TestHdfs.BLOCK + 1000, 1);
        FSDataOutputStream original = system.create(ORIGINAL, (short) 2);
        original.write(before);
        StreamState state = state(original);
        original.write(1);
        original.close();
        system.rename(ORIGINAL, new Path("/work/committed"));
        clone(original, state).close();

        assertThat(hdfs.read(CLONE)).isEqualTo(before);
    }

    @Test
    void onlyWhatIsInOpenBlocksMustBeCopied() throws Exception {
        try (FSDataOutputStream original = system.create(ORIGINAL, (short) 2)) {
            original.write(TestHdfs.bytes(2 * TestHdfs.BLOCK + 1024, 1));
            original.hflush();
            OpenStreams streams = OpenStreams.find(system.makeQualified(WORK), system.getConf());
            assertThat(streams.bytesToCopy()).isEqualTo(1024);
        }
    }

    /** Its writer was killed, and its lease taken away: the last block is finished by recovery. */
    @Test
    void theOriginalMayHaveDied() throws Exception {
        byte[] before = TestHdfs.bytes(TestHdfs.BLOCK + 1000, 1);
        FSDataOutputStream original = system.create(ORIGINAL, (short) 3);
        original.write(before);
        StreamState state = state(original);
        original.write(TestHdfs.bytes(3000, 2));
        original.hflush();
        LambdaTestUtils.await(60_000, 50, () -> clones.recoverLease(ORIGINAL));
        clone(original, state).close();

        assertThat(hdfs.read(CLONE)).isEqualTo(before);
    }

    /**
     * However far the clone has come when the original aborts: either it has all of its bytes, or
     * it has failed.
     */
    @Test
    void theOriginalMayAbortWhileTheCloneRepairs() throws Exception {
        byte[] before = TestHdfs.bytes(6 * TestHdfs.BLOCK + 70_001, 1);
        for (int delay = 0; delay < 10; delay++) {
            FSDataOutputStream original = system.create(ORIGINAL, (short) 2);
            original.write(before);
            StreamState state = state(original);
            CountDownLatch begun = new CountDownLatch(1);
            long nanos = TimeUnit.MILLISECONDS.toNanos(2L * delay * delay);
            FutureTask<Boolean> abort =
                    new FutureTask<>(
                            () -> {
                                begun.countDown();
                                LockSupport.parkNanos(nanos);
                                return system.delete(WORK, true);
                            });
            new Thread(abort).start();
            begun.await();
            try (FSDataOutputStream clone = clone(original, state)) {
                clone.write(1);
            } catch (IOException e) {
                assertThat(abort.get()).as(e.toString()).isTrue();
            }
            abort.get();
            if (system.exists(CLONE) && system.isFileClosed(CLONE)) {
                assertThat(hdfs.read(CLONE)).isEqualTo(TestHdfs.concat(before, new byte[] {1}));
            }
            clean();
        }
    }

    @Test
    void anOriginalThatHasDeletedItsFileHasNoClone() throws Exception {
        FSDataOutputStream original = system.create(ORIGINAL);
        original.write(1);
        StreamState state = state(original);
        original.close();
        system.delete(ORIGINAL, false);

        assertThatThrownBy(() -> clone(original, state))
                .isInstanceOf(FileNotFoundException.class)
                .hasMessageContaining(ORIGINAL.toString());
    }

    @Test
    void aFileThatIsThereIsNotOverwritten() throws Exception {
        try (FSDataOutputStream original = system.create(ORIGINAL)) {
            system.create(CLONE).close();
            assertThatThrownBy(() -> cloned(original)).isInstanceOf(IOException.class);
        }
    }

    @Test
    void aQuotaCountsLinkedBlocksInFull() throws Exception {
        byte[] before = TestHdfs.bytes(2 * TestHdfs.BLOCK, 1);
        system.mkdirs(CLONE.getParent());
        system.setQuota(CLONE.getParent(), HdfsConstants.QUOTA_DONT_SET, TestHdfs.BLOCK);
        try (FSDataOutputStream original = system.create(ORIGINAL, (short) 1)) {
            original.write(before);
            assertThatThrownBy(() -> cloned(original))
                    .hasMessageContaining("quota")
                    .isInstanceOf(IOException.class);
            original.write(1);
        }

        assertThat(hdfs.read(ORIGINAL)).isEqualTo(TestHdfs.concat(before, new byte[] {1}));
    }

    @Test
    void shortBlocksStayAsTheyAre() throws Exception {
        byte[] before = TestHdfs.bytes(5000, 1);
        HdfsDataOutputStream original = (HdfsDataOutputStream) system.create(ORIGINAL, (short) 1);
        original.write(before, 0, 1000);
        original.hsync(EnumSet.of(SyncFlag.END_BLOCK));
        original.write(before, 1000, 4000);
        original.hsync(EnumSet.of(SyncFlag.END_BLOCK));
        try (FSDataOutputStream clone = cloned(original)) {
            clone.write(1);
        }
        original.close();

        assertThat(hdfs.read(CLONE)).isEqualTo(TestHdfs.concat(before, new byte[] {1}));
        BlockLocation[] blocks = system.getFileBlockLocations(CLONE, 0, 5001);
        assertThat(Arrays.stream(blocks).map(BlockLocation::getLength))
                .containsExactly(1000L, 4000L, 1L);
    }

    @Test
    void optionsOfTheFileAreKept() throws Exception {
        long blockSize = 2 * TestHdfs.BLOCK;
        FsPermission permission = new FsPermission("640");
        FSDataOutputStream original =
                system.create(
                        ORIGINAL,
                        permission,
                        EnumSet.of(CreateFlag.CREATE, CreateFlag.SYNC_BLOCK),
                        4096,
                        (short) 1,
                        blockSize,
                        null,
                        new ChecksumOpt(DataChecksum.Type.CRC32, 1024));
        original.write(TestHdfs.bytes((int) blockSize + 10, 1));
        try (FSDataOutputStream clone = cloned(original)) {
            DFSOutputStream stream = (DFSOutputStream) clone.getWrappedStream();
            assertThat(OutputStreamDoor.checksum(stream).getChecksumType())
                    .isEqualTo(DataChecksum.Type.CRC32);
            assertThat(OutputStreamDoor.checksum(stream).getBytesPerChecksum()).isEqualTo(1024);
            assertThat(OutputStreamDoor.syncsBlocks(stream)).isTrue();
        }
        original.close();

        assertThat(system.getFileStatus(CLONE).getBlockSize()).isEqualTo(blockSize);
        assertThat(system.getFileStatus(CLONE).getPermission()).isEqualTo(permission);
        assertThat(system.getFileChecksum(CLONE)).isEqualTo(system.getFileChecksum(ORIGINAL));
    }

    @Test
    void replicasOfADataNodeThatDiedAreMadeAtOnce() throws Exception {
        byte[] before = TestHdfs.bytes(2 * TestHdfs.BLOCK + 1, 1);
        FSDataOutputStream original = system.create(ORIGINAL, (short) 3);
        original.write(before);
        original.hflush();
        // A replica that isn't finished yet isn't linked, and one that isn't reported yet might be
        // made on the node that has died. Both are left to HDFS, which takes its time.
        awaitReplicas(ORIGINAL, 2, 3, "");
        StreamState state = state(original);
        String dead =
                system.getClient()
                        .getLocatedBlocks(ORIGINAL.toString(), 0)
                        .get(0)
                        .getLocations()[0]
                        .getXferAddr();
        DataNodeProperties stopped = hdfs.cluster.stopDataNode(dead);
        try (FSDataOutputStream clone = clone(original, state)) {
            clone.write(1);
        }

        assertThat(hdfs.read(CLONE)).isEqualTo(TestHdfs.concat(before, new byte[] {1}));
        awaitReplicas(CLONE, 2, 3, dead);
        hdfs.cluster.restartDataNode(stopped, true);
        hdfs.cluster.waitActive();
        original.close();
    }

    /** Of the first blocks, on other DataNodes than the dead one. */
    private void awaitReplicas(Path file, int blocks, int replicas, String dead) throws Exception {
        LambdaTestUtils.await(60_000, 50, () -> replicasAreAlive(file, blocks, replicas, dead));
    }

    private boolean replicasAreAlive(Path file, int blocks, int replicas, String dead)
            throws IOException {
        return system.getClient().getLocatedBlocks(file.toString(), 0).getLocatedBlocks().stream()
                .limit(blocks)
                .allMatch(
                        block ->
                                Arrays.stream(block.getLocations())
                                                .filter(n -> !n.getXferAddr().equals(dead))
                                                .count()
                                        >= replicas);
    }

    @Test
    void filesOutliveARestartOfHdfs() throws Exception {
        byte[] before = TestHdfs.bytes(2 * TestHdfs.BLOCK + 5, 1);
        FSDataOutputStream original = system.create(ORIGINAL, (short) 3);
        original.write(before);
        FSDataOutputStream clone = cloned(original);
        clone.write(1);
        original.close();
        clone.close();
        hdfs.cluster.restartNameNodes();
        hdfs.cluster.restartDataNodes(true);
        hdfs.cluster.waitActive();
        LambdaTestUtils.await(60_000, 50, () -> !system.isInSafeMode());

        assertThat(hdfs.read(ORIGINAL)).isEqualTo(before);
        assertThat(hdfs.read(CLONE)).isEqualTo(TestHdfs.concat(before, new byte[] {1}));
        hdfs.assertHealthy(WORK.getParent());
    }

    private FSDataOutputStream cloned(FSDataOutputStream original) throws Exception {
        return clone(original, state(original));
    }

    /** As a process that was just frozen finds it; the original runs on then. */
    private StreamState state(FSDataOutputStream original) throws Exception {
        OpenStreams streams = OpenStreams.find(system.makeQualified(WORK), system.getConf());
        assertThat(streams.obstacle()).isEmpty();
        assertThat(streams.quiesce(LIMIT)).isEmpty();
        List<StreamState> states = streams.states();
        streams.release();
        assertThat(states).hasSize(1);
        return states.get(0);
    }

    private FSDataOutputStream clone(FSDataOutputStream original, StreamState state)
            throws Exception {
        OpenStream options = new OpenStream((DFSOutputStream) original.getWrappedStream());
        try (FileClone files = new FileClone(clones.getClient())) {
            DFSOutputStream out =
                    files.of(
                            state,
                            CLONE.toString(),
                            options.flags(),
                            null,
                            OutputStreamDoor.checksum(options.stream()));
            return new HdfsDataOutputStream(out, null, original.getPos());
        }
    }
}
