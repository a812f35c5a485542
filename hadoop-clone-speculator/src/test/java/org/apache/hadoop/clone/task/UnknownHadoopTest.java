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

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.clone.seam.AlteredHadoop;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A whole map among classes of which one isn't as it is known. */
@Timeout(120)
class UnknownHadoopTest {
    @TempDir private Path temp;

    @Test
    @Tag("older-hadoop")
    void itsMapRunsAsStocksAndSaysWhatIsMissing() throws Exception {
        Path altered = Files.createDirectory(temp.resolve("altered"));
        AlteredHadoop.write(
                altered,
                "org.apache.hadoop.hdfs.protocolPB.ClientNamenodeProtocolTranslatorPB",
                "rename2");
        try (TaskJvm map = new TaskJvm(temp);
                StandInAppMaster appMaster = new StandInAppMaster(map.task())) {
            map.withOnClassPath(altered);
            map.start(appMaster, TaskJvm.job(), List.of());
            map.endInput();
            assertThat(map.exitCode()).as(map.log()).isZero();
            assertThat(appMaster.done).containsExactly(TaskJvm.ATTEMPT);
            assertThat(appMaster.errors).isEmpty();
            assertThat(map.log())
                    .containsOnlyOnce("can't be cloned, and runs as stock's: ")
                    .contains("rename2")
                    .doesNotContain("Order: ");
        }
    }
}
