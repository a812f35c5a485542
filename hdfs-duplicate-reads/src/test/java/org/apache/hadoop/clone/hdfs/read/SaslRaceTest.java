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
import org.apache.hadoop.clone.hdfs.read.DuplicateReadStatistics.Counter;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.apache.hadoop.hdfs.client.HdfsDataInputStream;
import org.apache.hadoop.hdfs.protocol.datatransfer.sasl.SaslDataTransferTestCase;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** With Kerberos, and SASL in all its qualities. */
@TestInstance(Lifecycle.PER_CLASS)
class SaslRaceTest extends SaslDataTransferTestCase {
    private static final int MB = 1 << 20;
    private static final org.apache.hadoop.fs.Path FILE = new org.apache.hadoop.fs.Path("/file");

    private RacedHdfs hdfs;
    private byte[] written;

    @RegisterExtension final LeavesNothing leavesNothing = new LeavesNothing(() -> hdfs.cluster);

    @BeforeAll
    void start(@TempDir Path directory) throws Exception {
        Configuration conf = createSecureConfig("authentication,integrity,privacy");
        hdfs = RacedHdfs.start(directory, RacedHdfs.with(conf));
        written = hdfs.create(FILE, 2 * MB);
    }

    @AfterAll
    void stop() {
        if (hdfs != null) {
            hdfs.close();
        }
        UserGroupInformation.setConfiguration(new Configuration());
    }

    @ParameterizedTest
    @ValueSource(strings = {"authentication", "integrity", "privacy"})
    void aPrimaryThatStallsIsPurgedAndItsBytesComeFromAnother(String quality) throws Exception {
        Configuration client = hdfs.client();
        client.set(HdfsClientConfigKeys.DFS_DATA_TRANSFER_PROTECTION_KEY, quality);
        try (DistributedFileSystem system = hdfs.newSystem(client);
                HdfsDataInputStream in = RacedHdfs.open(system, FILE)) {
            Stop stop = new Stop(2);
            RacedHdfs.slow(hdfs.node(in, 0), stop);
            long won = RacedHdfs.count(Counter.WON);
            byte[] read = new byte[MB];
            in.readFully(77, read);
            RacedHdfs.assertSame(read, written, 77);
            assertThat(RacedHdfs.count(Counter.WON)).isEqualTo(won + 1);
            stop.release();
        } finally {
            hdfs.allFast();
        }
    }
}
