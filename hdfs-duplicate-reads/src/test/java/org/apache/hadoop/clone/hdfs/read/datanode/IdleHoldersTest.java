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

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class IdleHoldersTest {
    private static final String SLOW = "0: 0100007F:268A 0100007F:C350 01 00200000:00000000\n";

    @TempDir private Path directory;
    private Path table;
    private int references = 3;
    private IdleHolders holders;
    private long nanos;

    @BeforeEach
    void twoOfThreeAreSlow() throws IOException {
        table = Files.writeString(directory.resolve("tcp"), SLOW + SLOW);
        UntakenBytes readers = new UntakenBytes(List.of(table), 0x268A);
        holders = new IdleHolders(readers::connections, () -> references, () -> nanos);
    }

    private boolean look() {
        nanos += TimeUnit.SECONDS.toNanos(1);
        return holders.look(true);
    }

    @Test
    void thoseThatAreSlowArentAmongTheOthers() {
        assertThat(holders.others()).isEqualTo(3);
        assertThat(look()).isTrue();
        assertThat(holders.others()).isEqualTo(1);
        references++;
        assertThat(holders.others()).isEqualTo(2);
    }

    /** It may have been one of the slow ones: the one that isn't has to be there still. */
    @Test
    void oneThatHasEndedSinceWasASlowOne() {
        look();
        references--;
        assertThat(holders.others()).isEqualTo(1);
        assertThat(holders.look(true)).isFalse();
        references++;
        assertThat(holders.others()).as("with one in its place").isEqualTo(2);
    }

    @Test
    void looksNowAndThenAndOnlyIfSomebodyWantsToKnow() throws IOException {
        look();
        Files.writeString(table, "");
        assertThat(holders.look(true)).isFalse();
        assertThat(holders.others()).isEqualTo(1);
        assertThat(holders.look(false)).isTrue();
        assertThat(holders.others()).isEqualTo(3);
    }

    @Test
    void whereItCantLookAllAreOthers() throws IOException {
        look();
        Files.writeString(table, "0: 0100007F:268A 0100007F:C350 01 nothing\n");
        assertThat(look()).isTrue();
        assertThat(holders.others()).isEqualTo(3);
        Files.writeString(table, SLOW);
        look();
        assertThat(holders.others()).isEqualTo(3);
    }
}
