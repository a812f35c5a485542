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
package org.apache.hadoop.clone.hdfs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.Random;
import org.apache.hadoop.clone.hdfs.datanode.BlockLinkPlugin;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.tools.DFSck;
import org.apache.hadoop.io.IOUtils;
import org.apache.hadoop.util.ToolRunner;

/** A small HDFS with small blocks, and what tests ask of it. */
final class TestHdfs implements AutoCloseable {
    static final int BLOCK = 1 << 20;

    final MiniDFSCluster cluster;

    private TestHdfs(MiniDFSCluster cluster) {
        this.cluster = cluster;
    }

    static Configuration conf() {
        Configuration conf = new Configuration();
        conf.setLong(DFSConfigKeys.DFS_NAMENODE_MIN_BLOCK_SIZE_KEY, BLOCK);
        conf.setLong(HdfsClientConfigKeys.DFS_BLOCK_SIZE_KEY, BLOCK);
        conf.setLong(DFSConfigKeys.DFS_HEARTBEAT_INTERVAL_KEY, 1);
        conf.setBoolean(DFSConfigKeys.DFS_BLOCK_ACCESS_TOKEN_ENABLE_KEY, true);
        return conf;
    }

    static Configuration withPlugin() {
        Configuration conf = conf();
        conf.set(DFSConfigKeys.DFS_DATANODE_PLUGINS_KEY, BlockLinkPlugin.class.getName());
        return conf;
    }

    static TestHdfs start(java.nio.file.Path directory, Configuration conf, int dataNodes)
            throws IOException {
        MiniDFSCluster cluster =
                new MiniDFSCluster.Builder(conf, Files.createDirectories(directory).toFile())
                        .numDataNodes(dataNodes)
                        .build();
        cluster.waitActive();
        return new TestHdfs(cluster);
    }

    DistributedFileSystem system() throws IOException {
        return cluster.getFileSystem();
    }

    /** Of another client, as a clone is one. */
    DistributedFileSystem otherSystem() throws IOException {
        return (DistributedFileSystem) cluster.getNewFileSystemInstance(0);
    }

    static byte[] bytes(int length, long seed) {
        byte[] bytes = new byte[length];
        new Random(seed).nextBytes(bytes);
        return bytes;
    }

    static byte[] concat(byte[] first, byte[] second) {
        byte[] all = Arrays.copyOf(first, first.length + second.length);
        System.arraycopy(second, 0, all, first.length, second.length);
        return all;
    }

    byte[] read(Path file) throws IOException {
        byte[] bytes = new byte[(int) system().getFileStatus(file).getLen()];
        try (FSDataInputStream in = system().open(file)) {
            IOUtils.readFully(in, bytes, 0, bytes.length);
        }
        return bytes;
    }

    /** Whether a block of the file has more than one name on the first of its DataNodes. */
    boolean isLinked(Path file, int block) throws IOException {
        LocatedBlock located = system().getClient().getLocatedBlocks(file.toString(), 0).get(block);
        java.nio.file.Path replica =
                cluster.getBlockFile(indexOf(located), located.getBlock()).toPath();
        return (int) Files.getAttribute(replica, "unix:nlink") > 1;
    }

    private int indexOf(LocatedBlock located) {
        String uuid = located.getLocations()[0].getDatanodeUuid();
        int index = 0;
        while (!cluster.getDataNodes().get(index).getDatanodeUuid().equals(uuid)) {
            index++;
        }
        return index;
    }

    void assertHealthy(Path directory) throws Exception {
        ByteArrayOutputStream report = new ByteArrayOutputStream();
        try (PrintStream out = new PrintStream(report, true, StandardCharsets.UTF_8)) {
            ToolRunner.run(
                    new DFSck(cluster.getConfiguration(0), out),
                    new String[] {directory.toString()});
        }
        assertThat(report.toString(StandardCharsets.UTF_8)).contains("is HEALTHY");
    }

    @Override
    public void close() {
        cluster.shutdown();
    }
}
