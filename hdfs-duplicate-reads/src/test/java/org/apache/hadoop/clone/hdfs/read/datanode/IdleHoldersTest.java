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
    private static final String ANOTHER = SLOW.replace("C350", "C351");

    @TempDir private Path directory;
    private Path table;
    private int references = 3;
    private IdleHolders holders;
    private long nanos;

    private Presence others;

    @BeforeEach
    void twoOfThreeAreSlow() throws IOException {
        table = Files.writeString(directory.resolve("tcp"), SLOW + ANOTHER);
        UntakenBytes readers = new UntakenBytes(List.of(table), 0x268A);
        holders = new IdleHolders(() -> readers.peers().size(), () -> references, () -> nanos);
        others = new Presence(holders::others, () -> Integer.MAX_VALUE);
    }

    /** Twice: what is new at one look is believed at the next. */
    private void sample(boolean needed) {
        sampleLater(needed);
        sampleLater(needed);
    }

    private void sampleLater(boolean needed) {
        nanos += TimeUnit.SECONDS.toNanos(1);
        holders.sample(others, needed);
    }

    private void sampleAtOnce() {
        holders.sample(others, true);
    }

    @Test
    void thoseThatAreSlowArentAmongTheOthers() {
        assertThat(holders.others()).isEqualTo(3);
        sample(true);
        assertThat(holders.others()).isEqualTo(1);
        references++;
        assertThat(holders.others()).isEqualTo(2);
    }

    /** It may have been one of the slow ones: the one that isn't has to be there still. */
    @Test
    void oneThatHasEndedSinceWasASlowOne() {
        sample(true);
        references--;
        assertThat(holders.others()).isEqualTo(1);
        sampleAtOnce();
        references++;
        assertThat(holders.others()).as("with one in its place").isEqualTo(2);
    }

    @Test
    void looksNowAndThenAndTellsOnlyIfSomebodyWantsToKnow() throws IOException {
        sample(true);
        Files.writeString(table, "");
        sampleAtOnce();
        assertThat(holders.others()).isEqualTo(1);
        sample(true);
        assertThat(holders.others()).isEqualTo(3);
        Files.writeString(table, SLOW);
        sample(false);
        assertThat(holders.others()).isEqualTo(3);
    }

    /** They are no others, so that there is nothing to take off of those. */
    @Test
    void slowOnesThatHaveBeenThereForLongHideNobodyElse() {
        references = 2;
        for (int second = 0; second < 60; second++) {
            sample(false);
        }
        references = 3;
        assertThat(others.others()).as("before anybody asks").isTrue();
        sample(true);
        assertThat(others.others()).isTrue();
        references = 2;
        sample(true);
        assertThat(others.others()).as("the slow ones alone").isFalse();
    }

    @Test
    void oneThatHasJustEndedHidesNobodyByTheConnectionThatItStillHas() throws IOException {
        Files.writeString(table, SLOW);
        references = 2;
        sample(true);
        assertThat(holders.others()).isEqualTo(1);
        references = 1;
        sampleLater(true);
        assertThat(holders.others()).isEqualTo(1);
    }

    @Test
    void whereItCantLookAllAreOthers() throws IOException {
        sample(true);
        Files.writeString(table, "0: 0100007F:268A 0100007F:C350 01 nothing\n");
        sample(true);
        assertThat(holders.others()).isEqualTo(3);
        Files.writeString(table, SLOW);
        sample(true);
        assertThat(holders.others()).isEqualTo(3);
    }
}
