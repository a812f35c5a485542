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
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.clone.hdfs.read.LeavesNothing;
import org.apache.hadoop.clone.hdfs.read.wire.StageAnswer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.MiniDFSCluster.DataNodeProperties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StageShutdownTest {
    private static final int SOME = 1 << 20;

    @TempDir private Path directory;

    @Test
    void aDataNodeEndsWithAllItsJobsAndServesThemAgainWhenItIsBack() throws Exception {
        Configuration conf = StagedHdfs.conf();
        conf.setBoolean(DFSConfigKeys.DFS_BLOCK_ACCESS_TOKEN_ENABLE_KEY, true);
        try (StagedHdfs hdfs = StagedHdfs.start(directory, conf)) {
            LeavesNothing leavesNothing = new LeavesNothing(() -> hdfs.cluster);
            leavesNothing.begin();
            DataNodeProperties stopped;
            long before = hdfs.metric("Queued");
            try (StageClient served = StageClient.duplicate(hdfs)) {
                assertThat(served.answer()).contains(StageAnswer.STARTED);
                served.ask(hdfs);
                hdfs.assertSame(served.read(SOME), 0);
                try (StageClient waiting = StageClient.duplicate(hdfs);
                        StageClient silent = StageClient.connect(hdfs.stage())) {
                    await().until(() -> hdfs.metric("Queued") == before + 2);
                    stopped = hdfs.cluster.stopDataNode(0);

                    assertThat(waiting.answer()).isEmpty();
                    assertThat(silent.answer()).isEmpty();
                }
                assertThatThrownBy(() -> served.read(StagedHdfs.LENGTH - SOME))
                        .isInstanceOf(IOException.class);
            }
            await().until(() -> threads().isEmpty());

            hdfs.cluster.restartDataNode(stopped, true);
            hdfs.cluster.waitActive();
            try (StageClient duplicate = StageClient.duplicate(hdfs)) {
                assertThat(duplicate.answer()).contains(StageAnswer.STARTED);
                duplicate.ask(hdfs, hdfs.block(), 0, SOME);
                hdfs.assertSame(duplicate.read(SOME), 0);
            }
            leavesNothing.end();
        }
    }

    private static List<String> threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .map(Thread::getName)
                .filter(
                        name ->
                                Stream.of("Stage of", "Starter of", "DataXceiver for")
                                        .anyMatch(name::startsWith))
                .toList();
    }
}
