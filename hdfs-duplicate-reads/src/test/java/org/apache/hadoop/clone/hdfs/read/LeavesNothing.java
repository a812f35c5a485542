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
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * After each test the references, threads, connections and open blocks of all DataNodes, and the
 * duplicates that are read, are what they were. Other descriptors of the process come and go:
 * Hadoop keeps selectors for ten seconds, and connections to the NameNode.
 */
public final class LeavesNothing implements BeforeEachCallback, AfterEachCallback {
    private static final String TIME_WAIT = "06";

    private final Supplier<MiniDFSCluster> cluster;
    private Map<String, Long> before;

    public LeavesNothing(Supplier<MiniDFSCluster> cluster) {
        this.cluster = cluster;
    }

    @Override
    public void beforeEach(ExtensionContext test) throws Exception {
        before = counts();
    }

    @Override
    public void afterEach(ExtensionContext test) {
        // Those that a test has slowed down would take long to end.
        cluster.get().getDataNodes().forEach(node -> ThrottlerDoor.set(node, null));
        Awaitility.await("no more is left than " + before)
                .atMost(Duration.ofSeconds(90))
                .until(
                        this::counts,
                        after ->
                                before.keySet().stream()
                                        .allMatch(what -> after.get(what) <= before.get(what)));
    }

    private Map<String, Long> counts() throws IOException {
        Map<String, Long> counts = new TreeMap<>();
        counts.put("references", references(cluster.get()));
        counts.put("connections", connections());
        counts.put("open blocks", openBlocks());
        // Threads that wait for work end later: DuplicateThreadsTest.
        counts.put("duplicates", RacedHdfs.isReadingDuplicates() ? 1L : 0);
        counts.put(
                "threads of xceivers",
                Thread.getAllStackTraces().keySet().stream()
                        .filter(thread -> thread.getName().startsWith("DataXceiver for"))
                        .count());
        return counts;
    }

    /** References to all volumes of all DataNodes. */
    public static long references(MiniDFSCluster cluster) throws IOException {
        long sum = 0;
        for (DataNode node : cluster.getDataNodes()) {
            try (FsVolumeReferences volumes = node.getFSDataset().getFsVolumeReferences()) {
                for (FsVolumeSpi volume : volumes) {
                    sum += ((FsVolumeImpl) volume).getReferenceCount() - 1;
                }
            }
        }
        return sum;
    }

    /** Either end of one is a line: local address, remote address and state, man 5 proc. */
    private long connections() throws IOException {
        Set<String> ports = new HashSet<>();
        for (DataNode node : cluster.get().getDataNodes()) {
            int port = node.getXferAddress().getPort();
            ports.add(hex(port));
            ports.add(
                    hex(
                            port
                                    + node.getConf()
                                            .getInt(
                                                    DuplicateReadKeys.PORT_OFFSET,
                                                    DuplicateReadKeys.PORT_OFFSET_DEFAULT)));
        }
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
