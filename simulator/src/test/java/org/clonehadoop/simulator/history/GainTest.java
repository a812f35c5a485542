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
package org.clonehadoop.simulator.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.util.Arrays;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.jobhistory.WrittenHistory;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GainTest {
    private static final int MAPS = 10;
    private static final long BLOCK = 128L << 20;

    @TempDir java.nio.file.Path directory;
    private Path file;

    @BeforeEach
    void nameTheFile() {
        file = new Path(directory.resolve("job_1700000000000_0007-1.jhist").toUri());
    }

    /** Twelve parts of a map's progress, in 120 s. */
    private static int[] even() {
        int[] splits = new int[12];
        Arrays.fill(splits, 10_000);
        return splits;
    }

    private static int[] slowFrom(int part, int millis) {
        int[] splits = even();
        Arrays.fill(splits, part, 12, millis);
        return splits;
    }

    /** Maps 1 to 9 as usual, each on a host of its own; the first is left to the test. */
    private static void usualMaps(WrittenHistory history) throws IOException {
        for (int map = 1; map < MAPS; map++) {
            history.map(map, 0, "h" + map, 10, 130, BLOCK, even());
        }
    }

    @Test
    void aMapThatBecameSlowInItsMidstGainsByAClone() throws IOException {
        try (WrittenHistory history = new WrittenHistory(file, MAPS, 1)) {
            usualMaps(history);
            history.map(0, 0, "h0", 10, 670, BLOCK, slowFrom(6, 100_000));
            history.reduce(0, "h1", 140, 675, 700, MAPS * BLOCK);
            history.end(705, MAPS, 1);
        }

        Gain gain = Gain.of(PastJob.read(file), 2);

        assertThat(gain.jobSeconds()).isEqualTo(705);
        assertThat(gain.stragglers())
                .singleElement()
                .satisfies(
                        one -> {
                            assertThat(one.attempt())
                                    .isEqualTo("attempt_1700000000000_0007_m_000000_0");
                            assertThat(one.host()).isEqualTo("h0");
                            assertThat(one.seconds()).isEqualTo(660);
                            assertThat(one.timesUsual()).isCloseTo(5.5, within(0.01));
                            assertThat(one.timesInput()).isEqualTo(1);
                            assertThat(one.overtaken()).isFalse();
                        });
        assertThat(gain.backups()).isZero();
        assertThat(gain.withClonesSeconds()).isBetween(150.0, 450.0);
        assertThat(gain.aloneSeconds()).isEqualTo(gain.jobSeconds());
    }

    @Test
    void whatTheInputExplainsNoCloneCures() throws IOException {
        try (WrittenHistory history = new WrittenHistory(file, MAPS, 0)) {
            usualMaps(history);
            history.map(0, 0, "h0", 10, 610, 5 * BLOCK, slowFrom(0, 50_000));
            history.end(615, MAPS, 0);
        }

        Gain gain = Gain.of(PastJob.read(file), 2);

        assertThat(gain.stragglers()).singleElement().extracting("timesInput").isEqualTo(5.0);
        assertThat(gain.withClonesSeconds()).isCloseTo(615, within(30.0));
    }

    @Test
    void aBackupThatWonIsCounted() throws IOException {
        try (WrittenHistory history = new WrittenHistory(file, MAPS, 0)) {
            usualMaps(history);
            history.killedMap(0, 0, "h0", 10, 280, slowUntilKilled());
            history.map(0, 1, "h1", 150, 275, BLOCK, even());
            history.end(285, MAPS, 0);
        }

        PastJob job = PastJob.read(file);
        Gain gain = Gain.of(job, 2);

        assertThat(job.attempts()).hasSize(MAPS + 1);
        assertThat(job.attempts().get(0).splits()).containsExactly(10_000, 10_000, 10_000);
        assertThat(gain.backups()).isEqualTo(1);
        assertThat(gain.backupsWon()).isEqualTo(1);
        assertThat(gain.thrownAwaySeconds()).isEqualTo(270);
        assertThat(gain.stragglers()).singleElement().extracting("overtaken").isEqualTo(true);
        assertThat(gain.aloneSeconds()).isGreaterThan(gain.jobSeconds());
    }

    /** A quarter of its progress as usual, and then nothing. */
    private static int[] slowUntilKilled() {
        int[] splits = even();
        Arrays.fill(splits, 3, 12, -1);
        return splits;
    }

    @Test
    void nothingIsGainedWhereNothingStraggled() throws IOException {
        try (WrittenHistory history = new WrittenHistory(file, MAPS, 0)) {
            usualMaps(history);
            history.map(0, 0, "h0", 10, 130, BLOCK, even());
            history.end(135, MAPS, 0);
        }

        Gain gain = Gain.of(PastJob.read(file), 2);

        assertThat(gain.stragglers()).isEmpty();
        assertThat(gain.withClonesSeconds()).isEqualTo(gain.jobSeconds());
        assertThat(gain.simulatedSeconds()).isCloseTo(gain.workSeconds(), within(10.0));
    }

    @Test
    void aJobWithoutAnEndIsRefused() throws IOException {
        try (WrittenHistory history = new WrittenHistory(file, MAPS, 0)) {
            usualMaps(history);
        }

        assertThatThrownBy(() -> PastJob.read(file))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("not of a job that has succeeded");
    }

    @Test
    void anotherFileIsRefused() throws IOException {
        Files.writeString(java.nio.file.Path.of(file.toUri().getPath()), "something else\n");

        assertThatThrownBy(() -> PastJob.read(file))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("no JobHistory file");
    }
}
