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
package org.apache.hadoop.clone.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which of a file's blocks a clone takes, and that they are those of no other file. */
class WrittenTest {
    private static final ClosedFile CLOSED =
            new ClosedFile("/work/a", null, List.of(block("BP-1", 7, 100), block("BP-1", 8, 40)));

    private static ExtendedBlock block(String pool, long id, long bytes) {
        return new ExtendedBlock(pool, id, bytes, 1);
    }

    private static LocatedBlocks now(ExtendedBlock... blocks) {
        List<LocatedBlock> located =
                List.of(blocks).stream()
                        .map(block -> new LocatedBlock(block, new DatanodeInfo[0]))
                        .toList();
        LocatedBlock last = located.isEmpty() ? null : located.get(located.size() - 1);
        return new LocatedBlocks(0, false, located, last, true, null, null);
    }

    @Test
    void aClosedFileIsTakenAsItWas() throws Exception {
        Written written = Written.of(CLOSED, now(block("BP-1", 7, 100), block("BP-1", 8, 40)));
        assertThat(written.bytes()).isEqualTo(140);
        assertThat(written.finished()).hasSize(2);
    }

    @Test
    void whatWasAppendedSinceIsLeftOut() throws Exception {
        Written written =
                Written.of(
                        CLOSED,
                        now(block("BP-1", 7, 100), block("BP-1", 8, 90), block("BP-1", 9, 5)));
        assertThat(written.bytes()).isEqualTo(140);
        assertThat(written.finished()).hasSize(1);
    }

    @ParameterizedTest
    @CsvSource({"BP-1, 9", "BP-2, 8"})
    void aFileOfOtherBlocksIsNotTakenForIt(String pool, long id) {
        LocatedBlocks other = now(block(pool, 7, 100), block(pool, id, 40));
        assertThatThrownBy(() -> Written.of(CLOSED, other)).hasMessageContaining("has lost");
        StreamState open = new StreamState("/work/a", 1, Optional.of(block("BP-1", 8, 40)), 0);
        assertThatThrownBy(() -> Written.of(open, other)).hasMessageContaining("has lost");
    }

    @Test
    void norIsAShorterOne() {
        assertThatThrownBy(() -> Written.of(CLOSED, now(block("BP-1", 7, 100))))
                .hasMessageContaining("has lost");
    }
}
