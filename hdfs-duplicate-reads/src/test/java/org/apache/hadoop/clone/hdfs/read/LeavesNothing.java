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
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.apache.hadoop.clone.hdfs.read.conf.DuplicateReadKeys;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.ThrottlerDoor;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsDatasetSpi.FsVolumeReferences;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.FsVolumeImpl;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * After each test the references, threads, connections and open blocks of all DataNodes that live,
 * and the duplicates that are read, are what they were, and of those that have died there is
 * nothing. After a class with one cluster no thread of the client's or of the plugin's is left: the
 * client's wait for work for some seconds. Other descriptors of the process come and go: Hadoop
 * keeps selectors for ten seconds, and connections to the NameNode.
 */
public final class LeavesNothing
        implements BeforeAllCallback, BeforeEachCallback, AfterEachCallback, AfterAllCallback {
    private static final String TIME_WAIT = "06";
    private static final Duration LONG = Duration.ofSeconds(90);
    private static final List<String> OF_CLIENT =
            List.of("duplicate read ", "duplicate reads' timer ", "local read ");
    private static final List<String> OF_DATA_NODES =
            List.of("DataXceiver for", "Stage of duplicate reads", "Starter of");

    private final Supplier<MiniDFSCluster> cluster;
    private final Set<String> ports = new HashSet<>();
    private Map<String, Long> before;
    private Map<String, Long> threadsBefore;

    public LeavesNothing(Supplier<MiniDFSCluster> cluster) {
        this.cluster = cluster;
    }

    @Override
    public void beforeAll(ExtensionContext test) {
        threadsBefore = new TreeMap<>();
        OF_CLIENT.forEach(name -> threadsBefore.put(name, threads(name)));
        OF_DATA_NODES.forEach(name -> threadsBefore.put(name, threads(name)));
    }

    @Override
    public void afterAll(ExtensionContext test) {
        Awaitility.await("no more threads are left than " + threadsBefore)
                .atMost(LONG)
                .until(
                        () ->
                                threadsBefore.entrySet().stream()
                                        .allMatch(
                                                name -> threads(name.getKey()) <= name.getValue()));
    }

    @Override
    public void beforeEach(ExtensionContext test) throws IOException {
        begin();
    }

    @Override
    public void afterEach(ExtensionContext test) {
        end();
    }

    /** For a cluster that a test has of its own, from where it is ready. */
    public void begin() throws IOException {
        for (DataNode node : cluster.get().getDataNodes()) {
            int port = node.getXferAddress().getPort();
            int offset =
                    node.getConf()
                            .getInt(
                                    DuplicateReadKeys.PORT_OFFSET,
                                    DuplicateReadKeys.PORT_OFFSET_DEFAULT);
            ports.add(hex(port));
            ports.add(hex(port + offset));
        }
        before = counts();
    }

    /** Before that cluster ends. */
    public void end() {
        // Those that a test has slowed down would take long to end.
        cluster.get().getDataNodes().forEach(node -> ThrottlerDoor.set(node, null));
        Awaitility.await("no more is left than " + before)
                .atMost(LONG)
                .until(
                        this::counts,
                        after ->
                                after.keySet().stream()
                                        .allMatch(what -> after.get(what) <= before.get(what)));
    }

    private Map<String, Long> counts() throws IOException {
        Map<String, Long> counts = new TreeMap<>();
        for (DataNode node : cluster.get().getDataNodes()) {
            counts.put("references at " + node.getDatanodeUuid(), references(node));
        }
        counts.put("connections", connections());
        counts.put("open blocks", openBlocks());
        counts.put("duplicates", RacedHdfs.isReadingDuplicates() ? 1L : 0);
        OF_DATA_NODES.forEach(name -> counts.put(name, threads(name)));
        return counts;
    }

    private static long threads(String name) {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith(name))
                .count();
    }

    /** References to all volumes of a DataNode. */
    private static long references(DataNode node) throws IOException {
        long sum = 0;
        try (FsVolumeReferences volumes = node.getFSDataset().getFsVolumeReferences()) {
            for (FsVolumeSpi volume : volumes) {
                sum += ((FsVolumeImpl) volume).getReferenceCount() - 1;
            }
        }
        return sum;
    }

    /** Either end of one is a line: local address, remote address and state, man 5 proc. */
    private long connections() throws IOException {
        long count = 0;
        for (String table : new String[] {"tcp", "tcp6"}) {
            for (String line : Files.readAllLines(Path.of("/proc/self/net", table))) {
                String[] words = line.strip().split("\\s+");
                boolean ofPort = ports.contains(port(words[1])) || ports.contains(port(words[2]));
                count += ofPort && !words[3].equals(TIME_WAIT) ? 1 : 0;
            }
        }
        return count;
    }

    private static String hex(int port) {
        return String.format("%04X", port);
    }

    private static String port(String address) {
        return address.substring(address.indexOf(':') + 1);
    }

    private static long openBlocks() throws IOException {
        long count = 0;
        try (Stream<Path> descriptors = Files.list(Path.of("/proc/self/fd"))) {
            for (Path descriptor : (Iterable<Path>) descriptors::iterator) {
                count += isOfBlock(descriptor) ? 1 : 0;
            }
        }
        return count;
    }

    private static boolean isOfBlock(Path descriptor) {
        try {
            return Files.readSymbolicLink(descriptor).toString().contains("/blk_");
        } catch (IOException e) {
            return false; // closed in between
        }
    }
}
