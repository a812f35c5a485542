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
package org.apache.hadoop.clone.hdfs.datanode;

import java.io.Closeable;
import java.io.IOException;
import org.apache.hadoop.clone.hdfs.protocol.BlockLinkMessages;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier.AccessMode;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.DataNodeDoor;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.ReplicaLinks;
import org.apache.hadoop.thirdparty.protobuf.BlockingService;
import org.apache.hadoop.thirdparty.protobuf.Descriptors.MethodDescriptor;
import org.apache.hadoop.thirdparty.protobuf.Descriptors.ServiceDescriptor;
import org.apache.hadoop.thirdparty.protobuf.DynamicMessage;
import org.apache.hadoop.thirdparty.protobuf.Empty;
import org.apache.hadoop.thirdparty.protobuf.Message;
import org.apache.hadoop.thirdparty.protobuf.RpcController;
import org.apache.hadoop.thirdparty.protobuf.ServiceException;
import org.apache.hadoop.util.Time;

/**
 * Links replicas of one DataNode. Whoever asks must show the NameNode's leave to read the one block
 * and to write the other, wherever HDFS asks for such leave itself; and a block that is already
 * here is never touched, with or without leave.
 */
final class BlockLinkService implements BlockingService, Closeable {
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
    public ServiceDescriptor getDescriptorForType() {
        return BlockLinkMessages.SERVICE;
    }

    @Override
    public Message getRequestPrototype(MethodDescriptor method) {
        return DynamicMessage.getDefaultInstance(method.getInputType());
    }

    @Override
    public Message getResponsePrototype(MethodDescriptor method) {
        return Empty.getDefaultInstance();
    }

    @Override
    public Message callBlockingMethod(
            MethodDescriptor method, RpcController unused, Message request)
            throws ServiceException {
        try {
            switch (method.getName()) {
                case "link" -> link(request);
                case "replicate" -> replicate(BlockLinkMessages.block(request, "block"));
                default -> {} // a probe
            }
        } catch (IOException e) {
            throw new ServiceException(e);
        }
        return Empty.getDefaultInstance();
    }

    private void link(Message request) throws IOException {
        try {
            long start = Time.monotonicNow();
            long bytes =
                    checkedLink(
                            BlockLinkMessages.block(request, "source"),
                            BlockLinkMessages.block(request, "destination"),
                            BlockLinkMessages.sync(request));
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

    private void replicate(LocatedBlock block) throws IOException {
        // As HDFS does: the DataNode makes itself leave to write from it, which would never expire.
        check(block, AccessMode.COPY);
        DataNodeDoor.replicate(node, block);
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
}
