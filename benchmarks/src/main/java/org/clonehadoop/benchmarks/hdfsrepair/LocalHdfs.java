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
package org.clonehadoop.benchmarks.hdfsrepair;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.clone.hdfs.datanode.BlockLinkPlugin;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.DatanodeReportType;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.net.NetUtils;
import org.clonehadoop.benchmarks.harness.Poll;

/** A NameNode and DataNodes with the plugin, in this JVM, with Hadoop's defaults but for ports. */
final class LocalHdfs implements AutoCloseable {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final String ANY_PORT = "127.0.0.1:0";

    private final Path directory;
    private final NameNode nameNode;
    private final List<DataNode> dataNodes = new ArrayList<>();
    private final Configuration conf;

    private LocalHdfs(Path directory) throws IOException {
        this.directory = directory;
        conf = new Configuration();
        conf.set(DFSConfigKeys.DFS_NAMENODE_NAME_DIR_KEY, directory.resolve("name").toString());
        conf.set(DFSConfigKeys.DFS_NAMENODE_HTTP_ADDRESS_KEY, ANY_PORT);
        conf.set(DFSConfigKeys.DFS_DATANODE_ADDRESS_KEY, ANY_PORT);
        conf.set(DFSConfigKeys.DFS_DATANODE_HTTP_ADDRESS_KEY, ANY_PORT);
        conf.set(DFSConfigKeys.DFS_DATANODE_IPC_ADDRESS_KEY, ANY_PORT);
        conf.set(DFSConfigKeys.DFS_DATANODE_PLUGINS_KEY, BlockLinkPlugin.class.getName());
        FileSystem.setDefaultUri(conf, "hdfs://" + ANY_PORT);
        // Several daemons in one JVM.
        DefaultMetricsSystem.setMiniClusterMode(true);
        NameNode.format(conf);
        nameNode = new NameNode(conf);
        InetSocketAddress address = nameNode.getNameNodeAddress();
        FileSystem.setDefaultUri(conf, "hdfs://" + NetUtils.getHostPortString(address));
    }

    static LocalHdfs start(Path directory, int dataNodes) throws Exception {
        LocalHdfs hdfs = new LocalHdfs(directory);
        for (int i = 0; i < dataNodes; i++) {
            Configuration own = new Configuration(hdfs.conf);
            own.set(
                    DFSConfigKeys.DFS_DATANODE_DATA_DIR_KEY,
                    directory.resolve("data" + i).toString());
            hdfs.dataNodes.add(DataNode.createDataNode(new String[0], own));
        }
        DistributedFileSystem system = hdfs.system();
        Poll.until(
                "all DataNodes are there",
                LIMIT,
                () -> system.getDataNodeStats(DatanodeReportType.LIVE).length == dataNodes);
        return hdfs;
    }

    Configuration conf() {
        return conf;
    }

    DistributedFileSystem system() throws IOException {
        return (DistributedFileSystem) FileSystem.get(conf);
    }

    /** What the DataNodes' files take; a file with several names is there once. */
    long diskBytes() throws IOException {
        Set<Object> seen = new HashSet<>();
        long[] sum = new long[1];
        Files.walkFileTree(
                directory,
                new SimpleFileVisitor<>() {
                    @Override
                    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                        if (file.getFileName().toString().startsWith("blk_")
                                && seen.add(attributes.fileKey())) {
                            sum[0] += attributes.size();
                        }
                        return FileVisitResult.CONTINUE;
                    }

                    @Override
                    public FileVisitResult visitFileFailed(Path file, IOException e) {
                        // Deleted or renamed by its DataNode just now.
                        return FileVisitResult.CONTINUE;
                    }
                });
        return sum[0];
    }

    @Override
    public void close() throws IOException {
        system().close();
        dataNodes.forEach(DataNode::shutdown);
        nameNode.stop();
        nameNode.join();
    }
}
