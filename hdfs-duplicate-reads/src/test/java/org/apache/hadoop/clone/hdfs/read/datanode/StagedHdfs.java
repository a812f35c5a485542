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

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.Random;
import org.apache.hadoop.clone.hdfs.read.conf.DuplicateReadKeys;
import org.apache.hadoop.clone.hdfs.read.wire.StageAnswer;
import org.apache.hadoop.clone.hdfs.read.wire.StageHeader;
import org.apache.hadoop.clone.stage.JobId;
import org.apache.hadoop.clone.stage.Priority;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsDatasetSpi.FsVolumeReferences;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeReference;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.FsVolumeImpl;
import org.apache.hadoop.metrics2.MetricsRecordBuilder;
import org.apache.hadoop.test.MetricsAsserts;
import org.awaitility.Awaitility;

/** An HDFS of one DataNode with a stage, and one file in it, of one block. */
final class StagedHdfs implements AutoCloseable {
    /** Some packets more than all buffers on the way can hold. */
    static final int LENGTH = 24 << 20;

    // Below the ports that the kernel chooses from, where a DataNode's is.
    private static final int OFFSET = -30_000;
    private static final Path FILE = new Path("/file");

    final MiniDFSCluster cluster;
    private final DistributedFileSystem system;
    private final byte[] bytes = new byte[LENGTH];

    private StagedHdfs(MiniDFSCluster cluster, DistributedFileSystem system) {
        this.cluster = cluster;
        this.system = system;
        new Random(1).nextBytes(bytes);
    }

    static Configuration conf() {
        return with(new Configuration());
    }

    static Configuration with(Configuration conf) {
        conf.setLong(HdfsClientConfigKeys.DFS_BLOCK_SIZE_KEY, 2 * LENGTH);
        conf.setInt(HdfsClientConfigKeys.DFS_REPLICATION_KEY, 1);
        conf.set(DFSConfigKeys.DFS_DATANODE_PLUGINS_KEY, DuplicateStagePlugin.class.getName());
        conf.setInt(DuplicateReadKeys.PORT_OFFSET, OFFSET);
        conf.setInt(DuplicateReadKeys.LIMIT, 1);
        // Connections that a test's end would have to wait for, some seconds each.
        conf.setInt(HdfsClientConfigKeys.DFS_CLIENT_SOCKET_CACHE_CAPACITY_KEY, 0);
        conf.setInt(CommonConfigurationKeysPublic.IPC_CLIENT_CONNECTION_MAXIDLETIME_KEY, 3_600_000);
        return conf;
    }

    static StagedHdfs start(java.nio.file.Path directory, Configuration conf) throws IOException {
        return start(directory, conf, 1);
    }

    static StagedHdfs start(java.nio.file.Path directory, Configuration conf, int volumes)
            throws IOException {
        MiniDFSCluster cluster =
                new MiniDFSCluster.Builder(conf, Files.createDirectories(directory).toFile())
                        .numDataNodes(1)
                        .storagesPerDatanode(volumes)
                        .build();
        cluster.waitActive();
        StagedHdfs started = new StagedHdfs(cluster, cluster.getFileSystem());
        try (FSDataOutputStream out = started.system.create(FILE)) {
            out.write(started.bytes);
        }
        started.readOnce(conf.get(DFSConfigKeys.DFS_DATANODE_PLUGINS_KEY) != null);
        return started;
    }

    /** What is made once in a process is there afterwards, and so is the stage. */
    private void readOnce(boolean stage) throws IOException {
        try (FSDataInputStream primary = openPrimary()) {
            primary.read();
        }
        if (stage) {
            StageHeader header =
                    new StageHeader(Priority.DUPLICATE, new JobId(0, 0), Optional.empty());
            Awaitility.await("the stage is open")
                    .atMost(Duration.ofMinutes(1))
                    .ignoreExceptionsInstanceOf(IOException.class)
                    .until(
                            () -> {
                                try (StageClient duplicate = StageClient.send(this, header)) {
                                    return duplicate.answer().orElse(null) == StageAnswer.STARTED;
                                }
                            });
        }
    }

    /** The same for a client of another configuration. */
    StagedHdfs as(Configuration client) throws IOException {
        return new StagedHdfs(
                cluster, (DistributedFileSystem) FileSystem.newInstance(cluster.getURI(), client));
    }

    DistributedFileSystem system() {
        return system;
    }

    DataNode node() {
        return cluster.getDataNodes().get(0);
    }

    InetSocketAddress stage() {
        return new InetSocketAddress("127.0.0.1", node().getXferAddress().getPort() + OFFSET);
    }

    LocatedBlock block() throws IOException {
        return system.getClient().getLocatedBlocks(FILE.toString(), 0).get(0);
    }

    /** By the DataNode's own port, as any client's. */
    FSDataInputStream openPrimary() throws IOException {
        return system.open(FILE);
    }

    /** As a reader that waits for the block's disk, until it is closed. */
    FsVolumeReference somebody() throws IOException {
        return node().getFSDataset().getVolume(block().getBlock()).obtainReference();
    }

    /** References to all volumes. */
    int references() throws IOException {
        int sum = 0;
        try (FsVolumeReferences volumes = node().getFSDataset().getFsVolumeReferences()) {
            for (FsVolumeSpi volume : volumes) {
                sum += ((FsVolumeImpl) volume).getReferenceCount() - 1;
            }
        }
        return sum;
    }

    /** A volume that isn't the block's. */
    FsVolumeSpi otherVolume() throws IOException {
        FsVolumeSpi of = node().getFSDataset().getVolume(block().getBlock());
        try (FsVolumeReferences volumes = node().getFSDataset().getFsVolumeReferences()) {
            for (FsVolumeSpi volume : volumes) {
                if (volume != of) {
                    return volume;
                }
            }
        }
        throw new IllegalStateException("there is one only");
    }

    long metric(String name) {
        MetricsRecordBuilder metrics = MetricsAsserts.getMetrics(metricsName());
        return MetricsAsserts.getLongCounter(name, metrics);
    }

    String metricsName() {
        return "DuplicateReads-" + node().getDisplayName().replace(':', '-');
    }

    void assertSame(byte[] read, int from) {
        assertThat(Arrays.mismatch(read, 0, read.length, bytes, from, from + read.length))
                .as("first byte that differs")
                .isEqualTo(-1);
    }

    @Override
    public void close() {
        cluster.shutdown();
    }
}
