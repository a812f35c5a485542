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
import org.apache.hadoop.clone.hdfs.read.DuplicateReadStatistics.Counter;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.client.HdfsDataInputStream;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.test.GenericTestUtils.LogCapturer;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** Duplicates don't hide a DataNode that is slower than all others. */
class DyingDiskTest extends RacedReads {
    /** A short task's client has one or two. */
    private static final int RACES_OF_A_CLIENT = 5;

    private final org.apache.hadoop.fs.Path file = newFile();

    @Test
    void itIsNamedInTheLogOnceAllClientsOfAJvmHaveSeenEnough() throws Exception {
        byte[] written = hdfs.create(file, MB);
        othersAreWell();
        DataNode dying = hdfs.cluster.getDataNodes().get(0);
        LogCapturer log = LogCapturer.captureLogs(LoggerFactory.getLogger(Duplicates.class));
        Stop stop = new Stop(0);
        RacedHdfs.slow(dying, stop);
        try {
            for (int i = 0; i < RaceRecords.LEAST && log.getOutput().isEmpty(); i++) {
                loseRaces(dying, written);
            }
            assertThat(log.getOutput())
                    .containsPattern(
                            "Of the last reads at .*:"
                                    + dying.getXferPort()
                                    + ".* 100 % were faster at another DataNode");
        } finally {
            log.stopCapturing();
            stop.release();
        }
    }

    /** So many that those don't count of other tests in this JVM, which lose nearly all. */
    private static void othersAreWell() {
        for (int node = 0; node < 100; node++) {
            for (int i = 0; i < RaceRecords.MOST; i++) {
                RaceRecords.ofJvm().ended("well " + node, false);
            }
        }
    }

    private void loseRaces(DataNode dying, byte[] written) throws IOException {
        try (DistributedFileSystem system = hdfs.newSystem(hdfs.client());
                HdfsDataInputStream in = openAt(dying, system)) {
            long won = RacedHdfs.count(Counter.WON);
            for (int i = 0; i < RACES_OF_A_CLIENT; i++) {
                byte[] read = new byte[MB / 4];
                in.readFully(77, read);
                RacedHdfs.assertSame(read, written, 77);
            }
            assertThat(RacedHdfs.count(Counter.WON)).isEqualTo(won + RACES_OF_A_CLIENT);
        }
    }

    /** The NameNode shuffles what is as near. */
    private HdfsDataInputStream openAt(DataNode first, DistributedFileSystem system)
            throws IOException {
        while (true) {
            HdfsDataInputStream in = RacedHdfs.open(system, file);
            if (hdfs.node(in, 0) == first) {
                return in;
            }
            in.close();
        }
    }
}
