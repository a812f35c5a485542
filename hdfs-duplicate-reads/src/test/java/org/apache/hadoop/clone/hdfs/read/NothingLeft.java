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

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsDatasetSpi.FsVolumeReferences;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.FsVolumeImpl;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * After each test sockets and files, volumes' references, and threads that read are what they were:
 * none of the client's, none of the DataNodes'.
 */
final class NothingLeft implements BeforeEachCallback, AfterEachCallback {
    private final Supplier<RacedHdfs> hdfs;
    private Map<String, Integer> before;

    NothingLeft(Supplier<RacedHdfs> hdfs) {
        this.hdfs = hdfs;
    }

    @Override
    public void beforeEach(ExtensionContext test) throws Exception {
        before = counts();
    }

    @Override
    public void afterEach(ExtensionContext test) {
        hdfs.get().allFast();
        Awaitility.await("nothing is left")
                .atMost(Duration.ofSeconds(90))
                .pollInterval(Duration.ofMillis(50))
                .until(
                        this::counts,
                        after ->
                                before.keySet().stream()
                                        .allMatch(what -> after.get(what) <= before.get(what)));
    }

    private Map<String, Integer> counts() throws Exception {
        Map<String, Integer> counts = new TreeMap<>();
        counts.put("references", references(hdfs.get().cluster));
        counts.put("descriptors", descriptors());
        counts.put("threads of xceivers", threads("DataXceiver for"));
        // Those that wait for work end later: DuplicateThreadsTest.
        counts.put("duplicates", RacedHdfs.isReadingDuplicates() ? 1 : 0);
        return counts;
    }

    private static int threads(String name) {
        return (int)
                Thread.getAllStackTraces().keySet().stream()
                        .filter(thread -> thread.getName().startsWith(name))
                        .count();
    }

    private static int references(MiniDFSCluster cluster) throws IOException {
        int sum = 0;
        for (DataNode node : cluster.getDataNodes()) {
            try (FsVolumeReferences volumes = node.getFSDataset().getFsVolumeReferences()) {
                for (FsVolumeSpi volume : volumes) {
                    sum += ((FsVolumeImpl) volume).getReferenceCount() - 1;
                }
            }
        }
        return sum;
    }

    // Hadoop keeps selectors, which are files without a name, for ten seconds
    // (SocketIOWithTimeout).
    private static int descriptors() {
        int count = 0;
        for (File descriptor : new File("/proc/self/fd").listFiles()) {
            try {
                String target = Files.readSymbolicLink(descriptor.toPath()).toString();
                count += target.startsWith("anon_inode:") ? 0 : 1;
            } catch (IOException e) {
                // Closed in between.
            }
        }
        return count;
    }
}
