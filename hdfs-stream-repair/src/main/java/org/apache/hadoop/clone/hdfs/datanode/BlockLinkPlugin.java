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

import java.io.IOException;
import java.util.Optional;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.classification.InterfaceStability;
import org.apache.hadoop.clone.hdfs.protocol.BlockLinkProtocol;
import org.apache.hadoop.clone.seam.HadoopLine;
import org.apache.hadoop.clone.seam.Shape;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.util.ServicePlugin;
import org.apache.hadoop.util.VersionInfo;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * For {@code dfs.datanode.plugins}. Adds {@link BlockLinkProtocol} to the DataNode's IPC server:
 * there is no port to open, to configure or to find.
 *
 * <p>A plugin that fails to start leaves its DataNode as it would be without it; HDFS sees to that.
 */
@InterfaceAudience.Public
@InterfaceStability.Evolving
public final class BlockLinkPlugin implements ServicePlugin {
    private static final Logger LOG = LoggerFactory.getLogger(BlockLinkPlugin.class);

    private BlockLinkService service;

    @Override
    public void start(Object dataNode) {
        DataNode node = (DataNode) dataNode;
        Optional<String> obstacle = obstacle();
        if (obstacle.isPresent()) {
            throw new IllegalStateException(
                    "no links between blocks here: "
                            + obstacle.get()
                            + "; take this plugin out of dfs.datanode.plugins, or install its fitting"
                            + " version");
        }
        // First: nobody may call it before, and nothing is left if it fails.
        authorize(node);
        service = new BlockLinkService(node);
        node.ipcServer.addProtocol(
                RPC.RpcKind.RPC_PROTOCOL_BUFFER, BlockLinkProtocol.class, service);
        LOG.info("Blocks can be linked, at {}", node.ipcServer.getListenerAddress());
    }

    /** HDFS doesn't publish how replicas are kept. */
    private static Optional<String> obstacle() {
        try {
            return HadoopLine.obstacle(
                    VersionInfo.getVersion(),
                    Shape.of("data-node"),
                    BlockLinkPlugin.class.getClassLoader());
        } catch (IOException e) {
            return Optional.of(e.getMessage());
        }
    }

    private static void authorize(DataNode node) {
        if (node.getConf()
                .getBoolean(CommonConfigurationKeysPublic.HADOOP_SECURITY_AUTHORIZATION, false)) {
            node.ipcServer.refreshServiceAcl(node.getConf(), new BlockLinkPolicies());
        }
    }

    @Override
    public void stop() {
        // The DataNode stops its server.
        close();
    }

    @Override
    public void close() {
        if (service != null) {
            service.close();
            service = null;
        }
    }
}
