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
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.clone.hdfs.read.DuplicateReadStatistics.Counter;
import org.apache.hadoop.clone.hdfs.read.conf.DuplicateReadKeys;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.client.HdfsDataInputStream;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A DataNode ends in the midst of a race. */
class DyingDataNodeTest {
    private static final int MB = 1 << 20;
    private static final int WITHIN_FIRST_WINDOW = 2;
    private static final org.apache.hadoop.fs.Path FILE = new org.apache.hadoop.fs.Path("/file");

    private RacedHdfs hdfs;
    private final LeavesNothing leavesNothing = new LeavesNothing(() -> hdfs.cluster);
    private byte[] written;

    @BeforeEach
    void start(@TempDir Path directory) throws IOException {
        hdfs = RacedHdfs.start(directory, RacedHdfs.conf());
        written = hdfs.create(FILE, RacedHdfs.BLOCK);
        leavesNothing.begin();
    }

    @AfterEach
    void stop() {
        try {
            leavesNothing.end();
        } finally {
            hdfs.close();
        }
    }

    @Test
    @SuppressWarnings("try")
    void thePrimarysIsFollowedByStocksNext() throws Exception {
        try (HdfsDataInputStream in = RacedHdfs.open(hdfs.system(), FILE)) {
            DataNode primary = hdfs.node(in, 0);
            Stop stop = new Stop(WITHIN_FIRST_WINDOW);
            RacedHdfs.slow(primary, stop);
            byte[] read = new byte[MB];
            long sent = RacedHdfs.count(Counter.SENT);
            Thread caller = new Thread(() -> readFully(in, read));
            try (AutoCloseable presence = Presence.onAll(hdfs, primary)) {
                caller.start();
                await().until(() -> RacedHdfs.count(Counter.SENT) == sent + 1);
                stop(primary, stop);
                caller.join();
            }
            RacedHdfs.assertSame(read, written, 0);
            byte[] rest = new byte[RacedHdfs.BLOCK - MB];
            in.readFully(rest);
            RacedHdfs.assertSame(rest, written, MB);
        }
    }

    @Test
    @SuppressWarnings("try")
    void theDuplicatesIsNotMissed() throws Exception {
        try (HdfsDataInputStream in = RacedHdfs.open(hdfs.system(), FILE)) {
            DataNode primary = hdfs.node(in, 0);
            DataNode duplicate = hdfs.node(in, 1);
            Stop stop = new Stop(WITHIN_FIRST_WINDOW);
            RacedHdfs.slow(primary, stop);
            byte[] read = new byte[MB];
            long sent = RacedHdfs.count(Counter.SENT);
            Thread caller = new Thread(() -> readFully(in, read));
            AutoCloseable presence = Presence.onAll(hdfs, primary);
            caller.start();
            await().until(() -> RacedHdfs.count(Counter.SENT) == sent + 1);
            presence.close();
            stop(duplicate, stop);
            caller.join();
            RacedHdfs.assertSame(read, written, 0);
            // Its thread may still be about to end where the caller is already.
            await().until(() -> !RacedHdfs.isReadingDuplicates());
        }
    }

    /** Else each stream of each process asks it first, and waits there. */
    @Test
    void oneThatIsGoneIsRememberedWithC3(@TempDir Path memory) throws Exception {
        Configuration conf = hdfs.client();
        conf.set(DuplicateReadKeys.PREFER, "c3");
        conf.set(DuplicateReadKeys.MEMORY, memory.toString());
        try (DistributedFileSystem system = hdfs.newSystem(conf);
                HdfsDataInputStream in = RacedHdfs.open(system, FILE)) {
            DataNode gone = hdfs.node(in, 0);
            String uuid = gone.getDatanodeUuid();
            stop(gone, new Stop(1));
            byte[] read = new byte[MB];
            in.readFully(read);
            RacedHdfs.assertSame(read, written, 0);
            NodeSpeeds speeds =
                    new NodeSpeeds(
                            HostMemory.open(HostMemory.file(memory)),
                            () -> TimeUnit.MILLISECONDS.toSeconds(System.currentTimeMillis()));
            assertThat(speeds.micros(uuid).orElse(0)).isGreaterThan(900_000);
        }
    }

    private void stop(DataNode node, Stop held) {
        hdfs.cluster.stopDataNode(hdfs.cluster.getDataNodes().indexOf(node));
        held.release();
    }

    private static void readFully(HdfsDataInputStream in, byte[] to) {
        try {
            in.readFully(to);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }
}
