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

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.clone.hdfs.read.wire.StageAnswer;
import org.apache.hadoop.clone.hdfs.read.wire.StageHeader;
import org.apache.hadoop.clone.hdfs.read.wire.StageHeader.BlockName;
import org.apache.hadoop.clone.hdfs.read.wire.StagePort;
import org.apache.hadoop.clone.stage.JobId;
import org.apache.hadoop.clone.stage.Priority;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.BlockReader;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.DFSUtilClient;
import org.apache.hadoop.hdfs.InputStreamDoor;
import org.apache.hadoop.hdfs.PeerCache;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.apache.hadoop.hdfs.client.impl.BlockReaderRemote;
import org.apache.hadoop.hdfs.net.Peer;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.datatransfer.IOStreamPair;
import org.apache.hadoop.hdfs.protocol.datatransfer.InvalidEncryptionKeyException;
import org.apache.hadoop.hdfs.security.token.block.InvalidBlockTokenException;
import org.apache.hadoop.hdfs.server.datanode.CachingStrategy;
import org.apache.hadoop.io.IOUtils;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.token.SecretManager.InvalidToken;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Opens stock's readers of replicas, on connections that can be ended. What {@code
 * BlockReaderFactory} does for TCP, which makes its connections where nobody sees them.
 */
final class ReplicaReaders {
    private static final Logger LOG = LoggerFactory.getLogger(ReplicaReaders.class);

    /** Behind the client's name in the DataNode's logs. */
    private static final String DUPLICATE = "#duplicate";

    /** Of IP's type of service: band 2 of Linux' {@code pfifo_fast}, behind all others. */
    private static final int BULK = 8;

    /** A filtered port answers nothing. */
    private static final int STAGE_CONNECT_MILLIS = (int) TimeUnit.SECONDS.toMillis(1);

    /** No readahead: it is done by threads of the DataNode's that don't give way. */
    private static final long NO_READAHEAD = 0;

    private final DFSClient client;
    private final Configuration conf;

    ReplicaReaders(DFSClient client) {
        this.client = client;
        this.conf = InputStreamDoor.configuration(client);
    }

    /** Where a DataNode's data transfer is. */
    InetSocketAddress address(DatanodeInfo node) {
        String address = node.getXferAddr(client.getConf().isConnectToDnViaHostname());
        return NetUtils.createSocketAddr(address, -1, null, client.getConf().isUriCacheEnabled());
    }

    /** As the client's distance to it in stock's statistics. */
    int distance(DatanodeInfo node) {
        try {
            return client.getClientContext().getNetworkDistance(node);
        } catch (IOException e) {
            return Integer.MAX_VALUE;
        }
    }

    /**
     * A reader of a replica, as stock makes it.
     *
     * @param from first byte, in the block
     * @param connection by which it can be ended while it is made as well
     */
    BlockReader open(
            ReadBlock block,
            DatanodeInfo node,
            InetSocketAddress address,
            long from,
            long length,
            Connection connection)
            throws IOException {
        PeerCache cache = client.getClientContext().getPeerCache();
        int cachedTries = client.getConf().getNumCachedConnRetry();
        while (true) {
            Peer cached = cachedTries-- > 0 ? cache.get(node, false) : null;
            Peer peer = null;
            BlockReader reader = null;
            try {
                peer = cached == null ? connect(block, node, address, connection) : cached;
                if (cached != null) {
                    connection.adopt(cached);
                }
                reader = request(block, node, peer, cache, Priority.PRIMARY, from, length);
                return reader;
            } catch (IOException e) {
                if (cached == null || isOfSecurity(e) || connection.hasEnded()) {
                    throw e;
                }
                // A DataNode ends connections that wait for long.
                LOG.debug("{} was stale", cached, e);
            } finally {
                if (reader == null) {
                    IOUtils.cleanupWithLogger(LOG, peer);
                }
            }
        }
    }

    /** Those for which stock's stream gets another token or key, and tries again. */
    static boolean isOfSecurity(IOException e) {
        return e instanceof InvalidToken
                || e instanceof InvalidEncryptionKeyException
                || e instanceof InvalidBlockTokenException
                || e instanceof AccessControlException;
    }

    private Peer connect(
            ReadBlock block, DatanodeInfo node, InetSocketAddress address, Connection connection)
            throws IOException {
        Socket socket = InputStreamDoor.newSocket(client);
        Peer secured = null;
        try {
            int timeout = client.getConf().getSocketTimeout();
            connection.connect(socket, address, InputStreamDoor.localInterface(client), timeout);
            Peer plain = plainPeer(socket);
            connection.readFrom(plain);
            secured = secure(block, node, socket, plain);
            return secured;
        } finally {
            if (secured == null) {
                IOUtils.closeSocket(socket);
            }
        }
    }

    private Peer plainPeer(Socket socket) throws IOException {
        int timeout = client.getConf().getSocketTimeout();
        // Without a channel, by a factory of the client's, it is one whose waits nobody notices.
        Peer peer =
                socket.getChannel() == null
                        ? DFSUtilClient.peerFromSocket(socket)
                        : new PatientPeer(socket);
        socket.setTcpNoDelay(true);
        peer.setReadTimeout(timeout);
        peer.setWriteTimeout(timeout);
        return peer;
    }

    private Peer secure(ReadBlock block, DatanodeInfo node, Socket socket, Peer plain)
            throws IOException {
        IOStreamPair streams =
                client.getSaslDataTransferClient()
                        .socketSend(
                                socket,
                                plain.getOutputStream(),
                                plain.getInputStream(),
                                client,
                                block.located().getBlockToken(),
                                node);
        return streams.in == plain.getInputStream() ? plain : new SecurePeer(plain, streams);
    }

    private BlockReader request(
            ReadBlock block,
            DatanodeInfo node,
            Peer peer,
            PeerCache cache,
            Priority priority,
            long from,
            long length)
            throws IOException {
        boolean duplicate = priority == Priority.DUPLICATE;
        return BlockReaderRemote.newBlockReader(
                block.file(),
                block.located().getBlock(),
                block.located().getBlockToken(),
                from,
                length,
                block.verifyChecksum(),
                duplicate ? client.getClientName() + DUPLICATE : client.getClientName(),
                peer,
                node,
                cache,
                duplicate
                        ? new CachingStrategy(block.caching().getDropBehind(), NO_READAHEAD)
                        : block.caching(),
                distance(node),
                conf);
    }

    /** How a copy goes through a stage. */
    record Passage(JobId job, Priority priority, Runnable asked) {}

    /**
     * A reader of a replica for a copy of another read. Returns when the stage has let it start.
     * Its connection serves nothing else: what its DataNode thinks of its priority stays with it.
     *
     * @param turnMillis for how long the stage may let it wait, from 1
     * @throws NoStageException if the DataNode has none that we understand
     */
    BlockReader openStaged(
            ReadBlock block,
            DatanodeInfo node,
            Passage passage,
            int turnMillis,
            long from,
            long length,
            Connection connection)
            throws IOException {
        InetSocketAddress stage = stageOf(node);
        Socket socket = InputStreamDoor.newSocket(client);
        Peer peer = null;
        BlockReader reader = null;
        try {
            if (passage.priority() == Priority.DUPLICATE && socket.getChannel() != null) {
                socket.getChannel().setOption(StandardSocketOptions.IP_TOS, BULK);
            }
            connectToStage(socket, stage, connection);
            Peer plain = plainPeer(socket);
            connection.readFrom(plain);
            write(
                    plain,
                    new StageHeader(
                            passage.priority(), passage.job(), name(block.located().getBlock())));
            passage.asked().run();
            plain.setReadTimeout(turnMillis);
            awaitTurn(plain, stage);
            plain.setReadTimeout(client.getConf().getSocketTimeout());
            peer = secure(block, node, socket, plain);
            reader = request(block, node, peer, null, passage.priority(), from, length);
            return reader;
        } finally {
            if (reader == null) {
                IOUtils.cleanupWithLogger(LOG, peer); // SASL's streams have buffers of their own
                IOUtils.closeSocket(socket);
            }
        }
    }

    /** For how long a duplicate waits for its turn: until its stage or its reader ends it. */
    int mostMillis() {
        return client.getConf().getSocketTimeout();
    }

    private InetSocketAddress stageOf(DatanodeInfo node) throws NoStageException {
        OptionalInt port = StagePort.of(node.getXferPort(), conf);
        if (port.isEmpty()) {
            throw new NoStageException("with its port it can't have a stage", null);
        }
        String host =
                client.getConf().isConnectToDnViaHostname() ? node.getHostName() : node.getIpAddr();
        return NetUtils.createSocketAddrForHost(host, port.getAsInt());
    }

    private void connectToStage(Socket socket, InetSocketAddress stage, Connection connection)
            throws IOException {
        try {
            connection.connect(
                    socket, stage, InputStreamDoor.localInterface(client), STAGE_CONNECT_MILLIS);
        } catch (ClosedByInterruptException e) {
            throw e; // that of whoever reads
        } catch (IOException e) {
            throw new NoStageException("nothing listens at " + stage, e);
        }
    }

    private static void write(Peer peer, StageHeader header) throws IOException {
        ByteBuffer encoded = header.encode();
        peer.getOutputStream().write(encoded.array(), 0, encoded.limit());
    }

    private static void awaitTurn(Peer peer, InetSocketAddress stage) throws IOException {
        int code = peer.getInputStream().read();
        StageAnswer answer =
                StageAnswer.of(code)
                        .orElseThrow(
                                () ->
                                        new NoStageException(
                                                "what listens at " + stage + " is no stage of ours",
                                                null));
        if (answer != StageAnswer.STARTED) {
            throw new IOException(stage + " turns copies away");
        }
    }

    /** Nobody on the way learns of what is encrypted. */
    private Optional<BlockName> name(ExtendedBlock block) throws IOException {
        boolean secret =
                client.newDataEncryptionKey() != null
                        || conf.get(HdfsClientConfigKeys.DFS_DATA_TRANSFER_PROTECTION_KEY, "")
                                .contains("privacy");
        return secret || !BlockName.canName(block.getBlockPoolId())
                ? Optional.empty()
                : Optional.of(new BlockName(block.getBlockPoolId(), block.getBlockId()));
    }
}
