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
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.clone.hdfs.read.DuplicateReadStatistics.Counter;
import org.apache.hadoop.clone.hdfs.read.conf.DuplicateReadKeys;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.apache.hadoop.hdfs.client.HdfsDataInputStream;
import org.apache.hadoop.net.unix.DomainSocket;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.test.GenericTestUtils.LogCapturer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/**
 * Replicas on the client's own host, read as files: by stock's reader of HDFS-2246, which needs no
 * native library.
 */
@TestInstance(Lifecycle.PER_CLASS)
class RacedLocalReadTest {
    private static final int MB = 1 << 20;

    private RacedHdfs hdfs;

    @RegisterExtension final LeavesNothing leavesNothing = new LeavesNothing(() -> hdfs.cluster);

    @BeforeAll
    void start(@TempDir Path directory) throws IOException {
        Configuration conf = RacedHdfs.conf();
        conf.set(
                DFSConfigKeys.DFS_BLOCK_LOCAL_PATH_ACCESS_USER_KEY,
                UserGroupInformation.getCurrentUser().getShortUserName());
        hdfs = RacedHdfs.start(directory, conf);
        hdfs.system();
    }

    @AfterAll
    void stop() {
        if (hdfs != null) {
            hdfs.close();
        }
    }

    private Configuration local(boolean legacy) {
        Configuration conf = hdfs.client();
        conf.setBoolean(HdfsClientConfigKeys.Read.ShortCircuit.KEY, true);
        conf.setBoolean(HdfsClientConfigKeys.DFS_CLIENT_USE_LEGACY_BLOCKREADERLOCAL, legacy);
        conf.set(HdfsClientConfigKeys.DFS_DOMAIN_SOCKET_PATH_KEY, "/nowhere");
        conf.set(HdfsClientConfigKeys.DFS_CLIENT_CONTEXT, "local" + legacy);
        conf.setBoolean(DuplicateReadKeys.SHORT_CIRCUIT, true);
        return conf;
    }

    @Test
    void localFilesAreReadByStocksReaderStill() throws Exception {
        org.apache.hadoop.fs.Path file = new org.apache.hadoop.fs.Path("/local");
        byte[] written = hdfs.create(file, RacedHdfs.BLOCK + MB);
        Configuration conf = local(true);
        conf.set(DuplicateReadKeys.DELAY, "1h");
        try (DistributedFileSystem system = hdfs.newSystem(conf);
                HdfsDataInputStream in = RacedHdfs.open(system, file)) {
            byte[] read = new byte[3 * MB];
            in.readFully(11, read);
            RacedHdfs.assertSame(read, written, 11);
            byte[] all = new byte[written.length];
            in.readFully(all);
            RacedHdfs.assertSame(all, written, 0);
            in.seek(MB + 5);
            in.skip(100);
            assertThat(in.read()).isEqualTo(written[MB + 105] & 0xff);
            assertThat(in.getReadStatistics().getTotalShortCircuitBytesRead())
                    .isEqualTo(in.getReadStatistics().getTotalBytesRead())
                    .isPositive();
        }
    }

    /** A pipe in its place, whose opening lasts until somebody writes. */
    @Test
    void aDiskThatHangsIsOvertaken() throws Exception {
        org.apache.hadoop.fs.Path file = new org.apache.hadoop.fs.Path("/hangs");
        byte[] written = hdfs.create(file, RacedHdfs.BLOCK);
        try (DistributedFileSystem system = hdfs.newSystem(local(true));
                HdfsDataInputStream in = RacedHdfs.open(system, file)) {
            Path replica = hdfs.replica(hdfs.node(in, 0), RacedHdfs.block(in).getBlock());
            Files.delete(replica);
            int made = new ProcessBuilder("mkfifo", replica.toString()).start().waitFor();
            assertThat(made).isZero();
            long won = RacedHdfs.count(Counter.WON);
            byte[] read = new byte[MB];
            in.readFully(77, read);
            RacedHdfs.assertSame(read, written, 77);
            assertThat(RacedHdfs.count(Counter.WON)).isEqualTo(won + 1);
            // What was given up ends, and closes its file.
            new FileOutputStream(replica.toFile()).close();
        }
    }

    @Test
    void withoutTheLibraryLocalReadsAreStocksAndOneLineSaysWhy() throws Exception {
        assumeTrue(
                DomainSocket.getLoadingFailureReason() != null, "Hadoop's native library is there");
        org.apache.hadoop.fs.Path file = new org.apache.hadoop.fs.Path("/stock");
        byte[] written = hdfs.create(file, MB);
        LogCapturer log = LogCapturer.captureLogs(LoggerFactory.getLogger(Duplicates.class));
        try (DistributedFileSystem system = hdfs.newSystem(local(false));
                HdfsDataInputStream in = RacedHdfs.open(system, file)) {
            long sent = RacedHdfs.count(Counter.SENT);
            // So slow that it would have a duplicate.
            RacedHdfs.slow(hdfs.node(in, 0), RacedHdfs.crawling());
            byte[] read = new byte[MB];
            in.readFully(0, read);
            RacedHdfs.assertSame(read, written, 0);
            assertThat(RacedHdfs.count(Counter.SENT)).isEqualTo(sent);
        } finally {
            log.stopCapturing();
        }
        assertThat(log.getOutput()).containsOnlyOnce("No reads of local files");
        assertThat(log.getOutput()).contains("install libhadoop.so");
    }
}
