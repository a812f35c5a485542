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

import java.nio.file.Path;
import org.apache.hadoop.clone.hdfs.read.conf.DuplicateReadKeys;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.apache.hadoop.hdfs.client.HdfsDataInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What reads cost that aren't slow: no thread but their callers' is to wake for them. */
class IdleCostTest {
    private static final int READS = 500;
    private static final int OWN_THREADS = 3;
    private static final int BYTES = 64 << 10;
    private static final int MINUTE_MILLIS = 60_000;

    @Test
    void fastReadsSetNoAlarm(@TempDir Path directory) throws Exception {
        Configuration conf = RacedHdfs.conf();
        // So that there is one connection, however slow the machine is.
        conf.setInt(HdfsClientConfigKeys.DFS_CLIENT_SOCKET_CACHE_EXPIRY_MSEC_KEY, MINUTE_MILLIS);
        conf.setInt(DFSConfigKeys.DFS_DATANODE_SOCKET_REUSE_KEEPALIVE_KEY, MINUTE_MILLIS);
        conf.set(HdfsClientConfigKeys.DFS_CLIENT_CONTEXT, "idle");
        // None is slow, on any machine.
        conf.set(DuplicateReadKeys.DELAY, "1h");
        // The timer is nobody else's.
        conf.setInt(DuplicateReadKeys.THREADS, OWN_THREADS);
        org.apache.hadoop.fs.Path file = new org.apache.hadoop.fs.Path("/idle");
        try (RacedHdfs hdfs = RacedHdfs.start(directory, conf)) {
            byte[] written = hdfs.create(file, RacedHdfs.BLOCK);
            try (DistributedFileSystem system = hdfs.newSystem(conf);
                    HdfsDataInputStream in = RacedHdfs.open(system, file)) {
                byte[] read = new byte[BYTES];
                in.readFully(0, read);
                RaceTimer timer =
                        DuplicateThreads.of(DuplicateReadFileSystem.settings(conf).orElseThrow())
                                .timer();
                long before = timer.alarmsSet();
                for (int i = 0; i < READS; i++) {
                    in.readFully(i, read);
                }
                long alarms = timer.alarmsSet() - before;
                RacedHdfs.assertSame(read, written, READS - 1);
                assertThat(alarms).isZero();
            }
        }
    }
}
