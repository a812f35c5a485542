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

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo.DatanodeInfoBuilder;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is known of DataNodes, and in which order they are read therefore. */
class ReplicaOrderTest {
    private static final long PACKET = 64 << 10;

    private static final DatanodeInfo A = node("a");
    private static final DatanodeInfo B = node("b");
    private static final DatanodeInfo C = node("c");

    @TempDir private Path directory;
    private long seconds = 1_000_000;
    private NodeSpeeds speeds;
    private ReplicaOrder order;

    static DatanodeInfo node(String uuid) {
        return new DatanodeInfoBuilder()
                .setNodeID(new DatanodeID("127.0.0.1", uuid, uuid, 1, 2, 3, 4))
                .build();
    }

    @BeforeEach
    void open() throws IOException {
        speeds = newSpeeds();
        order = new ReplicaOrder(speeds);
    }

    /** As another process has them. */
    private NodeSpeeds newSpeeds() throws IOException {
        return new NodeSpeeds(HostMemory.open(HostMemory.file(directory)), () -> seconds);
    }

    @Test
    void aWordHasAllThatIsKnown() {
        long word = SpeedWord.of(0xabc123, 1_000_000, 1234.4);
        assertThat(SpeedWord.isOf(word, 0xabc123)).isTrue();
        assertThat(SpeedWord.isOf(word, 0xabc124)).isFalse();
        assertThat(SpeedWord.micros(word, 1_000_060)).hasValue(1234);
        assertThat(SpeedWord.micros(word, 1_000_061)).isEmpty();
        // A clock that was set back.
        assertThat(SpeedWord.micros(word, 999_999)).isEmpty();
        // The count of seconds begins anew between the two.
        assertThat(SpeedWord.micros(SpeedWord.of(1, (1 << 20) - 1, 5), (1 << 20) + 1)).hasValue(5);
        assertThat(SpeedWord.micros(SpeedWord.of(1, 7, 1e9), 7)).hasValue((1 << 20) - 1);
        assertThat(SpeedWord.isForgotten(0, 5)).isTrue();
    }

    @Test
    void aNewSampleHasMostOfTheWeightAndOthersSeeIt() throws IOException {
        speeds.took("a", 100);
        speeds.took("a", 200);
        assertThat(newSpeeds().micros("a")).hasValue(190);
        assertThat(newSpeeds().micros("b")).isEmpty();
    }

    @Test
    void whatWasNotHeardOfForAMinuteIsForgotten() {
        speeds.took("a", 100);
        seconds += SpeedWord.FORGOTTEN_SECONDS + 1;
        assertThat(speeds.micros("a")).isEmpty();
        speeds.took("a", 300);
        assertThat(speeds.micros("a")).hasValue(300);
    }

    /** More than there is room for: some aren't remembered, none is taken for another. */
    @Test
    void aFullMemoryTellsNothingWrong() {
        int nodes = 4 * HostMemory.WORDS;
        for (int i = 0; i < nodes; i++) {
            speeds.took("node" + i, i % 1000);
        }
        int known = 0;
        for (int i = 0; i < nodes; i++) {
            if (speeds.micros("node" + i).isPresent()) {
                known++;
                assertThat(speeds.micros("node" + i)).hasValue(i % 1000);
            }
        }
        assertThat(known).isBetween(HostMemory.WORDS / 2, HostMemory.WORDS);
    }

    @Test
    void nothingKnownIsTheNameNodesOrder() {
        assertThat(order.best(List.of(B, C, A))).containsExactly(B, C, A);
    }

    @Test
    void theFastestIsFirst() {
        order.waited(A, PACKET, 900_000);
        order.waited(B, 10 * PACKET, 2_000_000);
        order.waited(C, PACKET / 2, 500_000);
        assertThat(order.best(List.of(A, B, C))).containsExactly(B, C, A);
    }

    /** (1 + 2)³ · 200 is more than 900. */
    @Test
    void readsThatWaitThereCount() {
        order.waited(A, PACKET, 900_000);
        order.waited(B, PACKET, 200_000);
        order.begins(B);
        order.begins(B);
        assertThat(order.best(List.of(B, A))).containsExactly(A, B);
        order.ends(B);
        order.ends(B);
        order.ends(B);
        assertThat(order.best(List.of(A, B))).containsExactly(B, A);
    }

    /** C3 would try it first; it may be at the other end of the cluster. */
    @Test
    void oneThatIsUnknownIsTakenForAsFastAsIsUsual() {
        order.waited(A, PACKET, 100_000);
        order.waited(B, PACKET, 100_000);
        assertThat(order.best(List.of(A, C))).containsExactly(A, C);
        assertThat(order.best(List.of(C, A))).containsExactly(C, A);
        order.waited(A, PACKET, 9_000_000);
        assertThat(order.best(List.of(A, C))).containsExactly(C, A);
    }

    /** The NameNode puts it last; nothing is known of it, and the others are slower than usual. */
    @Test
    void oneThatIsToGoIsLast() {
        DatanodeInfo leaving = node("leaving");
        leaving.startDecommission();
        order.waited(C, PACKET, 100_000);
        order.waited(A, PACKET, 2_000_000);
        order.waited(B, PACKET, 1_800_000);
        assertThat(order.best(List.of(A, B, leaving))).containsExactly(B, A, leaving);
        assertThat(order.best(List.of(leaving, A))).containsExactly(A, leaving);
    }

    @Test
    void oneThatFailedIsLastAndTeachesNothingOfOthers() {
        order.waited(A, PACKET, 100_000);
        order.failed(B);
        assertThat(order.best(List.of(B, C, A))).containsExactly(C, A, B);
    }

    @Test
    void aMemoryThatIsCutShortIsTheNameNodesOrderFromThenOn() throws IOException {
        order.waited(A, PACKET, 900_000);
        order.waited(B, PACKET, 200_000);
        assertThat(order.best(List.of(A, B))).containsExactly(B, A);
        try (FileChannel file =
                FileChannel.open(HostMemory.file(directory), StandardOpenOption.WRITE)) {
            file.truncate(0);
        }
        List<DatanodeInfo> nodes = List.of(A, B);
        // The JVM may tell of it a little later.
        for (int i = 0; i < 1000; i++) {
            order.best(nodes);
        }
        assertThat(order.best(nodes)).isSameAs(nodes);
        order.waited(A, PACKET, 1);
    }

    @Test
    void aMemoryThatCantBeHadIsTheNameNodesOrder() throws IOException {
        Files.delete(HostMemory.file(directory));
        Files.createDirectory(HostMemory.file(directory));
        List<DatanodeInfo> nodes = List.of(A, B);
        ReplicaOrder stocks = ReplicaOrder.of(Optional.of(directory));
        stocks.waited(A, PACKET, 9_000_000);
        assertThat(stocks.best(nodes)).isSameAs(nodes);
    }
}
