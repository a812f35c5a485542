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

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.clone.hdfs.read.DuplicateReadStatistics.Counter;
import org.apache.hadoop.clone.hdfs.read.conf.DuplicateReadKeys;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.client.HdfsDataInputStream;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Which DataNodes are read from with {@code dfs.client.duplicate.prefer=c3}. */
@TestInstance(Lifecycle.PER_CLASS)
class PreferredReplicaTest {
    private static final int MB = 1 << 20;
    private static final int FAST_MICROS = 1;
    private static final int SLOW_MICROS = 1_000_000;

    private final org.apache.hadoop.fs.Path file = new org.apache.hadoop.fs.Path("/preferred");
    private Path memory;
    private RacedHdfs hdfs;
    private byte[] written;

    @RegisterExtension final LeavesNothing leavesNothing = new LeavesNothing(() -> hdfs.cluster);

    @BeforeAll
    void start(@TempDir Path directory) throws IOException {
        hdfs = RacedHdfs.start(directory.resolve("hdfs"), RacedHdfs.conf());
        written = hdfs.create(file, RacedHdfs.BLOCK);
        memory = Files.createDirectory(directory.resolve("memory"));
    }

    @AfterAll
    void stop() {
        if (hdfs != null) {
            hdfs.close();
        }
    }

    private Configuration preferring(Path where, String delay) {
        Configuration conf = hdfs.client();
        conf.set(DuplicateReadKeys.PREFER, "c3");
        conf.set(DuplicateReadKeys.MEMORY, where.toString());
        conf.set(DuplicateReadKeys.DELAY, delay);
        return conf;
    }

    /** As another process of this host has seen it. */
    private void remember(DataNode node, double micros) throws IOException {
        NodeSpeeds speeds =
                new NodeSpeeds(
                        HostMemory.open(HostMemory.file(memory)),
                        () -> TimeUnit.MILLISECONDS.toSeconds(System.currentTimeMillis()));
        // A sample weighs 0.9 of what is known.
        for (int i = 0; i < 20; i++) {
            speeds.took(node.getDatanodeUuid(), micros);
        }
    }

    @Test
    void theOneThatWasFastestIsReadFirst() throws Exception {
        for (DataNode preferred : hdfs.cluster.getDataNodes()) {
            for (DataNode node : hdfs.cluster.getDataNodes()) {
                remember(node, node == preferred ? FAST_MICROS : SLOW_MICROS);
            }
            try (DistributedFileSystem system = hdfs.newSystem(preferring(memory, "1h"));
                    HdfsDataInputStream in = RacedHdfs.open(system, file)) {
                byte[] read = new byte[MB];
                in.readFully(read);
                RacedHdfs.assertSame(read, written, 0);
                assertThat(in.getCurrentDatanode().getDatanodeUuid())
                        .isEqualTo(preferred.getDatanodeUuid());
            }
        }
    }

    @Test
    void theSecondFastestGetsTheDuplicate() throws Exception {
        List<DataNode> nodes = hdfs.cluster.getDataNodes();
        DataNode first = nodes.get(2);
        DataNode second = nodes.get(0);
        remember(first, FAST_MICROS);
        remember(second, FAST_MICROS + 1000);
        remember(nodes.get(1), SLOW_MICROS);
        try (DistributedFileSystem system = hdfs.newSystem(preferring(memory, "1ms"));
                HdfsDataInputStream in = RacedHdfs.open(system, file)) {
            Stop stop = new Stop(1);
            RacedHdfs.slow(first, stop);
            long takenOver = RacedHdfs.count(Counter.TAKEN_OVER);
            byte[] read = new byte[2 * MB];
            in.readFully(read);
            RacedHdfs.assertSame(read, written, 0);
            assertThat(RacedHdfs.count(Counter.TAKEN_OVER)).isGreaterThan(takenOver);
            assertThat(in.getCurrentDatanode().getDatanodeUuid())
                    .isEqualTo(second.getDatanodeUuid());
            stop.release();
        }
    }

    @Test
    void aCorruptOneIsStocksBusiness() throws Exception {
        org.apache.hadoop.fs.Path corrupt = new org.apache.hadoop.fs.Path("/corrupt");
        byte[] bytes = hdfs.create(corrupt, MB + 5);
        for (DataNode node : hdfs.cluster.getDataNodes()) {
            remember(node, SLOW_MICROS);
        }
        DataNode fast = hdfs.cluster.getDataNodes().get(1);
        remember(fast, FAST_MICROS);
        try (DistributedFileSystem system = hdfs.newSystem(preferring(memory, "1h"));
                HdfsDataInputStream in = RacedHdfs.open(system, corrupt)) {
            hdfs.corrupt(fast, RacedHdfs.block(in).getBlock());
            byte[] read = new byte[MB];
            in.readFully(5, read);
            RacedHdfs.assertSame(read, bytes, 5);
        }
    }

    /** Its process may be cloned to another host: CRIU would look for the file there. */
    @Test
    void aTaskMapsNoMemoryOfItsHosts(@TempDir Path other) throws Exception {
        Configuration conf = preferring(other, "1h");
        conf.set("mapreduce.task.attempt.id", "attempt_1_2_m_3_0");
        readSome(conf);
        assertThat(HostMemory.file(other)).doesNotExist();
        conf.unset("mapreduce.task.attempt.id");
        readSome(conf);
        assertThat(HostMemory.file(other)).exists();
    }

    private void readSome(Configuration conf) throws IOException {
        try (DistributedFileSystem system = hdfs.newSystem(conf);
                HdfsDataInputStream in = RacedHdfs.open(system, file)) {
            byte[] read = new byte[MB];
            in.readFully(read);
            RacedHdfs.assertSame(read, written, 0);
        }
    }

    @Test
    void withAMemoryThatCantBeReadAllIsStocks(@TempDir Path other) throws Exception {
        Files.createDirectory(HostMemory.file(other));
        readSome(preferring(other, "1h"));
    }
}
