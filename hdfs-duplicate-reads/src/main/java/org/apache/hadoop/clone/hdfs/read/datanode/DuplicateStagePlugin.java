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

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Optional;
import java.util.OptionalInt;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.classification.InterfaceStability;
import org.apache.hadoop.clone.hdfs.read.conf.DuplicateReadKeys;
import org.apache.hadoop.clone.hdfs.read.wire.StagePort;
import org.apache.hadoop.clone.seam.HadoopLine;
import org.apache.hadoop.clone.seam.Shape;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.util.ServicePlugin;
import org.apache.hadoop.util.VersionInfo;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * For {@code dfs.datanode.plugins}. Opens a second port, at which duplicates wait until nobody else
 * wants to read: docs/duplicate-reads.md.
 *
 * <p>Where it can't, it says why in one line of the log, and the DataNode is as it would be without
 * it; so are then its clients, which send their duplicates elsewhere.
 */
@InterfaceAudience.Public
@InterfaceStability.Evolving
public final class DuplicateStagePlugin implements ServicePlugin {
    private static final Logger LOG = LoggerFactory.getLogger(DuplicateStagePlugin.class);

    private StageMetrics metrics;
    private StagedXceivers xceivers;
    private StageAcceptor acceptor;

    @Override
    public void start(Object dataNode) {
        boolean started = false;
        try {
            Optional<String> obstacle = obstacle();
            if (obstacle.isPresent()) {
                throw new IOException(obstacle.get() + "; install the plugin's fitting version");
            }
            open((DataNode) dataNode);
            started = true;
        } catch (IOException | RuntimeException e) {
            LOG.warn("No duplicate reads are served here, all else is: {}", e.getMessage());
        } finally {
            // Also after an Error, which the DataNode logs: who connects would wait for nobody.
            if (!started) {
                close();
            }
        }
    }

    /** HDFS doesn't publish how it serves reads. */
    private static Optional<String> obstacle() throws IOException {
        return HadoopLine.obstacle(
                VersionInfo.getVersion(),
                Shape.of("reads-node"),
                DuplicateStagePlugin.class.getClassLoader());
    }

    private void open(DataNode node) throws IOException {
        StageSettings settings = StageSettings.of(node.getConf());
        InetSocketAddress address = address(node);
        metrics = StageMetrics.register(node.getDisplayName());
        xceivers = new StagedXceivers(node, settings, metrics);
        try {
            acceptor =
                    new StageAcceptor(
                            address, new VolumeStages(node, settings, xceivers), settings, metrics);
        } catch (IOException e) {
            throw new IOException(
                    address
                            + " can't be opened ("
                            + e.getMessage()
                            + "): free it, or set "
                            + DuplicateReadKeys.PORT_OFFSET
                            + " for DataNodes and clients",
                    e);
        }
        acceptor.start();
        LOG.info("Duplicate reads are served at {}, with {}", address, settings);
    }

    private static InetSocketAddress address(DataNode node) throws IOException {
        InetSocketAddress transfer = node.getXferAddress();
        OptionalInt port = StagePort.of(transfer.getPort(), node.getConf());
        if (port.isEmpty()) {
            throw new IOException(
                    "beside port "
                            + transfer.getPort()
                            + " there is none for them: the DataNode's must be 1024 or more, and so"
                            + " must be the sum of it and "
                            + DuplicateReadKeys.PORT_OFFSET
                            + ", up to 65535");
        }
        return new InetSocketAddress(transfer.getAddress(), port.getAsInt());
    }

    @Override
    public void stop() {
        close();
    }

    @Override
    public void close() {
        if (acceptor != null) {
            acceptor.close();
            acceptor = null;
        }
        if (xceivers != null) {
            xceivers.close();
            xceivers = null;
        }
        if (metrics != null) {
            metrics.unregister();
            metrics = null;
        }
    }
}
