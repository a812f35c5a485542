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
package org.clonehadoop.check;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ReleaseJarsTest {
    private static final String OF_X =
            "2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881";

    private static NodeFacts jars(String repair) {
        return Facts.but(
                facts ->
                        ((ObjectNode) facts.get("our_jars"))
                                .put("/hadoop/hadoop-clone-speculator.jar", OF_X)
                                .put("/hadoop/hdfs-stream-repair.jar", repair));
    }

    @Test
    void aJarOfAnotherReleaseIsWarnedOfThoughAllNodesHaveIt(@TempDir Path lib) throws Exception {
        Files.writeString(lib.resolve("hadoop-clone-speculator.jar"), "x");
        Files.writeString(lib.resolve("hdfs-stream-repair.jar"), "y");
        Files.createDirectory(lib.resolve("tools"));
        ReleaseJars release = ReleaseJars.in(lib);
        assertThat(release.others(Facts.node("h1", jars("old"))))
                .singleElement()
                .satisfies(
                        finding -> {
                            assertThat(finding.fails()).isFalse();
                            assertThat(finding.detail())
                                    .isEqualTo(
                                            "/hadoop/hdfs-stream-repair.jar isn't of this release");
                        });
        assertThat(release.others(Facts.node("h1", jars(OF_X)))).isEmpty();
    }

    @Test
    void outOfARepositoryNoReleaseIsKnown() {
        assertThat(ReleaseJars.NONE.others(Facts.node("h1", jars("old")))).isEmpty();
    }

    @Test
    void aSilentNodeHasItsOwnFinding() {
        assertThat(new ReleaseJars(java.util.Set.of(OF_X)).others(Node.silent("h1", "lost")))
                .isEmpty();
    }
}
