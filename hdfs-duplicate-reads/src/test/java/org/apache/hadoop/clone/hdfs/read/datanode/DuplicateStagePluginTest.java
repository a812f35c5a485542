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
package org.apache.hadoop.clone.hdfs.read.datanode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Random;
import org.apache.hadoop.clone.hdfs.read.LeavesNothing;
import org.apache.hadoop.clone.hdfs.read.wire.StageAnswer;
import org.apache.hadoop.clone.hdfs.read.wire.StageHeader;
import org.apache.hadoop.clone.hdfs.read.wire.StageHeader.BlockName;
import org.apache.hadoop.clone.stage.JobId;
import org.apache.hadoop.clone.stage.Priority;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeReference;
import org.apache.hadoop.test.GenericTestUtils.LogCapturer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** On one DataNode with one volume, which serves one duplicate at a time. */
@TestInstance(Lifecycle.PER_CLASS)
class DuplicateStagePluginTest {
    private static final int SOME = 1 << 20;

    private StagedHdfs hdfs;

    @RegisterExtension final LeavesNothing leavesNothing = new LeavesNothing(() -> hdfs.cluster);

    @BeforeAll
    void start(@TempDir Path directory) throws IOException {
        hdfs = StagedHdfs.start(directory, StagedHdfs.conf());
    }

    @AfterAll
    void stop() {
        if (hdfs != null) {
            hdfs.close();
        }
    }

    @Test
    void aDuplicateHasTheBytesThatStockServes() throws Exception {
        long served = hdfs.metric("BytesServed");
        long started = hdfs.metric("Started");
        try (StageClient duplicate = StageClient.duplicate(hdfs)) {
            assertThat(duplicate.answer()).contains(StageAnswer.STARTED);
            duplicate.ask(hdfs, hdfs.block(), 1001, SOME);
            hdfs.assertSame(duplicate.read(SOME), 1001);
        }
        assertThat(hdfs.metric("Started")).isEqualTo(started + 1);
        await().until(() -> hdfs.metric("BytesServed") >= served + SOME);
    }

    @Test
    void theWholeBlockAsWell() throws Exception {
        try (StageClient duplicate = StageClient.duplicate(hdfs)) {
            duplicate.assertServed(hdfs);
        }
    }

    @Test
    void oneWaitsForTheOther() throws Exception {
        long started = hdfs.metric("Started");
        long queued = hdfs.metric("Queued");
        try (StageClient first = StageClient.duplicate(hdfs);
                StageClient second = StageClient.duplicate(hdfs)) {
            assertThat(first.answer()).contains(StageAnswer.STARTED);
            // Before anything is sent: a client that takes it slowly would lose its place.
            await().until(() -> hdfs.metric("Queued") == queued + 2);
            first.ask(hdfs);
            hdfs.assertSame(first.read(StagedHdfs.LENGTH / 2), 0);
            assertThat(hdfs.metric("Started")).isEqualTo(started + 1);

            hdfs.assertSame(first.read(StagedHdfs.LENGTH / 2), StagedHdfs.LENGTH / 2);
            assertThat(second.answer()).contains(StageAnswer.STARTED);
            second.ask(hdfs);
            hdfs.assertSame(second.read(StagedHdfs.LENGTH), 0);
        }
    }

    @Test
    void oneThatIsntNeededAnyMoreIsTakenOutOfTheQueue() throws Exception {
        long purged = hdfs.metric("PurgedWaiting");
        try (StageClient first = StageClient.duplicate(hdfs)) {
            assertThat(first.answer()).contains(StageAnswer.STARTED);
            long queued = hdfs.metric("Queued");
            StageClient second = StageClient.duplicate(hdfs);
            await().until(() -> hdfs.metric("Queued") == queued + 1);
            second.close();
            await().until(() -> hdfs.metric("PurgedWaiting") == purged + 1);

            first.ask(hdfs);
            hdfs.assertSame(first.read(SOME), 0);
        }
    }

    @Test
    void orEndedWhileItIsServedAndTheNextOneStarts() throws Exception {
        long purged = hdfs.metric("PurgedServed");
        LogCapturer log = LogCapturer.captureLogs(DataNode.LOG);
        StageClient first = StageClient.duplicate(hdfs);
        assertThat(first.answer()).contains(StageAnswer.STARTED);
        first.ask(hdfs);
        hdfs.assertSame(first.read(SOME), 0);
        try (StageClient second = StageClient.duplicate(hdfs)) {
            first.close();
            assertThat(second.answer()).contains(StageAnswer.STARTED);
            second.ask(hdfs);
            hdfs.assertSame(second.read(SOME), 0);
        } finally {
            log.stopCapturing();
        }
        await().until(() -> hdfs.metric("PurgedServed") >= purged + 1);
        assertThat(log.getOutput()).doesNotContain("Exception");
    }

    @Test
    void aDuplicateDoesNotStartWhileAPrimaryReads() throws Exception {
        try (StageClient duplicate = whileAPrimaryReads(() -> StageClient.duplicate(hdfs))) {
            assertThat(duplicate.answer()).contains(StageAnswer.STARTED);
        }
    }

    private interface Comes {
        StageClient come() throws IOException;
    }

    @SuppressWarnings("try")
    private StageClient whileAPrimaryReads(Comes duplicate) throws IOException {
        long started = hdfs.metric("Started");
        long queued = hdfs.metric("Queued");
        try (FsVolumeReference present = hdfs.somebody();
                FSDataInputStream primary = hdfs.openPrimary()) {
            StageClient waiting = duplicate.come();
            await().until(() -> hdfs.metric("Queued") == queued + 1);
            primary.readFully(SOME, new byte[SOME]);
            assertThat(hdfs.metric("Started")).isEqualTo(started);
            return waiting;
        }
    }

    /** What is counted is what was sent, in order: not the time it took. */
    @Test
    @SuppressWarnings("try")
    void aDuplicateThatHasBegunSendsNothingMoreWhileAPrimaryReads() throws Exception {
        long yields = hdfs.metric("Yields");
        long served = hdfs.metric("BytesServed");
        try (StageClient duplicate = StageClient.duplicate(hdfs)) {
            assertThat(duplicate.answer()).contains(StageAnswer.STARTED);
            duplicate.ask(hdfs);
            hdfs.assertSame(duplicate.read(SOME), 0);
            long sent;
            try (FsVolumeReference present = hdfs.somebody();
                    FSDataInputStream primary = hdfs.openPrimary()) {
                // Its buffers are full: it looks whether it may go on when they aren't any more.
                int at = SOME;
                while (hdfs.metric("Yields") == yields) {
                    hdfs.assertSame(duplicate.read(1 << 16), at);
                    at += 1 << 16;
                }
                sent = hdfs.metric("BytesServed") - served;
                assertThat(sent).isLessThan(StagedHdfs.LENGTH);
                primary.readFully(2 * SOME, new byte[SOME]);
                // All that was on its way is read, if it wasn't yet, and nothing followed.
                int arrived = Math.max(at, (int) (sent / 65_536) * 65_000);
                hdfs.assertSame(duplicate.read(arrived - at), at);
                assertThat(hdfs.metric("BytesServed") - served).isEqualTo(sent);
                assertThat(hdfs.metric("Yields")).isEqualTo(yields + 1);
            }
            await().until(
                            () -> {
                                duplicate.read(1 << 10);
                                return hdfs.metric("BytesServed") - served > sent;
                            });
        }
    }

    @Test
    @SuppressWarnings("try")
    void aDuplicateThatGivesWayIsPurgedAtOnce() throws Exception {
        long purged = hdfs.metric("PurgedServed");
        StageClient duplicate = StageClient.duplicate(hdfs);
        assertThat(duplicate.answer()).contains(StageAnswer.STARTED);
        try (FsVolumeReference present = hdfs.somebody();
                FSDataInputStream primary = hdfs.openPrimary()) {
            long yields = hdfs.metric("Yields");
            duplicate.ask(hdfs);
            await().until(() -> hdfs.metric("Yields") == yields + 1);
            duplicate.close();
            await().until(() -> hdfs.metric("PurgedServed") == purged + 1);
            primary.readFully(SOME, new byte[SOME]);
        }
    }

    @Test
    void aPrimaryThatComesThroughTheStageGivesWayToNobody() throws Exception {
        try (FSDataInputStream other = hdfs.openPrimary();
                StageClient primary = StageClient.of(hdfs, Priority.PRIMARY)) {
            other.read();
            assertThat(primary.answer()).contains(StageAnswer.STARTED);
            primary.ask(hdfs);
            hdfs.assertSame(primary.read(StagedHdfs.LENGTH), 0);
        }
    }

    @Test
    void aDuplicateOfAnUnknownBlockGivesWayToTheWholeNode() throws Exception {
        StageHeader header = new StageHeader(Priority.DUPLICATE, new JobId(3, 4), Optional.empty());
        try (StageClient duplicate = whileAPrimaryReads(() -> StageClient.send(hdfs, header))) {
            duplicate.assertServed(hdfs);
        }
    }

    @Test
    void aBlockOfAnotherPoolIsTurnedAway() throws Exception {
        BlockName name = new BlockName("BP-1-127.0.0.1-1", 1);
        StageHeader header =
                new StageHeader(Priority.DUPLICATE, new JobId(3, 4), Optional.of(name));
        try (StageClient client = StageClient.send(hdfs, header)) {
            assertThat(client.answer()).contains(StageAnswer.TURNED_AWAY);
            assertThat(client.answer()).isEmpty();
        }
    }

    @Test
    void stockRefusesABlockThatIsNotThere() throws Exception {
        try (StageClient duplicate = StageClient.duplicate(hdfs)) {
            assertThat(duplicate.answer()).contains(StageAnswer.STARTED);
            var located = hdfs.block();
            located.getBlock().setBlockId(located.getBlock().getBlockId() + 1000);
            assertThatThrownBy(() -> duplicate.ask(hdfs, located, 0, 10))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("Got error");
        }
    }

    @Test
    void rubbishEndsItsConnectionAndNothingElse() throws Exception {
        Random random = new Random(1);
        for (int length : new int[] {1, 4, 23, 128, 129, 5000, 1 << 20}) {
            byte[] rubbish = new byte[length];
            random.nextBytes(rubbish);
            assertEnds(rubbish);
        }
        stillServes();
    }

    private void stillServes() throws Exception {
        aDuplicateHasTheBytesThatStockServes();
    }

    private void assertEnds(byte[] said) throws IOException {
        try (StageClient client = StageClient.connect(hdfs.stage())) {
            try {
                OutputStream out = client.channel().socket().getOutputStream();
                out.write(said);
            } catch (IOException e) {
                return; // it has ended before all of it was said
            }
            assertThat(endOf(client)).isEmpty();
        }
    }

    private static Optional<StageAnswer> endOf(StageClient client) {
        try {
            return client.answer();
        } catch (java.net.SocketTimeoutException e) {
            throw new AssertionError("it hasn't ended", e);
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    @Test
    void soDoesAHeaderAfterWhichSomethingFollowsAtOnce() throws Exception {
        var block = hdfs.block().getBlock();
        ByteBuffer header =
                new StageHeader(
                                Priority.DUPLICATE,
                                new JobId(1, 1),
                                Optional.of(
                                        new BlockName(block.getBlockPoolId(), block.getBlockId())))
                        .encode();
        byte[] more = new byte[header.remaining() + 1];
        header.get(more, 0, more.length - 1);
        assertEnds(more);
        stillServes();
    }

    @Test
    void soDoesOneThatDoesNotCome() throws Exception {
        try (StageClient silent = StageClient.connect(hdfs.stage());
                StageClient slow = StageClient.connect(hdfs.stage())) {
            slow.channel().write(ByteBuffer.wrap("DST".getBytes()));
            stillServes();
            assertThat(endOf(silent)).isEmpty();
            assertThat(endOf(slow)).isEmpty();
        }
    }
}
