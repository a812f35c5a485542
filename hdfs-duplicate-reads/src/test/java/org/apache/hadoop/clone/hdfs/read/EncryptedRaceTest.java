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
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.doAnswer;
import static org.mockito.Mockito.doReturn;
import static org.mockito.Mockito.spy;

import java.io.FilterInputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.clone.hdfs.read.DuplicateReadStatistics.Counter;
import org.apache.hadoop.clone.hdfs.read.ReplicaReaders.Passage;
import org.apache.hadoop.clone.hdfs.read.conf.DuplicateReadKeys;
import org.apache.hadoop.clone.stage.JobId;
import org.apache.hadoop.clone.stage.Priority;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.client.HdfsDataInputStream;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.datatransfer.IOStreamPair;
import org.apache.hadoop.hdfs.protocol.datatransfer.sasl.SaslDataTransferClient;
import org.apache.hadoop.hdfs.server.datanode.CachingStrategy;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Behind SASL's streams, which break if another thread closes them. */
@TestInstance(Lifecycle.PER_CLASS)
class EncryptedRaceTest {
    private static final int MB = 1 << 20;

    private RacedHdfs hdfs;

    @RegisterExtension final LeavesNothing leavesNothing = new LeavesNothing(() -> hdfs.cluster);

    @BeforeAll
    void start(@TempDir Path directory) throws IOException {
        Configuration conf = RacedHdfs.conf();
        conf.setBoolean(DFSConfigKeys.DFS_ENCRYPT_DATA_TRANSFER_KEY, true);
        hdfs = RacedHdfs.start(directory, conf);
        hdfs.system();
    }

    @AfterAll
    void stop() {
        if (hdfs != null) {
            hdfs.close();
        }
    }

    @Test
    void aPrimaryThatStallsIsPurgedAndItsBytesComeFromAnother() throws Exception {
        org.apache.hadoop.fs.Path file = new org.apache.hadoop.fs.Path("/slow");
        byte[] written = hdfs.create(file, 2 * MB);
        try (HdfsDataInputStream in = RacedHdfs.open(hdfs.system(), file)) {
            // Once connected and kept, once new.
            in.readFully(0, new byte[1]);
            Stop stop = new Stop(0);
            RacedHdfs.slow(hdfs.node(in, 0), stop);
            long won = RacedHdfs.count(Counter.WON);
            for (int from : new int[] {5, 500, 5000}) {
                byte[] read = new byte[MB];
                in.readFully(from, read);
                RacedHdfs.assertSame(read, written, from);
            }
            assertThat(RacedHdfs.count(Counter.WON)).isEqualTo(won + 3);
            stop.release();
        }
    }

    @Test
    void aStreamGoesOnAtAnother() throws Exception {
        org.apache.hadoop.fs.Path file = new org.apache.hadoop.fs.Path("/stream");
        byte[] written = hdfs.create(file, 4 * MB);
        try (HdfsDataInputStream in = RacedHdfs.open(hdfs.system(), file)) {
            Stop stop = new Stop(10);
            RacedHdfs.slow(hdfs.node(in, 0), stop);
            byte[] read = new byte[written.length];
            in.readFully(read);
            RacedHdfs.assertSame(read, written, 0);
            stop.release();
        }
    }

    /** SASL's streams have buffers that aren't the heap's. */
    @Test
    void aDuplicatesStreamsAreClosedIfItIsRefused() throws Exception {
        org.apache.hadoop.fs.Path file = new org.apache.hadoop.fs.Path("/refused");
        hdfs.create(file, MB);
        AtomicInteger closed = new AtomicInteger();
        DFSClient client = spy(hdfs.system().getClient());
        SaslDataTransferClient sasl = spy(client.getSaslDataTransferClient());
        doReturn(sasl).when(client).getSaslDataTransferClient();
        doAnswer(call -> counted((IOStreamPair) call.callRealMethod(), closed))
                .when(sasl)
                .socketSend(any(), any(), any(), any(), any(), any());
        try (HdfsDataInputStream in = RacedHdfs.open(hdfs.system(), file)) {
            LocatedBlock located = RacedHdfs.block(in);
            DatanodeInfo node = located.getLocations()[0];
            located.getBlock().setBlockId(located.getBlock().getBlockId() + 1000);
            ReadBlock block =
                    new ReadBlock(located, "/refused", true, CachingStrategy.newDefaultStrategy());
            Passage passage = new Passage(new JobId(1, 1), Priority.DUPLICATE, () -> {});
            assertThatThrownBy(
                            () ->
                                    new ReplicaReaders(client)
                                            .openStaged(
                                                    block,
                                                    node,
                                                    passage,
                                                    10_000,
                                                    0,
                                                    10,
                                                    new Connection(null)))
                    .isInstanceOf(IOException.class)
                    .isNotInstanceOf(NoStageException.class);
        }
        assertThat(closed).hasValue(1);
    }

    private static IOStreamPair counted(IOStreamPair streams, AtomicInteger closed) {
        return new IOStreamPair(
                new FilterInputStream(streams.in) {
                    @Override
                    public void close() throws IOException {
                        closed.incrementAndGet();
                        super.close();
                    }
                },
                streams.out);
    }

    @Test
    void manyRacesAreRightWhoeverWins() throws Exception {
        org.apache.hadoop.fs.Path file = new org.apache.hadoop.fs.Path("/many");
        byte[] written = hdfs.create(file, 2 * MB);
        Configuration conf = hdfs.client();
        conf.set(DuplicateReadKeys.DELAY, "0");
        try (DistributedFileSystem system = hdfs.newSystem(conf);
                HdfsDataInputStream in = RacedHdfs.open(system, file)) {
            long races = RacedHdfs.duplicates();
            for (int i = 0; i < 40; i++) {
                byte[] read = new byte[100_000 + i];
                in.readFully(1000 * i, read);
                RacedHdfs.assertSame(read, written, 1000 * i);
            }
            assertThat(RacedHdfs.duplicates()).isGreaterThan(races);
        }
    }
}
