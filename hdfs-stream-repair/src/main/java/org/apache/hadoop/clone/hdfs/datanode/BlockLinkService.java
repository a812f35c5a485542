package org.apache.hadoop.clone.hdfs.datanode;

import java.io.Closeable;
import java.io.IOException;
import org.apache.hadoop.clone.hdfs.protocol.BlockLinkProtocol;
import org.apache.hadoop.clone.hdfs.protocol.BlockMessage;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier.AccessMode;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.DataNodeDoor;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.ReplicaLinks;
import org.apache.hadoop.ipc.ProtocolSignature;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.util.Time;

/**
 * Links replicas of one DataNode. Whoever asks must show the NameNode's leave to read the one block
 * and to write the other, wherever HDFS asks for such leave itself; and a block that is already
 * here is never touched, with or without leave.
 */
final class BlockLinkService implements BlockLinkProtocol, Closeable {
    private final DataNode node;
    private final BlockLinkMetrics metrics;
    private final boolean tokens;

    BlockLinkService(DataNode node) {
        this.node = node;
        this.metrics = BlockLinkMetrics.register(node.getDisplayName());
        this.tokens =
                node.getConf()
                        .getBoolean(
                                DFSConfigKeys.DFS_BLOCK_ACCESS_TOKEN_ENABLE_KEY,
                                DFSConfigKeys.DFS_BLOCK_ACCESS_TOKEN_ENABLE_DEFAULT);
    }

    @Override
    public void link(BlockMessage source, BlockMessage destination, boolean sync)
            throws IOException {
        try {
            long start = Time.monotonicNow();
            long bytes = checkedLink(source.get(), destination.get(), sync);
            metrics.linked(bytes, Time.monotonicNow() - start);
        } catch (IOException | RuntimeException e) {
            metrics.refused();
            throw e;
        }
    }

    private long checkedLink(LocatedBlock source, LocatedBlock destination, boolean sync)
            throws IOException {
        ExtendedBlock from = source.getBlock();
        if (!from.getBlockPoolId().equals(destination.getBlock().getBlockPoolId())) {
            throw new IOException(from + " and " + destination.getBlock() + " share no namespace");
        }
        check(source, AccessMode.READ);
        check(destination, AccessMode.WRITE);
        // The length that the NameNode hears of is the replica's own.
        ExtendedBlock to = destination.getBlock();
        to.setNumBytes(from.getNumBytes());
        // A DataNode gets its replicas after its plugins, from the first NameNode it finds.
        String storage =
                new ReplicaLinks(node.getFSDataset())
                        .link(from, to, sync || DataNodeDoor.syncsOnClose(node));
        node.notifyNamenodeReceivedBlock(to, null, storage, false);
        return from.getNumBytes();
    }

    @Override
    public void replicate(BlockMessage block) throws IOException {
        // As HDFS does: the DataNode makes itself leave to write from it, which would never expire.
        check(block.get(), AccessMode.COPY);
        DataNodeDoor.replicate(node, block.get());
    }

    private void check(LocatedBlock block, AccessMode mode) throws IOException {
        if (tokens) {
            node.getBlockPoolTokenSecretManager()
                    .checkAccess(block.getBlockToken(), null, block.getBlock(), mode, null, null);
        }
    }

    @Override
    public void close() {
        metrics.unregister();
    }

    @Override
    public long getProtocolVersion(String protocol, long clientVersion) throws IOException {
        return RPC.getProtocolVersion(BlockLinkProtocol.class);
    }

    @Override
    public ProtocolSignature getProtocolSignature(
            String protocol, long clientVersion, int clientMethodsHash) throws IOException {
        return ProtocolSignature.getProtocolSignature(
                this, protocol, clientVersion, clientMethodsHash);
    }
}
