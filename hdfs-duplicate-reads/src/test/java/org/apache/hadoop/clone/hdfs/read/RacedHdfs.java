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
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.Callable;
import org.apache.hadoop.clone.hdfs.read.DuplicateReadStatistics.Counter;
import org.apache.hadoop.clone.hdfs.read.conf.DuplicateReadKeys;
import org.apache.hadoop.clone.hdfs.read.datanode.DuplicateStagePlugin;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.apache.hadoop.hdfs.client.HdfsDataInputStream;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.ThrottlerDoor;
import org.apache.hadoop.hdfs.util.Canceler;
import org.apache.hadoop.hdfs.util.DataTransferThrottler;

/** An HDFS of three DataNodes with stages, on which everything is, and a client that races. */
final class RacedHdfs implements AutoCloseable {
    static final int BLOCK = 8 << 20;

    // Below the ports that the kernel chooses from, where a DataNode's is.
    private static final int OFFSET = -30_000;

    final MiniDFSCluster cluster;

    private RacedHdfs(MiniDFSCluster cluster) {
        this.cluster = cluster;
    }

    static Configuration conf() {
        return with(new Configuration());
    }

    /** What else a cluster is configured with. */
    static Configuration with(Configuration conf) {
        conf.setLong(HdfsClientConfigKeys.DFS_BLOCK_SIZE_KEY, BLOCK);
        conf.setBoolean(DFSConfigKeys.DFS_BLOCK_ACCESS_TOKEN_ENABLE_KEY, true);
        conf.set(DFSConfigKeys.DFS_DATANODE_PLUGINS_KEY, DuplicateStagePlugin.class.getName());
        conf.setInt(DuplicateReadKeys.PORT_OFFSET, OFFSET);
        // All three DataNodes get all blocks.
        conf.setBoolean(DFSConfigKeys.DFS_NAMENODE_REDUNDANCY_CONSIDERLOAD_KEY, false);
        // Connections that wait to be used again are none that are left.
        conf.setInt(HdfsClientConfigKeys.DFS_CLIENT_SOCKET_CACHE_EXPIRY_MSEC_KEY, 300);
        conf.setInt(DFSConfigKeys.DFS_DATANODE_SOCKET_REUSE_KEEPALIVE_KEY, 500);
        conf.set("fs.hdfs.impl", DuplicateReadFileSystem.class.getName());
        return conf;
    }

    static Configuration withoutPlugin() {
        Configuration conf = conf();
        conf.unset(DFSConfigKeys.DFS_DATANODE_PLUGINS_KEY);
        return conf;
    }

    static RacedHdfs start(java.nio.file.Path directory, Configuration conf) throws IOException {
        MiniDFSCluster cluster =
                new MiniDFSCluster.Builder(conf, Files.createDirectories(directory).toFile())
                        .numDataNodes(3)
                        .storagesPerDatanode(1)
                        .build();
        cluster.waitActive();
        return new RacedHdfs(cluster);
    }

    DistributedFileSystem system() throws IOException {
        return cluster.getFileSystem();
    }

    /** A client of its own. */
    DistributedFileSystem newSystem(Configuration conf) throws IOException {
        return (DistributedFileSystem) FileSystem.newInstance(cluster.getURI(), conf);
    }

    Configuration client() {
        return new Configuration(cluster.getConfiguration(0));
    }

    /** On all three DataNodes. */
    byte[] create(Path file, int length) throws IOException {
        byte[] bytes = bytes(length);
        try (FSDataOutputStream out = system().create(file)) {
            out.write(bytes);
        }
        // The NameNode is content with one at first, and a read of one replica has no duplicate.
        await().atMost(Duration.ofMinutes(1)).until(() -> isEverywhere(file));
        return bytes;
    }

    private boolean isEverywhere(Path file) throws IOException {
        return system().getClient().getLocatedBlocks(file.toString(), 0).getLocatedBlocks().stream()
                .allMatch(
                        block ->
                                block.isStriped()
                                        || block.getLocations().length
                                                == cluster.getDataNodes().size());
    }

    static byte[] bytes(int length) {
        byte[] bytes = new byte[length];
        new Random(length).nextBytes(bytes);
        return bytes;
    }

    static HdfsDataInputStream open(FileSystem system, Path file) throws IOException {
        return (HdfsDataInputStream) system.open(file);
    }

    static LocatedBlock block(HdfsDataInputStream in) throws IOException {
        return in.getAllBlocks().get(0);
    }

    /**
     * @param index in the order in which a stream tries
     */
    DataNode node(HdfsDataInputStream in, int index) throws IOException {
        return node(block(in).getLocations()[index]);
    }

    DataNode node(DatanodeInfo info) {
        return cluster.getDataNodes().stream()
                .filter(node -> node.getDatanodeUuid().equals(info.getDatanodeUuid()))
                .findFirst()
                .orElseThrow();
    }

    java.nio.file.Path replica(DataNode node, ExtendedBlock block) {
        return cluster.getBlockFile(cluster.getDataNodes().indexOf(node), block).toPath();
    }

    void corrupt(DataNode node, ExtendedBlock block) throws IOException {
        corrupt(node, block, 0);
    }

    /** From that byte on. */
    void corrupt(DataNode node, ExtendedBlock block, int from) throws IOException {
        java.nio.file.Path file = replica(node, block);
        byte[] bytes = Files.readAllBytes(file);
        for (int i = from; i < bytes.length; i += 4096) {
            bytes[i] ^= 1;
        }
        Files.write(file, bytes, StandardOpenOption.WRITE);
    }

    /** Stock's reads only; null for none. */
    static void slow(DataNode node, DataTransferThrottler throttler) {
        ThrottlerDoor.set(node, throttler);
    }

    /**
     * So slow that a duplicate wins: a packet in 64 ms. The period is that of one packet, for with
     * the usual half a second a small file would be read before anything waits.
     */
    static DataTransferThrottler crawling() {
        return new DataTransferThrottler(64, 1_000_000);
    }

    /** Each packet but the first is sent once that is so. */
    static DataTransferThrottler heldUntil(Callable<Boolean> isSo) {
        return new DataTransferThrottler(1_000_000) {
            @Override
            public synchronized void throttle(long bytes, Canceler canceler) {
                await().until(isSo);
            }
        };
    }

    void allFast() {
        cluster.getDataNodes().forEach(node -> slow(node, null));
    }

    static long count(Counter counter) {
        return DuplicateReadStatistics.ofJvm().get(counter);
    }

    /** How many were wanted, sent or not. */
    static long duplicates() {
        return count(Counter.SENT) + count(Counter.NEVER_SENT);
    }

    static boolean isReadingDuplicates() {
        return Thread.getAllStackTraces().values().stream()
                .flatMap(Arrays::stream)
                .anyMatch(frame -> frame.getClassName().equals(DuplicateRead.class.getName()));
    }

    static void assertSame(byte[] read, byte[] written, int from) {
        assertThat(Arrays.mismatch(read, 0, read.length, written, from, from + read.length))
                .as("first byte that differs")
                .isEqualTo(-1);
    }

    @Override
    public void close() {
        cluster.shutdown();
    }
}
