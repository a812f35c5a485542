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

import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.SocketChannel;
import java.util.Optional;
import org.apache.hadoop.clone.hdfs.read.wire.StageAnswer;
import org.apache.hadoop.clone.hdfs.read.wire.StageHeader;
import org.apache.hadoop.clone.hdfs.read.wire.StageHeader.BlockName;
import org.apache.hadoop.clone.stage.JobId;
import org.apache.hadoop.clone.stage.Priority;
import org.apache.hadoop.hdfs.BlockReader;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.DFSUtilClient;
import org.apache.hadoop.hdfs.PeerCache;
import org.apache.hadoop.hdfs.client.impl.BlockReaderRemote;
import org.apache.hadoop.hdfs.net.Peer;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.server.datanode.CachingStrategy;

/** A copy's client, as simple as it can be: the header, and then stock's own classes. */
final class StageClient implements Closeable {
    private static final int PATIENCE_MILLIS = 60_000;
    private static final int RECEIVE_BUFFER = 64 << 10;

    private final SocketChannel channel;
    private BlockReader reader;

    private StageClient(SocketChannel channel) {
        this.channel = channel;
    }

    /** Which has said nothing yet. */
    static StageClient connect(InetSocketAddress stage) throws IOException {
        SocketChannel channel = SocketChannel.open();
        // So that what the stage has sent, and nobody has read, isn't all.
        channel.setOption(StandardSocketOptions.SO_RCVBUF, RECEIVE_BUFFER);
        channel.connect(stage);
        channel.socket().setSoTimeout(PATIENCE_MILLIS);
        return new StageClient(channel);
    }

    static StageClient duplicate(StagedHdfs hdfs) throws IOException {
        return of(hdfs, Priority.DUPLICATE);
    }

    static StageClient of(StagedHdfs hdfs, Priority priority) throws IOException {
        ExtendedBlock block = hdfs.block().getBlock();
        BlockName name = new BlockName(block.getBlockPoolId(), block.getBlockId());
        return send(hdfs, new StageHeader(priority, new JobId(1, 2), Optional.of(name)));
    }

    static StageClient send(StagedHdfs hdfs, StageHeader header) throws IOException {
        StageClient client = connect(hdfs.stage());
        client.channel.write(header.encode());
        return client;
    }

    SocketChannel channel() {
        return channel;
    }

    /** Empty at the connection's end. */
    Optional<StageAnswer> answer() throws IOException {
        return StageAnswer.of(channel.socket().getInputStream().read());
    }

    /** Asks for a range, as stock does, once its turn has come. */
    void ask(StagedHdfs hdfs, LocatedBlock located, long offset, long length) throws IOException {
        DFSClient client = hdfs.system().getClient();
        Peer peer =
                DFSUtilClient.peerFromSocketAndKey(
                        client.getSaslDataTransferClient(),
                        channel.socket(),
                        client,
                        located.getBlockToken(),
                        located.getLocations()[0],
                        PATIENCE_MILLIS);
        reader =
                BlockReaderRemote.newBlockReader(
                        "/file",
                        located.getBlock(),
                        located.getBlockToken(),
                        offset,
                        length,
                        true,
                        client.getClientName() + "#duplicate",
                        peer,
                        located.getLocations()[0],
                        new PeerCache(0, 1),
                        new CachingStrategy(null, 0L),
                        0,
                        hdfs.system().getConf());
    }

    void ask(StagedHdfs hdfs) throws IOException {
        ask(hdfs, hdfs.block(), 0, StagedHdfs.LENGTH);
    }

    /** It has its turn, and the whole block comes. */
    void assertServed(StagedHdfs hdfs) throws IOException {
        assertThat(answer()).contains(StageAnswer.STARTED);
        ask(hdfs);
        hdfs.assertSame(read(StagedHdfs.LENGTH), 0);
    }

    /** The next bytes, all of them. */
    byte[] read(int count) throws IOException {
        byte[] read = new byte[count];
        reader.readFully(read, 0, count);
        return read;
    }

    /** All that the connection brings until its end. */
    int rest() throws IOException {
        byte[] into = new byte[1 << 16];
        int sum = 0;
        for (int n = reader.read(into, 0, into.length);
                n >= 0;
                n = reader.read(into, 0, into.length)) {
            sum += n;
        }
        return sum;
    }

    @Override
    public void close() throws IOException {
        if (reader != null) {
            reader.close();
        }
        channel.close();
    }
}
