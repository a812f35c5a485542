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

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.apache.hadoop.clone.hdfs.read.LeavesNothing;
import org.apache.hadoop.clone.hdfs.read.wire.StageAnswer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
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

/** With Kerberos, on a DataNode that speaks SASL in all its qualities. */
@TestInstance(Lifecycle.PER_CLASS)
class SaslStageTest extends SaslDataTransferTestCase {
    private static final int SOME = 1 << 20;

    private StagedHdfs hdfs;

    @RegisterExtension final LeavesNothing leavesNothing = new LeavesNothing(() -> hdfs.cluster);

    @BeforeAll
    void start(@TempDir Path directory) throws Exception {
        Configuration conf = createSecureConfig("authentication,integrity,privacy");
        hdfs = StagedHdfs.start(directory, StagedHdfs.with(conf));
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
    void aDuplicateHasTheBytesThatStockServes(String quality) throws Exception {
        Configuration client = new Configuration(hdfs.system().getConf());
        client.set(HdfsClientConfigKeys.DFS_DATA_TRANSFER_PROTECTION_KEY, quality);
        StagedHdfs with = hdfs.as(client);
        try (StageClient duplicate = StageClient.duplicate(with)) {
            assertThat(duplicate.answer()).contains(StageAnswer.STARTED);
            duplicate.ask(with, with.block(), 4097, SOME);
            with.assertSame(duplicate.read(SOME), 4097);
        }
        with.system().close();
    }
}
