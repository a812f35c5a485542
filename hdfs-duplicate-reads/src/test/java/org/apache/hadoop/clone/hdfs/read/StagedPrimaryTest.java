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
package org.apache.hadoop.clone.hdfs.read;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.clone.hdfs.read.DuplicateReadStatistics.Counter;
import org.apache.hadoop.clone.hdfs.read.conf.DuplicateReadKeys;
import org.apache.hadoop.clone.hdfs.read.wire.StageAnswer;
import org.apache.hadoop.clone.hdfs.read.wire.StageHeader;
import org.apache.hadoop.clone.hdfs.read.wire.StageHeader.BlockName;
import org.apache.hadoop.clone.stage.JobId;
import org.apache.hadoop.clone.stage.Priority;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.client.HdfsDataInputStream;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Primaries that queue as well: {@code dfs.client.duplicate.primary=stage}. */
@TestInstance(Lifecycle.PER_CLASS)
class StagedPrimaryTest {
    private static final int MB = 1 << 20;
    private static final int FIXED_HEADER = 23;
    private static final int STAGE = DuplicateReadKeys.PORT_OFFSET_DEFAULT;

    private final org.apache.hadoop.fs.Path file = new org.apache.hadoop.fs.Path("/staged");
    private RacedHdfs hdfs;
    private byte[] written;

    @RegisterExtension final LeavesNothing leavesNothing = new LeavesNothing(() -> hdfs.cluster);

    @BeforeAll
    void start(@TempDir Path directory) throws IOException {
        Configuration conf = RacedHdfs.conf();
        conf.setInt(DuplicateReadKeys.LIMIT, 1);
        hdfs = RacedHdfs.start(directory, conf);
        written = hdfs.create(file, RacedHdfs.BLOCK);
    }

    @AfterAll
    void stop() {
        if (hdfs != null) {
            hdfs.close();
        }
    }

    private Configuration queued(String delay) {
        Configuration conf = hdfs.client();
        conf.set(DuplicateReadKeys.PRIMARY, "stage");
        conf.set(DuplicateReadKeys.DELAY, delay);
        return conf;
    }

    private int stagePort(DataNode node) {
        return node.getXferAddress().getPort()
                + node.getConf().getInt(DuplicateReadKeys.PORT_OFFSET, STAGE);
    }

    /** Reads a megabyte by position, and says by how much a counter has grown. */
    private long countOf(Counter counter, HdfsDataInputStream in) throws IOException {
        long before = RacedHdfs.count(counter);
        byte[] read = new byte[MB];
        in.readFully(33, read);
        RacedHdfs.assertSame(read, written, 33);
        return RacedHdfs.count(counter) - before;
    }

    @Test
    void positionalReadsQueueAndStreamsDont() throws Exception {
        try (DistributedFileSystem system = hdfs.newSystem(queued("1h"));
                HdfsDataInputStream in = RacedHdfs.open(system, file)) {
            assertThat(countOf(Counter.STAGED, in)).isEqualTo(1);
            assertThat(countOf(Counter.STAGED, in)).isEqualTo(1);
            long staged = RacedHdfs.count(Counter.STAGED);
            byte[] read = new byte[MB];
            in.readFully(read);
            RacedHdfs.assertSame(read, written, 0);
            assertThat(RacedHdfs.count(Counter.STAGED)).isEqualTo(staged);
        }
    }

    @Test
    void byDefaultNoneDoes() throws Exception {
        try (DistributedFileSystem system = hdfs.newSystem(hdfs.client());
                HdfsDataInputStream in = RacedHdfs.open(system, file)) {
            assertThat(countOf(Counter.STAGED, in)).isZero();
        }
    }

    /** Somebody who has the one place of a volume, until it is closed. */
    private Socket occupy(DataNode node, ExtendedBlock block) throws IOException {
        Socket socket = new Socket(InetAddress.getByName("127.0.0.1"), stagePort(node));
        BlockName name = new BlockName(block.getBlockPoolId(), block.getBlockId());
        ByteBuffer header =
                new StageHeader(Priority.PRIMARY, new JobId(1, 1), Optional.of(name)).encode();
        socket.getOutputStream().write(header.array(), 0, header.limit());
        assertThat(StageAnswer.of(socket.getInputStream().read())).contains(StageAnswer.STARTED);
        return socket;
    }

    @Test
    @SuppressWarnings("try")
    void oneThatWaitsForItsTurnIsOvertakenByItsDuplicate() throws Exception {
        try (DistributedFileSystem system = hdfs.newSystem(queued("1ms"));
                HdfsDataInputStream in = RacedHdfs.open(system, file);
                Socket other = occupy(hdfs.node(in, 0), RacedHdfs.block(in).getBlock())) {
            assertThat(countOf(Counter.WON, in)).isEqualTo(1);
        }
    }

    @Test
    @SuppressWarnings("try")
    void oneThatWaitsForTooLongGoesDirectly() throws Exception {
        Configuration conf = queued("1h");
        conf.set(DuplicateReadKeys.STAGE_WAIT, "20ms");
        try (DistributedFileSystem system = hdfs.newSystem(conf);
                HdfsDataInputStream in = RacedHdfs.open(system, file);
                Socket other = occupy(hdfs.node(in, 0), RacedHdfs.block(in).getBlock())) {
            assertThat(countOf(Counter.NOT_STAGED, in)).isEqualTo(1);
        }
    }

    /** What listens there, instead of a stage. */
    private static final class Sick implements AutoCloseable {
        private final ServerSocket listener;
        private final byte[] says;
        private final List<Socket> open = new ArrayList<>();
        private final Thread thread = new Thread(this::serve);

        Sick(byte... says) throws IOException {
            this.listener = new ServerSocket(0, 9, InetAddress.getByName("127.0.0.1"));
            this.says = says;
            thread.start();
        }

        private void serve() {
            try {
                while (true) {
                    Socket accepted = listener.accept();
                    open.add(accepted);
                    accepted.getInputStream().readNBytes(FIXED_HEADER);
                    if (says.length > 0) {
                        accepted.getOutputStream().write(says);
                        accepted.close();
                    }
                }
            } catch (IOException e) {
                // Closed.
            }
        }

        @Override
        public void close() throws IOException {
            listener.close();
            try {
                thread.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            for (Socket each : open) {
                each.close();
            }
        }
    }

    /** By how much a counter grows by two reads whose DataNode has this for a stage. */
    private long countOf(Counter counter, Sick stage) throws IOException {
        Configuration conf = queued("1h");
        conf.set(DuplicateReadKeys.STAGE_WAIT, "20ms");
        try (DistributedFileSystem system = hdfs.newSystem(conf);
                HdfsDataInputStream in = RacedHdfs.open(system, file)) {
            int transferPort = hdfs.node(in, 0).getXferAddress().getPort();
            system.getConf()
                    .setInt(
                            DuplicateReadKeys.PORT_OFFSET,
                            stage.listener.getLocalPort() - transferPort);
            return countOf(counter, in) + countOf(counter, in);
        }
    }

    /** Once: the next read doesn't wait for it. */
    @Test
    void aStageThatSaysNothingCostsItsWaitAlone() throws Exception {
        try (Sick silent = new Sick()) {
            assertThat(countOf(Counter.NOT_STAGED, silent)).isEqualTo(1);
        }
    }

    @Test
    void itIsLeftAloneAsOneThatIsntThere() throws Exception {
        try (Sick silent = new Sick()) {
            assertThat(countOf(Counter.WITHOUT_STAGE, silent)).isEqualTo(1);
        }
    }

    @Test
    void aStageThatBreaksOffCostsNothing() throws Exception {
        try (Sick broken = new Sick(StageAnswer.STARTED.code())) {
            assertThat(countOf(Counter.NOT_STAGED, broken)).isEqualTo(2);
        }
    }

    @Test
    void whereThereIsNoStagePrimariesAreStocks() throws Exception {
        try (Sick other = new Sick("HTTP/1.1 400".getBytes(StandardCharsets.US_ASCII))) {
            assertThat(countOf(Counter.WITHOUT_STAGE, other)).isEqualTo(1);
        }
    }
}
