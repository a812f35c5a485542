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

import java.io.BufferedOutputStream;
import java.io.DataOutputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.time.Duration;
import java.util.EnumSet;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.SafeModeAction;
import org.apache.hadoop.hdfs.DFSOutputStream;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.MiniDFSCluster.DataNodeProperties;
import org.apache.hadoop.hdfs.MiniDFSNNTopology;
import org.apache.hadoop.hdfs.client.HdfsDataOutputStream;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.apache.hadoop.hdfs.server.namenode.ha.HATestUtil;
import org.apache.hadoop.test.GenericTestUtils.LogCapturer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/**
 * This process is the clone: its streams go on in its own work path. Of the original, there is what
 * HDFS has of it. Without the plugin, so that everything is copied.
 */
@TestInstance(Lifecycle.PER_CLASS)
class OpenStreamsTest {
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final Path ORIGINAL = new Path("/work/original");
    private static final Path CLONE = new Path("/work/clone");

    private TestHdfs hdfs;
    private DistributedFileSystem system;

    @BeforeAll
    void start(@TempDir java.nio.file.Path directory) throws IOException {
        Configuration conf = TestHdfs.conf();
        hdfs = TestHdfs.start(directory, conf, 3);
        system = hdfs.system();
    }

    @AfterAll
    void stop() throws IOException {
        if (hdfs != null) {
            system.getClient().closeAllFilesBeingWritten(true);
            hdfs.close();
        }
    }

    @BeforeEach
    void clean() throws IOException {
        // What a test before this one has left open, which is all that was an original's.
        system.getClient().closeAllFilesBeingWritten(true);
        system.delete(ORIGINAL.getParent(), true);
    }

    @Test
    void whoeverHoldsAStreamGoesOnInTheClonesFile() throws Exception {
        byte[] before = TestHdfs.bytes(TestHdfs.BLOCK + 70_001, 1);
        byte[] after = TestHdfs.bytes(2 * TestHdfs.BLOCK, 2);
        FSDataOutputStream out = system.create(new Path(ORIGINAL, "part"), (short) 2);
        DataOutputStream wrapped = new DataOutputStream(new BufferedOutputStream(out, 1000));
        wrapped.write(before);
        wrapped.write(7); // stays in the wrapper's buffer, as it would in the clone's memory
        repaired();
        assertThat(out.getPos()).isEqualTo(before.length);
        wrapped.write(after);
        wrapped.close();

        byte[] expected = TestHdfs.concat(TestHdfs.concat(before, new byte[] {7}), after);
        assertThat(hdfs.read(new Path(CLONE, "part"))).isEqualTo(expected);
        assertThat(system.getFileStatus(new Path(CLONE, "part")).getReplication())
                .isEqualTo((short) 2);
        hdfs.assertHealthy(CLONE);
    }

    /** HDFS would end a stream that its writer had flushed: there is no other DataNode. */
    @Test
    void theOriginalOutlivesADataNodeAsIfItHadNotBeenStopped() throws Exception {
        byte[] before = TestHdfs.bytes(1000, 1);
        byte[] after = TestHdfs.bytes(70_001, 2);
        Path file = new Path(ORIGINAL, "part");
        FSDataOutputStream out = system.create(file, (short) 3);
        out.write(before);
        stopAndRelease();
        DatanodeInfo[] pipeline = ((DFSOutputStream) out.getWrappedStream()).getPipeline();
        assertThat(pipeline).hasSize(3);
        DataNodeProperties stopped = hdfs.cluster.stopDataNode(pipeline[0].getXferAddr());
        try {
            out.write(after);
            out.close();
            assertThat(hdfs.read(file)).isEqualTo(TestHdfs.concat(before, after));
        } finally {
            hdfs.cluster.restartDataNode(stopped, true);
            hdfs.cluster.waitActive();
        }
    }

    @Test
    void theWritersOwnFirstFlushStillTellsTheNameNodeALength() throws Exception {
        Path file = new Path(ORIGINAL, "part");
        try (FSDataOutputStream out = system.create(file)) {
            out.write(new byte[1000]);
            stopAndRelease();
            out.write(new byte[500]);
            out.hflush();
            assertThat(system.getFileStatus(file).getLen()).isEqualTo(1500);
        }
    }

    /** The writer may never flush, and then nothing is asked of the NameNode. */
    @Test
    void aNameNodeThatTakesNothingDoesNotEndTheOriginalsStream() throws Exception {
        byte[] before = TestHdfs.bytes(TestHdfs.BLOCK / 2, 1);
        Path file = new Path(ORIGINAL, "part");
        FSDataOutputStream out = system.create(file);
        out.write(before);
        DFSOutputStream stream = (DFSOutputStream) out.getWrappedStream();
        Awaitility.await().until(() -> stream.getPipeline() != null);
        system.setSafeMode(SafeModeAction.ENTER);
        try {
            stopAndRelease();
        } finally {
            system.setSafeMode(SafeModeAction.LEAVE);
        }
        out.write(1);
        out.close();

        assertThat(hdfs.read(file)).isEqualTo(TestHdfs.concat(before, new byte[] {1}));
    }

    private void stopAndRelease() throws Exception {
        OpenStreams streams = find();
        assertThat(streams.quiesce(LIMIT)).isEmpty();
        streams.release();
    }

    @Test
    void theOriginalsFileStaysAsItWas() throws Exception {
        byte[] before = TestHdfs.bytes(TestHdfs.BLOCK + 1000, 1);
        Path file = new Path(ORIGINAL, "part");
        FSDataOutputStream out = system.create(file, (short) 2);
        out.write(before);
        String name = system.getClient().getClientName();
        repaired();
        assertThat(system.getClient().getClientName()).isNotEqualTo(name);
        out.write(1);
        out.close();

        assertThat(system.isFileClosed(file)).isFalse();
        assertThat(system.getClient().getLocatedBlocks(file.toString(), 0).isLastBlockComplete())
                .isFalse();
        byte[] visible = new byte[before.length];
        try (var in = system.open(file)) {
            in.readFully(visible);
            assertThat(in.read()).isEqualTo(-1);
        }
        assertThat(visible).isEqualTo(before);
    }

    @Test
    void severalStreamsAndClosedFilesComeAlong() throws Exception {
        byte[] first = TestHdfs.bytes(1000, 1);
        byte[] second = TestHdfs.bytes(2 * TestHdfs.BLOCK, 2);
        byte[] closed = TestHdfs.bytes(TestHdfs.BLOCK + 3, 3);
        FSDataOutputStream one = system.create(new Path(ORIGINAL, "one"));
        FSDataOutputStream empty = system.create(new Path(ORIGINAL, "sub/empty"));
        try (FSDataOutputStream side = system.create(new Path(ORIGINAL, "sub/side"))) {
            side.write(closed);
        }
        FSDataOutputStream two = system.create(new Path(ORIGINAL, "two"));
        one.write(first);
        two.write(second);
        repaired();
        one.close();
        empty.write(5);
        empty.close();
        two.write(9);
        two.close();

        assertThat(hdfs.read(new Path(CLONE, "one"))).isEqualTo(first);
        assertThat(hdfs.read(new Path(CLONE, "sub/empty"))).isEqualTo(new byte[] {5});
        assertThat(hdfs.read(new Path(CLONE, "sub/side"))).isEqualTo(closed);
        assertThat(hdfs.read(new Path(CLONE, "two")))
                .isEqualTo(TestHdfs.concat(second, new byte[] {9}));
        assertThat(hdfs.read(new Path(ORIGINAL, "sub/side"))).isEqualTo(closed);
        hdfs.assertHealthy(CLONE);
    }

    @Test
    void aRepairedStreamCanBeClonedAgain() throws Exception {
        byte[] before = TestHdfs.bytes(TestHdfs.BLOCK / 2 + 1, 1);
        FSDataOutputStream out = system.create(new Path(ORIGINAL, "part"));
        out.write(before);
        repaired();
        out.write(1);
        Path next = new Path("/work/next");
        OpenStreams streams = OpenStreams.find(system.makeQualified(CLONE), system.getConf());
        assertThat(streams.quiesce(LIMIT)).isEmpty();
        streams.repair(next);
        out.write(2);
        out.close();

        assertThat(hdfs.read(new Path(next, "part")))
                .isEqualTo(TestHdfs.concat(before, new byte[] {1, 2}));
    }

    @Test
    void quietStreamsWaitUntilTheyAreReleased() throws Exception {
        FSDataOutputStream out = system.create(new Path(ORIGINAL, "part"));
        out.write(1);
        OpenStreams streams = find();
        assertThat(streams.quiesce(LIMIT)).isEmpty();
        FutureTask<Void> writer = blockedWriter(out);
        assertThat(writer).isNotDone();
        streams.release();
        writer.get(30, TimeUnit.SECONDS);
        out.close();

        assertThat(hdfs.read(new Path(ORIGINAL, "part"))).isEqualTo(new byte[] {1, 2});
    }

    /** Before all streams are the clone's it would write to one that is dead. */
    @Test
    void whatSomebodyWritesMeanwhileIsInTheClonesFile() throws Exception {
        FSDataOutputStream out = system.create(new Path(ORIGINAL, "part"));
        FSDataOutputStream late = system.create(new Path(ORIGINAL, "late"));
        out.write(1);
        late.write(3);
        OpenStreams streams = find();
        assertThat(streams.quiesce(LIMIT)).isEmpty();
        FutureTask<Void> writer = blockedWriter(out);
        FutureTask<Void> other = blockedWriter(late);
        streams.repair(CLONE);
        writer.get(30, TimeUnit.SECONDS);
        other.get(30, TimeUnit.SECONDS);
        out.close();
        late.close();

        assertThat(hdfs.read(new Path(CLONE, "part"))).isEqualTo(new byte[] {1, 2});
        assertThat(hdfs.read(new Path(CLONE, "late"))).isEqualTo(new byte[] {3, 2});
    }

    /** Who would write and flush one more byte, and can't. */
    private static FutureTask<Void> blockedWriter(FSDataOutputStream out) {
        FutureTask<Void> write =
                new FutureTask<>(
                        () -> {
                            out.write(2);
                            out.hflush();
                            return null;
                        });
        Thread thread = new Thread(write);
        thread.start();
        Awaitility.await().until(() -> thread.getState() == Thread.State.BLOCKED);
        return write;
    }

    /** HDFS's time-out is a minute. */
    @Test
    void streamsThatHaveStoodStillForLongAreOverdue() throws Exception {
        long ten = TimeUnit.SECONDS.toNanos(10);
        assertThat(find().areOverdue(ten + 1)).as("there are none").isFalse();
        try (FSDataOutputStream out = system.create(new Path(ORIGINAL, "part"))) {
            out.write(1);
            assertThat(find().areOverdue(ten)).isFalse();
            assertThat(find().areOverdue(ten + 1)).isTrue();
            assertThat(find().areOverdue()).as("they go on").isFalse();
        }
    }

    @Test
    void aStreamThatIsInUseIsLetAlone() throws Exception {
        FSDataOutputStream out = system.create(new Path(ORIGINAL, "part"));
        out.write(1);
        out.hflush();
        OpenStreams streams = find();
        synchronized (out.getWrappedStream()) {
            assertThat(streams.quiesce(Duration.ofMillis(200))).isPresent();
        }
        out.write(2);
        out.close();

        assertThat(hdfs.read(new Path(ORIGINAL, "part"))).isEqualTo(new byte[] {1, 2});
    }

    @Test
    void aStreamElsewhereIsAnObstacle() throws Exception {
        try (FSDataOutputStream out = system.create(new Path("/work/elsewhere"))) {
            out.write(1);
            assertThat(find().obstacle())
                    .hasValueSatisfying(why -> assertThat(why).contains("/work/elsewhere"));
        }
        assertThat(find().obstacle()).isEmpty();
    }

    /** The stream knows it by the name by which it was opened, the commit by the other. */
    @Test
    void aFileThatIsMovedWhileItIsOpenIsAnObstacle() throws Exception {
        Path directory = new Path(ORIGINAL, "directory");
        Path file = new Path(directory, "part");
        try (FSDataOutputStream out = system.create(file)) {
            out.write(1);
            assertThat(find().obstacle()).isEmpty();
            system.rename(directory, new Path(ORIGINAL, "moved"));
            assertMoved(file);
            system.create(file).close();
            assertMoved(file);
        }
    }

    private void assertMoved(Path file) throws IOException {
        assertThat(find().obstacle())
                .hasValueSatisfying(why -> assertThat(why).contains(file + " was moved"));
    }

    @Test
    void aFileThatIsMovedWhileItIsOpenIsNotTakenForAClosedOne() throws Exception {
        int bytes = 2 * TestHdfs.BLOCK + 1024;
        Path file = new Path(ORIGINAL, "part");
        try (FSDataOutputStream out = system.create(file)) {
            out.write(TestHdfs.bytes(bytes, 1));
            out.hflush();
            system.rename(file, new Path(ORIGINAL, "moved"));
            assertThat(find().bytesToCopy()).isEqualTo(bytes);
        }
    }

    @Test
    void anErasureCodedFileIsAnObstacle() throws Exception {
        erasureCode(ORIGINAL);
        try (FSDataOutputStream out = system.create(new Path(ORIGINAL, "part"))) {
            out.write(1);
            assertThat(find().obstacle())
                    .hasValueSatisfying(why -> assertThat(why).contains("erasure coded"));
        }
    }

    @Test
    void aClosedFileThatIsErasureCodedIsAnObstacleAsWell() throws Exception {
        Path coded = new Path(ORIGINAL, "coded");
        erasureCode(coded);
        system.create(new Path(coded, "closed")).close();
        try (FSDataOutputStream out = system.create(new Path(ORIGINAL, "part"))) {
            out.write(1);
            assertThat(find().obstacle())
                    .hasValueSatisfying(why -> assertThat(why).contains("closed is erasure coded"));
        }
    }

    /** Of another process, or one that its client has given up and the NameNode hasn't closed. */
    @Test
    void aFileThatIsWrittenByNoStreamOfThisProcessIsAnObstacle() throws Exception {
        byte[] begun = TestHdfs.bytes(TestHdfs.BLOCK + 5, 1);
        Path file = new Path(ORIGINAL, "side");
        FSDataOutputStream out = system.create(file);
        out.write(begun);
        out.hflush();
        assertThat(find().obstacle()).isEmpty();
        // Its client forgets it, as it does when a close fails at the NameNode.
        system.getClient().closeAllFilesBeingWritten(true);
        String why = file.toUri().getPath() + " is being written, and by no stream";
        assertThat(find().obstacle())
                .hasValueSatisfying(obstacle -> assertThat(obstacle).contains(why));
        assertThat(find().quiesce(LIMIT))
                .hasValueSatisfying(obstacle -> assertThat(obstacle).contains(why));
    }

    @Test
    void aFileThatWasOpenedSinceStandsAgainstAHoldOnly() throws Exception {
        OpenStreams streams = find();
        try (FSDataOutputStream out = system.create(new Path(ORIGINAL, "later"))) {
            out.write(1);
            assertThat(streams.obstacle()).isEmpty();
            assertThat(streams.quiesce(LIMIT)).isPresent();
        }
        assertThat(streams.quiesce(LIMIT)).isEmpty();
        streams.release();
    }

    @Test
    void anEmptyDirectoryIsAnObstacle() throws Exception {
        system.mkdirs(ORIGINAL); // as some committers do
        assertThat(find().obstacle()).isEmpty();
        Path deep = new Path(ORIGINAL, "dt=1/empty");
        system.mkdirs(deep);
        assertThat(find().obstacle())
                .hasValueSatisfying(
                        why ->
                                assertThat(why)
                                        .contains(deep.toUri().getPath() + " is an empty")
                                        .contains("a clone would commit"));
        assertThat(find().quiesce(LIMIT)).isPresent();
        try (FSDataOutputStream out = system.create(new Path(deep, "part"))) {
            out.write(1);
            assertThat(find().obstacle()).isEmpty();
        }
        assertThat(find().obstacle()).isEmpty();
    }

    private void erasureCode(Path directory) throws IOException {
        system.mkdirs(directory);
        // Here, as another NameNode of this process disables it for all.
        system.enableErasureCodingPolicy("XOR-2-1-1024k");
        system.setErasureCodingPolicy(directory, "XOR-2-1-1024k");
    }

    @Test
    void aFileInMemoryIsCopied() throws Exception {
        system.mkdirs(ORIGINAL);
        system.setStoragePolicy(ORIGINAL, HdfsConstants.MEMORY_STORAGE_POLICY_NAME);
        byte[] before = TestHdfs.bytes(TestHdfs.BLOCK + 5, 1);
        FSDataOutputStream out = system.create(new Path(ORIGINAL, "part"), (short) 1);
        out.write(before);
        repaired();
        out.close();

        assertThat(hdfs.read(new Path(CLONE, "part"))).isEqualTo(before);
    }

    @Test
    void withoutThePluginAllMustBeCopied() throws Exception {
        int bytes = 2 * TestHdfs.BLOCK + 1024;
        try (FSDataOutputStream closed = system.create(new Path(ORIGINAL, "closed"))) {
            closed.write(TestHdfs.bytes(bytes, 1));
        }
        try (FSDataOutputStream out = system.create(new Path(ORIGINAL, "part"))) {
            out.write(TestHdfs.bytes(bytes, 2));
            out.hflush();
            assertThat(find().bytesToCopy()).isEqualTo(2 * bytes);
        }
    }

    /** A silent one is waited for, and that must not be so for each of many files. */
    @Test
    void aDataNodeThatDoesNotAnswerIsAskedOnceForAllFiles() throws Exception {
        byte[] before = TestHdfs.bytes(TestHdfs.BLOCK, 1);
        try (FSDataOutputStream closed = system.create(new Path(ORIGINAL, "closed"))) {
            closed.write(before);
        }
        FSDataOutputStream one = system.create(new Path(ORIGINAL, "one"));
        FSDataOutputStream two = system.create(new Path(ORIGINAL, "two"));
        one.write(before);
        two.write(before);
        OpenStreams streams = find();
        assertThat(streams.quiesce(LIMIT)).isEmpty();
        LogCapturer log = LogCapturer.captureLogs(LoggerFactory.getLogger(LinkClient.class));
        DataNodeProperties stopped = hdfs.cluster.stopDataNode(0);
        try {
            streams.bytesToCopy();
            streams.repair(CLONE);
        } finally {
            streams.release();
            log.stopCapturing();
            hdfs.cluster.restartDataNode(stopped, true);
            hdfs.cluster.waitActive();
        }
        one.close();
        two.close();

        assertThat(log.getOutput().split("isn't asked again", -1)).hasSize(1 + 2);
        assertThat(hdfs.read(new Path(CLONE, "one"))).isEqualTo(before);
        assertThat(hdfs.read(new Path(CLONE, "two"))).isEqualTo(before);
        assertThat(hdfs.read(new Path(CLONE, "closed"))).isEqualTo(before);
    }

    /** Its attempt was aborted, or its job; so there is nothing that the clone could be. */
    @Test
    void aCloneEndsIfItsOriginalsFilesAreGone() throws Exception {
        FSDataOutputStream out = system.create(new Path(ORIGINAL, "part"));
        out.write(TestHdfs.bytes(TestHdfs.BLOCK + 1000, 1));
        OpenStreams streams = find();
        assertThat(streams.quiesce(LIMIT)).isEmpty();
        system.delete(ORIGINAL, true);

        assertThatThrownBy(() -> streams.repair(CLONE))
                .isInstanceOf(FileNotFoundException.class)
                .hasMessageContaining("part isn't there any more");
        assertThat(system.exists(CLONE)).isFalse();
        streams.release(); // as nobody does in a clone
    }

    /** One of the same name, of a later attempt of that number, is another file. */
    @Test
    void aFileInThePlaceOfTheOriginalsIsNotTakenForIt() throws Exception {
        Path file = new Path(ORIGINAL, "part");
        FSDataOutputStream out = system.create(file);
        out.write(TestHdfs.bytes(TestHdfs.BLOCK + 1000, 1));
        OpenStreams streams = find();
        assertThat(streams.quiesce(LIMIT)).isEmpty();
        system.delete(file, true);
        try (FSDataOutputStream other = system.create(file)) {
            other.write(TestHdfs.bytes(2 * TestHdfs.BLOCK, 2));
        }

        assertThatThrownBy(() -> streams.repair(CLONE)).isInstanceOf(FileNotFoundException.class);
        assertThat(system.exists(CLONE)).isFalse();
        streams.release();
    }

    @Test
    void aStreamOfAnyFileSystemObjectIsFound() throws Exception {
        try (DistributedFileSystem other = hdfs.otherSystem()) {
            HdfsDataOutputStream out =
                    (HdfsDataOutputStream) other.create(new Path(ORIGINAL, "part"));
            out.write(1);
            out.hsync(EnumSet.of(HdfsDataOutputStream.SyncFlag.END_BLOCK));
            repaired();
            out.write(2);
            out.close();
            assertThat(((DFSOutputStream) out.getWrappedStream()).getFileId())
                    .isEqualTo(
                            system.getClient()
                                    .getFileInfo(new Path(CLONE, "part").toString())
                                    .getFileId());
        }
        assertThat(hdfs.read(new Path(CLONE, "part"))).isEqualTo(new byte[] {1, 2});
    }

    @Test
    void anotherNameNodeMayHaveTakenOver(@TempDir java.nio.file.Path directory) throws Exception {
        Configuration conf = TestHdfs.withPlugin();
        MiniDFSCluster.Builder builder =
                new MiniDFSCluster.Builder(conf, directory.toFile())
                        .nnTopology(MiniDFSNNTopology.simpleHATopology())
                        .numDataNodes(1);
        MiniDFSCluster pair = builder.build();
        DistributedFileSystem both = HATestUtil.configureFailoverFs(pair, conf);
        try {
            pair.waitActive();
            pair.transitionToActive(0);
            byte[] before = TestHdfs.bytes(TestHdfs.BLOCK + 1000, 1);
            FSDataOutputStream out = both.create(new Path(ORIGINAL, "part"), (short) 1);
            out.write(before);
            OpenStreams streams = OpenStreams.find(both.makeQualified(ORIGINAL), both.getConf());
            assertThat(streams.quiesce(LIMIT)).isEmpty();
            pair.transitionToStandby(0);
            pair.transitionToActive(1);
            // Where an open block is, a NameNode knows from the DataNodes alone.
            pair.triggerBlockReports();
            streams.repair(CLONE);
            out.write(1);
            out.close();

            byte[] found = new byte[before.length + 1];
            try (var in = both.open(new Path(CLONE, "part"))) {
                in.readFully(found);
            }
            assertThat(found).isEqualTo(TestHdfs.concat(before, new byte[] {1}));
        } finally {
            both.getClient().closeAllFilesBeingWritten(true);
            pair.shutdown();
        }
    }

    private OpenStreams find() throws IOException {
        return OpenStreams.find(system.makeQualified(ORIGINAL), system.getConf());
    }

    private void repaired() throws Exception {
        OpenStreams streams = find();
        assertThat(streams.obstacle()).isEmpty();
        assertThat(streams.quiesce(LIMIT)).isEmpty();
        streams.repair(CLONE);
    }
}
