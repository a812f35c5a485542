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
import static org.awaitility.Awaitility.await;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyInt;
import static org.mockito.ArgumentMatchers.anyLong;
import static org.mockito.ArgumentMatchers.eq;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.apache.hadoop.clone.hdfs.read.ReplicaReaders.Passage;
import org.apache.hadoop.clone.stage.JobId;
import org.apache.hadoop.clone.stage.Policy;
import org.apache.hadoop.clone.stage.Priority;
import org.apache.hadoop.fs.ChecksumException;
import org.apache.hadoop.hdfs.BlockReader;
import org.apache.hadoop.hdfs.net.Peer;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.server.datanode.CachingStrategy;
import org.junit.jupiter.api.Test;

/** What a range's readers do, one after the other, without DataNodes. */
class RacedReaderTest {
    private static final int WINDOW = 1000;
    private static final DatanodeInfo LOCAL = ReplicaOrderTest.node("a");
    private static final DatanodeInfo OTHER = ReplicaOrderTest.node("b");

    private final Duplicates duplicates = mock(Duplicates.class);
    private final ReplicaReaders readers = mock(ReplicaReaders.class);
    private final RacedReader.Stream stream = mock(RacedReader.Stream.class);
    private int openedHere;

    private RacedReader reader() {
        ReadSettings settings =
                new ReadSettings(
                        Policy.das(Duration.ofMillis(1)),
                        WINDOW,
                        3,
                        Optional.of(Duration.ofSeconds(2)),
                        true,
                        Optional.empty());
        when(duplicates.settings()).thenReturn(settings);
        when(duplicates.nextJob()).thenReturn(JobId.random(new Random(1)));
        when(duplicates.order()).thenReturn(new ReplicaOrder(null));
        when(duplicates.threads()).thenReturn(DuplicateThreads.of(settings));
        when(duplicates.statistics()).thenReturn(DuplicateReadStatistics.ofJvm());
        when(duplicates.places(any(), any(), any()))
                .thenAnswer(call -> new ArrayList<>(List.of(OTHER)));
        when(duplicates.queuesAt(any())).thenReturn(true);
        when(stream.readers()).thenReturn(readers);
        LocatedBlock located =
                new LocatedBlock(new ExtendedBlock("pool", 1), new DatanodeInfo[] {LOCAL, OTHER});
        return new RacedReader(
                duplicates,
                new ReadBlock(located, "/file", true, CachingStrategy.newDefaultStrategy()),
                stream,
                LOCAL,
                InetSocketAddress.createUnresolved("a", 1),
                0,
                3 * WINDOW);
    }

    /** A duplicate has all of it; what goes on there finds a bad checksum. */
    private void corruptBehindItsFirstWindow() throws IOException {
        when(readers.openStaged(any(), eq(OTHER), any(), anyInt(), anyLong(), anyLong(), any()))
                .thenAnswer(
                        call -> {
                            Passage passage = call.getArgument(2);
                            BlockReader reader = mock(BlockReader.class);
                            when(reader.read(any(ByteBuffer.class)))
                                    .thenAnswer(read -> fill(read.getArgument(0), passage));
                            return reader;
                        });
    }

    private static int fill(ByteBuffer to, Passage passage) throws ChecksumException {
        if (passage.priority() == Priority.PRIMARY) {
            throw new ChecksumException("as of a bad disk", 0);
        }
        int filled = to.remaining();
        to.position(to.limit());
        return filled;
    }

    /** First it takes too long, then it can't be had. */
    private BlockReader openHere(Connection connection) throws IOException {
        switch (openedHere++) {
            case 0:
                connection.readFrom(mock(Peer.class));
                await().until(connection::hasEnded);
                throw new IOException("ended");
            case 1:
                throw new IOException("gone");
            default:
                throw new AssertionError("it is asked again and again");
        }
    }

    /** Where it went on was a stage, and where it goes on then is a file that can't be opened. */
    @Test
    void aFileThatCantBeOpenedIsStocksToHandle() throws Exception {
        corruptBehindItsFirstWindow();
        when(stream.openLocal(any(), eq(LOCAL), anyLong(), anyLong(), any()))
                .thenAnswer(call -> openHere(call.getArgument(4)));
        try (RacedReader reader = reader()) {
            reader.open();
            byte[] read = new byte[WINDOW];
            reader.readFully(read, 0, WINDOW);
            assertThat(reader.node()).isEqualTo(OTHER);
            assertThatThrownBy(() -> reader.readFully(read, 0, WINDOW))
                    .isInstanceOf(IOException.class)
                    .hasMessage("gone");
        }
    }
}
