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

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** After each test the DataNode's references, threads and descriptors are what they were. */
final class LeavesNothing implements BeforeEachCallback, AfterEachCallback {
    private final Supplier<StagedHdfs> hdfs;
    private Map<String, Integer> before;

    LeavesNothing(Supplier<StagedHdfs> hdfs) {
        this.hdfs = hdfs;
    }

    @Override
    public void beforeEach(ExtensionContext test) throws Exception {
        // The client's connection to the NameNode stays.
        hdfs.get().block();
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

    private Map<String, Integer> counts() throws Exception {
        Map<String, Integer> counts = new TreeMap<>();
        counts.put("references", hdfs.get().references());
        counts.put("descriptors", descriptors());
        counts.put(
                "threads of xceivers",
                (int)
                        Thread.getAllStackTraces().keySet().stream()
                                .filter(thread -> thread.getName().startsWith("DataXceiver for"))
                                .count());
        return counts;
    }

    // Of connections and of blocks. Others, as those of jars, come when they are needed first and
    // stay;
    // selectors for ten seconds (SocketIOWithTimeout).
    private static int descriptors() {
        int count = 0;
        for (File descriptor : new File("/proc/self/fd").listFiles()) {
            try {
                String target = Files.readSymbolicLink(descriptor.toPath()).toString();
                count += target.startsWith("socket:") || target.contains("/blk_") ? 1 : 0;
            } catch (IOException e) {
                // Closed in between.
            }
        }
        return count;
    }
}
