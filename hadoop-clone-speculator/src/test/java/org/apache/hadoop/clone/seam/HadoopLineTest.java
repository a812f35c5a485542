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
package org.apache.hadoop.clone.seam;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.apache.hadoop.util.VersionInfo;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HadoopLineTest {
    private static final ClassLoader HERE = HadoopLineTest.class.getClassLoader();

    @TempDir private Path temp;

    @Tag("older-hadoop")
    @ParameterizedTest
    @ValueSource(strings = {"task", "app-master", "streams", "data-node"})
    void thisHadoopHasAll(String part) throws Exception {
        Shape shape = Shape.of(part);
        assertThat(shape.members()).hasSizeGreaterThan(30);
        assertThat(HadoopLine.obstacle(VersionInfo.getVersion(), shape, HERE)).isEmpty();
    }

    /** Or each process would look at all classes. */
    @Tag("older-hadoop")
    @Test
    void thisBuildIsKnown() throws Exception {
        assertThat(KnownBuild.of(HERE, HadoopLine.jarsOfTasks())).isNotNull();
        assertThat(KnownBuild.of(HERE, HadoopLine.jarsOfAppMasters())).isNotNull();
    }

    /** What is called, what is overridden, and what is only named. */
    @ParameterizedTest
    @CsvSource({
        "data-node, org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.FsVolumeImpl, createTemporary",
        "data-node, org.apache.hadoop.hdfs.server.datanode.DataNode, transferBlock",
        "streams, org.apache.hadoop.hdfs.DFSOutputStream, getUniqKey",
        "streams, org.apache.hadoop.hdfs.DataStreamer, isHflushed",
        "streams, org.apache.hadoop.hdfs.client.impl.LeaseRenewer, dfsclients"
    })
    void oneMissingIsNamed(String part, String type, String member) throws Exception {
        try (AlteredHadoop altered = AlteredHadoop.without(temp, type, member)) {
            assertThat(HadoopLine.obstacle("3.5.0", Shape.of(part), altered))
                    .hasValueSatisfying(
                            why ->
                                    assertThat(why)
                                            .startsWith("this Hadoop has no ")
                                            .contains(member));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"3.3.6", "3.6.0", "2.10.2", "4.0.0"})
    void otherLinesAreNotKnown(String version) {
        assertThat(HadoopLine.obstacle(version))
                .hasValue("this is Hadoop " + version + ", and 3.4 and 3.5 are known");
    }

    @Test
    void patchesOfKnownLinesAre() {
        assertThat(HadoopLine.obstacle("3.4.1")).isEmpty();
        assertThat(HadoopLine.obstacle("3.5.1-vendor")).isEmpty();
    }
}
