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
package org.apache.hadoop.clone.task;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.clone.hdfs.MiniHdfs;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.ipc.Client;
import org.apache.hadoop.ipc.ProtobufRpcEngine2;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * A clone's RPC client has its original's id and counts its calls on from the same number. Here one
 * process is both: it goes back to the number that it had at the freeze.
 */
@Timeout(120)
@Isolated("its RPC clients, and who it is, are those of the whole JVM")
class RetryCacheTest {
    private static final int AT_THE_FREEZE = 1_000_000;

    @TempDir private java.nio.file.Path temp;

    @AfterEach
    void forget() {
        TaskHooks.CLIENTS.clear();
    }

    @Test
    void aCloneIsNotAnsweredWithWhatItsOriginalHasDone() throws Exception {
        // Without DataNodes: they would use up calls of the same process.
        try (MiniDFSCluster hdfs =
                MiniHdfs.build(
                        new MiniDFSCluster.Builder(new Configuration(), temp.toFile())
                                .numDataNodes(0))) {
            FileSystem system = hdfs.getFileSystem();
            system.mkdirs(new Path("/original"));
            system.mkdirs(new Path("/clone"));
            Fields.<Map<?, Client>>of(
                            Fields.<Object>of(ProtobufRpcEngine2.class, "CLIENTS"), "clients")
                    .values()
                    .forEach(TaskHooks::clientMade);

            assertThat(renamesAfterTheFreeze(system, "/original")).isTrue();
            assertThat(system.exists(new Path("/original.renamed"))).isTrue();

            // This is the trap: if it ever goes away, so can the renewal.
            assertThat(renamesAfterTheFreeze(system, "/clone")).isTrue();
            assertThat(system.exists(new Path("/clone.renamed"))).isFalse();

            IdentitySwitch.dropConnections(CloneIds.of(TaskJvm.ATTEMPT, 1));
            assertThat(renamesAfterTheFreeze(system, "/clone")).isTrue();
            assertThat(system.exists(new Path("/clone.renamed"))).isTrue();
        }
    }

    private static boolean renamesAfterTheFreeze(FileSystem system, String path) throws Exception {
        Fields.<AtomicInteger>of(Client.class, "callIdCounter").set(AT_THE_FREEZE);
        return system.rename(new Path(path), new Path(path + ".renamed"));
    }
}
