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
import java.nio.file.Path;
import java.util.Optional;
import org.apache.hadoop.clone.hdfs.read.LeavesNothing;
import org.apache.hadoop.clone.hdfs.read.wire.StageAnswer;
import org.apache.hadoop.clone.hdfs.read.wire.StageHeader;
import org.apache.hadoop.clone.stage.JobId;
import org.apache.hadoop.clone.stage.Priority;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
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

/** With block tokens and encrypted data transfer. */
@TestInstance(Lifecycle.PER_CLASS)
class EncryptedStageTest {
    private static final int SOME = 1 << 20;
    private static final StageHeader UNNAMED =
            new StageHeader(Priority.DUPLICATE, new JobId(1, 1), Optional.empty());

    private StagedHdfs hdfs;

    @RegisterExtension final LeavesNothing leavesNothing = new LeavesNothing(() -> hdfs.cluster);

    @BeforeAll
    void start(@TempDir Path directory) throws IOException {
        Configuration conf = StagedHdfs.conf();
        conf.setBoolean(DFSConfigKeys.DFS_BLOCK_ACCESS_TOKEN_ENABLE_KEY, true);
        conf.setBoolean(DFSConfigKeys.DFS_ENCRYPT_DATA_TRANSFER_KEY, true);
        hdfs = StagedHdfs.start(directory, conf);
    }

    @AfterAll
    void stop() {
        if (hdfs != null) {
            hdfs.close();
        }
    }

    @Test
    void aDuplicateHasTheBytesThatStockServes() throws Exception {
        try (StageClient duplicate = StageClient.send(hdfs, UNNAMED)) {
            assertThat(duplicate.answer()).contains(StageAnswer.STARTED);
            duplicate.ask(hdfs, hdfs.block(), 77, SOME);
            hdfs.assertSame(duplicate.read(SOME), 77);
        }
    }

    @Test
    void aForgedTokenIsRefusedAsAtStocksPort() throws Exception {
        LocatedBlock block = hdfs.block();
        block.getBlockToken().getPassword()[0]++;
        try (StageClient duplicate = StageClient.send(hdfs, UNNAMED)) {
            assertThat(duplicate.answer()).contains(StageAnswer.STARTED);
            assertThatThrownBy(() -> duplicate.ask(hdfs, block, 0, SOME))
                    .hasMessageContaining("token");
        }
    }

    @Test
    @SuppressWarnings("try")
    void itGivesWayToAPrimary() throws Exception {
        long yields = hdfs.metric("Yields");
        try (StageClient duplicate = StageClient.send(hdfs, UNNAMED)) {
            assertThat(duplicate.answer()).contains(StageAnswer.STARTED);
            try (FsVolumeReference present = hdfs.somebody();
                    FSDataInputStream primary = hdfs.openPrimary()) {
                long served = hdfs.metric("BytesServed");
                duplicate.ask(hdfs);
                await().until(() -> hdfs.metric("Yields") == yields + 1);
                primary.readFully(SOME, new byte[SOME]);
                assertThat(hdfs.metric("BytesServed")).isEqualTo(served);
            }
            hdfs.assertSame(duplicate.read(StagedHdfs.LENGTH), 0);
        }
    }

    /** It may take longer than the primary's whole read. */
    @Test
    void oneThatIsPurgedInItsHandshakeIsNoError() throws Exception {
        LogCapturer log = LogCapturer.captureLogs(DataNode.LOG);
        long purged = hdfs.metric("PurgedServed");
        try {
            try (StageClient duplicate = StageClient.send(hdfs, UNNAMED)) {
                assertThat(duplicate.answer()).contains(StageAnswer.STARTED);
            }
            await().until(() -> hdfs.metric("PurgedServed") == purged + 1);
        } finally {
            log.stopCapturing();
        }
        assertThat(log.getOutput()).isEmpty();
    }

    @Test
    void norIsOneThatIsPurgedWhileItIsServed() throws Exception {
        LogCapturer log = LogCapturer.captureLogs(DataNode.LOG);
        long purged = hdfs.metric("PurgedServed");
        try {
            try (StageClient duplicate = StageClient.send(hdfs, UNNAMED)) {
                assertThat(duplicate.answer()).contains(StageAnswer.STARTED);
                duplicate.ask(hdfs);
                hdfs.assertSame(duplicate.read(SOME), 0);
            }
            await().until(() -> hdfs.metric("PurgedServed") == purged + 1);
        } finally {
            log.stopCapturing();
        }
        assertThat(log.getOutput()).doesNotContain("Exception");
    }
}
