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

import java.nio.file.Path;
import java.util.stream.Stream;
import org.apache.hadoop.clone.seam.AlteredHadoop;
import org.apache.hadoop.clone.seam.HadoopLine;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** All hooks are in, or none is. */
@Timeout(120)
class HookedClassesTest {
    @TempDir private Path temp;

    @Tag("older-hadoop")
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void ofThisHadoopAllAreLoaded(boolean reduce) throws Exception {
        try (AlteredHadoop hadoop =
                AlteredHadoop.without(temp, "org.apache.hadoop.ipc.Server", "none")) {
            assertThat(new HookedClasses(hadoop).load(reduce)).isEmpty();
            assertThat(hooked(hadoop)).hasSize(reduce ? 5 : 4);
        }
    }

    /** As a build that ours hasn't looked at: its hooks are written in the task. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void ofABuildThatOnlyLooksTheSameAsWell(boolean reduce) throws Exception {
        try (AlteredHadoop hadoop =
                AlteredHadoop.without(temp, "org.apache.hadoop.ipc.Client", "none")) {
            assertThat(new HookedClasses(hadoop).load(reduce)).isEmpty();
            assertThat(hooked(hadoop)).hasSize(reduce ? 5 : 4);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "map, org.apache.hadoop.ipc.Client, call",
        "map, org.apache.hadoop.ipc.Client, clientId",
        "map, org.apache.hadoop.hdfs.DFSInputStream, locatedBlocks",
        "map, org.apache.hadoop.hdfs.protocolPB.ClientNamenodeProtocolTranslatorPB, rename2",
        "map, org.apache.hadoop.mapred.MapTask, run",
        "map, org.apache.hadoop.mapred.MapTask$NewTrackingRecordReader, nextKeyValue",
        "map, org.apache.hadoop.mapred.MapTask$TrackedRecordReader, next",
        "reduce, org.apache.hadoop.mapred.ReduceTask, run",
        "reduce, org.apache.hadoop.mapred.ReduceTask, runOldReducer",
        "reduce, org.apache.hadoop.mapred.Merger$MergeQueue, next",
        "reduce, org.apache.hadoop.mapreduce.task.reduce.Fetcher, copyFromHost",
        "reduce, org.apache.hadoop.mapreduce.task.reduce.Fetcher, copyMapOutput",
    })
    void ofAnotherShapeNoneIs(String kind, String type, String member) throws Exception {
        try (AlteredHadoop hadoop = AlteredHadoop.without(temp, type, member)) {
            assertThat(new HookedClasses(hadoop).load(kind.equals("reduce")))
                    .hasValueSatisfying(why -> assertThat(why).contains(type).contains(member));
            assertThat(hooked(hadoop)).isEmpty();
        }
    }

    /** Before its tasks, and whatever its class path is made of. */
    @Tag("older-hadoop")
    @Test
    void anAppMasterSeesIt() throws Exception {
        try (AlteredHadoop hadoop =
                AlteredHadoop.without(
                        temp,
                        "org.apache.hadoop.hdfs.protocolPB.ClientNamenodeProtocolTranslatorPB",
                        "concat")) {
            assertThat(HookedClasses.obstacle(hadoop))
                    .hasValueSatisfying(why -> assertThat(why).contains("concat"));
        }
        assertThat(HookedClasses.obstacle(HookedClassesTest.class.getClassLoader())).isEmpty();
    }

    /** Frames of stacks by which threads are judged, and fields that nothing else needs. */
    @ParameterizedTest
    @CsvSource({
        "org.apache.hadoop.mapred.MapTask$NewDirectOutputCollector, close",
        "org.apache.hadoop.net.unix.DomainSocketWatcher, notificationSockets",
    })
    void whatIsOnlyLookedAtIsNeededToo(String type, String member) throws Exception {
        try (AlteredHadoop hadoop = AlteredHadoop.without(temp, type, member)) {
            assertThat(HadoopLine.obstacleToTasks(hadoop))
                    .hasValueSatisfying(why -> assertThat(why).contains(type).contains(member));
        }
    }

    private static Stream<String> hooked(AlteredHadoop hadoop) {
        return Stream.of(HookedClasses.names())
                .map(name -> name.replace('/', '.'))
                .filter(hadoop::hasLoaded);
    }
}
