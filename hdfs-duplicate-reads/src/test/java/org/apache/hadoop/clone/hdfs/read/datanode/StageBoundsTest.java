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
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.doThrow;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.mockConstruction;
import static org.mockito.Mockito.timeout;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.Optional;
import org.apache.hadoop.clone.hdfs.read.LeavesNothing;
import org.apache.hadoop.clone.hdfs.read.conf.DuplicateReadKeys;
import org.apache.hadoop.clone.hdfs.read.wire.StageAnswer;
import org.apache.hadoop.clone.stage.Copy;
import org.apache.hadoop.clone.stage.Priority;
import org.apache.hadoop.clone.stage.Server;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.ThrottlerDoor;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeReference;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.test.GenericTestUtils.LogCapturer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.mockito.MockedConstruction;
import org.slf4j.LoggerFactory;

/** A plugin that ends with each test, with room for one that waits, and little patience. */
@TestInstance(Lifecycle.PER_CLASS)
class StageBoundsTest {
    private static final int SOME = 1 << 20;

    private StagedHdfs hdfs;
    private DuplicateStagePlugin plugin;

    @RegisterExtension final LeavesNothing leavesNothing = new LeavesNothing(() -> hdfs.cluster);

    @BeforeAll
    void startHdfs(@TempDir Path directory) throws IOException {
        Configuration conf = StagedHdfs.conf();
        conf.unset(DFSConfigKeys.DFS_DATANODE_PLUGINS_KEY);
        conf.setInt(DuplicateReadKeys.QUEUE, 1);
        conf.set(DuplicateReadKeys.MAX_WAIT, "1s");
        hdfs = StagedHdfs.start(directory, conf);
    }

    @AfterAll
    void stopHdfs() {
        if (hdfs != null) {
            hdfs.close();
        }
    }

    @BeforeEach
    void start() {
        plugin = new DuplicateStagePlugin();
    }

    private void open() {
        plugin.start(hdfs.node());
    }

    @AfterEach
    void stop() {
        plugin.close();
    }

    @Test
    @SuppressWarnings("try")
    void whatIsTooMuchForTheQueueIsTurnedAwayAndPrimariesArent() throws Exception {
        open();
        try (FsVolumeReference present = hdfs.somebody();
                StageClient first = StageClient.duplicate(hdfs)) {
            await().until(() -> hdfs.metric("Queued") == 1);
            try (StageClient second = StageClient.duplicate(hdfs)) {
                assertThat(second.answer()).contains(StageAnswer.TURNED_AWAY);
                assertThat(second.answer()).isEmpty();
            }
            try (StageClient primary = StageClient.of(hdfs, Priority.PRIMARY)) {
                assertThat(primary.answer()).contains(StageAnswer.STARTED);
            }
        }
        assertThat(hdfs.metric("TurnedAway")).isPositive();
    }

    @Test
    @SuppressWarnings("try")
    void whatWaitsForTooLongIsTurnedAway() throws Exception {
        open();
        try (FsVolumeReference present = hdfs.somebody()) {
            try (StageClient duplicate = StageClient.duplicate(hdfs)) {
                assertThat(duplicate.answer()).contains(StageAnswer.TURNED_AWAY);
                assertThat(duplicate.answer()).isEmpty();
            }
        }
        assertThat(hdfs.metric("Started")).isZero();
    }

    @Test
    @SuppressWarnings("try")
    void whatGivesWayForTooLongIsEnded() throws Exception {
        open();
        try (StageClient duplicate = StageClient.duplicate(hdfs)) {
            assertThat(duplicate.answer()).contains(StageAnswer.STARTED);
            duplicate.ask(hdfs);
            hdfs.assertSame(duplicate.read(SOME), 0);
            try (FsVolumeReference present = hdfs.somebody();
                    FSDataInputStream primary = hdfs.openPrimary()) {
                assertThatThrownBy(() -> duplicate.read(StagedHdfs.LENGTH - SOME))
                        .isInstanceOf(IOException.class);
                primary.readFully(SOME, new byte[SOME]);
            }
        }
        assertThat(hdfs.metric("PurgedServed")).isEqualTo(1);
    }

    /** A client that is stopped, or on a host that is gone, has the only place. */
    @Test
    void aClientThatTakesNothingMakesRoomForTheNext() throws Exception {
        open();
        LogCapturer log = LogCapturer.captureLogs(DataNode.LOG);
        try (StageClient stopped = StageClient.duplicate(hdfs)) {
            assertThat(stopped.answer()).contains(StageAnswer.STARTED);
            stopped.ask(hdfs);
            assertTheNextOneStarts();
        } finally {
            log.stopCapturing();
        }
        assertThat(log.getOutput()).doesNotContain("Exception");
    }

    /** Its disk has nothing to do for it meanwhile. */
    @ParameterizedTest
    @EnumSource
    void soDoesOneThatTakesItsTimeAndIsServedOn(Priority priority) throws Exception {
        open();
        try (StageClient slow = StageClient.of(hdfs, priority)) {
            assertThat(slow.answer()).contains(StageAnswer.STARTED);
            slow.ask(hdfs);
            hdfs.assertSame(slow.read(SOME), 0);
            try (StageClient next = StageClient.of(hdfs, priority)) {
                assertThat(next.answer()).contains(StageAnswer.STARTED);
            }
            hdfs.assertSame(slow.read(StagedHdfs.LENGTH - SOME), SOME);
        }
    }

    @Test
    void soDoesOneThatAsksForNothing() throws Exception {
        open();
        try (StageClient silent = StageClient.duplicate(hdfs)) {
            assertThat(silent.answer()).contains(StageAnswer.STARTED);
            assertTheNextOneStarts();
        }
    }

    // It may have waited for too long itself.
    private void assertTheNextOneStarts() {
        await().until(
                        () -> {
                            try (StageClient next = StageClient.duplicate(hdfs)) {
                                return next.answer().equals(Optional.of(StageAnswer.STARTED));
                            }
                        });
    }

    @Test
    void aPortThatIsTakenIsSaidInOneLineAndStockGoesOn() throws Exception {
        try (ServerSocket taken = new ServerSocket()) {
            taken.bind(hdfs.stage());
            assertThat(saidAtStart())
                    .contains("can't be opened (Address already in use)")
                    .contains("dfs.duplicate.port-offset");
        }
    }

    private String saidAtStart() throws IOException {
        LogCapturer log =
                LogCapturer.captureLogs(LoggerFactory.getLogger(DuplicateStagePlugin.class));
        open();
        log.stopCapturing();
        assertThat(log.getOutput().lines()).hasSize(1);
        assertThat(log.getOutput())
                .contains(" WARN ", "No duplicate reads are served here, all else is:");
        assertThat(DefaultMetricsSystem.instance().getSource(hdfs.metricsName())).isNull();
        byte[] read = new byte[SOME];
        try (FSDataInputStream primary = hdfs.openPrimary()) {
            primary.readFully(0, read);
        }
        hdfs.assertSame(read, 0);
        return log.getOutput();
    }

    @Test
    void soIsASettingThatIsNone() throws Exception {
        Configuration conf = hdfs.node().getConf();
        conf.set(DuplicateReadKeys.YIELD, "disk");
        try {
            assertThat(saidAtStart()).contains("set it to volume or active or node or none");
        } finally {
            conf.unset(DuplicateReadKeys.YIELD);
        }
    }

    /** Else clients would connect, and wait for nobody. */
    @Test
    @SuppressWarnings("try")
    void afterAnErrorThePortIsClosed() {
        try (MockedConstruction<StageAcceptor> acceptors =
                mockConstruction(
                        StageAcceptor.class,
                        (made, context) ->
                                doThrow(new OutOfMemoryError("no more threads"))
                                        .when(made)
                                        .start())) {
            assertThatThrownBy(() -> new DuplicateStagePlugin().start(hdfs.node()))
                    .isInstanceOf(OutOfMemoryError.class);
            verify(acceptors.constructed().get(0)).close();
        }
        assertThat(DefaultMetricsSystem.instance().getSource(hdfs.metricsName())).isNull();
    }

    @Test
    @SuppressWarnings("removal")
    void aCopyForWhichNoThreadCanBeMadeIsClosed() throws Exception {
        StageMetrics metrics = StageMetrics.register("of no threads");
        StagedRead read = mock(StagedRead.class);
        when(read.starts()).thenReturn(true);
        when(read.answer(any())).thenReturn(true);
        Copy<StagedRead> copy = mock();
        when(copy.work()).thenReturn(read);
        when(copy.priority()).thenReturn(Priority.DUPLICATE);
        Server.Progress progress = mock(Server.Progress.class);
        ThreadGroup destroyed = new ThreadGroup("destroyed");
        destroyed.destroy();
        DataNode node = hdfs.node();
        ThreadGroup group = ThrottlerDoor.setThreads(node, destroyed);
        try (StagedXceivers xceivers =
                new StagedXceivers(node, StageSettings.of(node.getConf()), metrics)) {
            xceivers.start(copy, progress);
            verify(progress, timeout(10_000)).failed();
            verify(read).close();
        } finally {
            ThrottlerDoor.setThreads(node, group);
            metrics.unregister();
        }
    }

    @Test
    void soIsTheDataNodesOwnPort() throws Exception {
        Configuration conf = hdfs.node().getConf();
        int offset = conf.getInt(DuplicateReadKeys.PORT_OFFSET, 0);
        conf.setInt(DuplicateReadKeys.PORT_OFFSET, 0);
        try {
            assertThat(saidAtStart()).contains("give it a number, and not 0");
        } finally {
            conf.setInt(DuplicateReadKeys.PORT_OFFSET, offset);
        }
    }

    @Test
    void soIsAnOffsetWithoutAPort() throws Exception {
        Configuration conf = hdfs.node().getConf();
        int offset = conf.getInt(DuplicateReadKeys.PORT_OFFSET, 0);
        conf.setInt(DuplicateReadKeys.PORT_OFFSET, -65_000);
        try {
            assertThat(saidAtStart()).contains("there is none for them");
        } finally {
            conf.setInt(DuplicateReadKeys.PORT_OFFSET, offset);
        }
    }
}
