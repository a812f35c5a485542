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
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * After each test the references, threads, connections and open blocks of the DataNode are what
 * they were. Other descriptors of the process come and go: Hadoop keeps selectors for ten seconds,
 * and connections to the NameNode.
 */
final class LeavesNothing implements BeforeEachCallback, AfterEachCallback {
    private static final String TIME_WAIT = "06";

    private final Supplier<StagedHdfs> hdfs;
    private Map<String, Long> before;

    LeavesNothing(Supplier<StagedHdfs> hdfs) {
        this.hdfs = hdfs;
    }

    @Override
    public void beforeEach(ExtensionContext test) throws Exception {
        before = counts();
    }

    @Override
    public void afterEach(ExtensionContext test) {
        Awaitility.await("no more is left than " + before)
                .atMost(Duration.ofSeconds(60))
                .until(
                        this::counts,
                        after ->
                                before.keySet().stream()
                                        .allMatch(what -> after.get(what) <= before.get(what)));
    }

    private Map<String, Long> counts() throws IOException {
        Map<String, Long> counts = new TreeMap<>();
        counts.put("references", (long) hdfs.get().references());
        counts.put("connections", connections());
        counts.put("open blocks", openBlocks());
        counts.put(
                "threads of xceivers",
                Thread.getAllStackTraces().keySet().stream()
                        .filter(thread -> thread.getName().startsWith("DataXceiver for"))
                        .count());
        return counts;
    }

    /** Either end of one is a line: local address, remote address and state, man 5 proc. */
    private long connections() throws IOException {
        Set<String> ports =
                Set.of(
                        hex(hdfs.get().node().getXferAddress().getPort()),
                        hex(hdfs.get().stage().getPort()));
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
