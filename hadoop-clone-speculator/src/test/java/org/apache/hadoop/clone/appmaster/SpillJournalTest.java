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
package org.apache.hadoop.clone.appmaster;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.apache.hadoop.clone.protocol.SpillNotice;
import org.apache.hadoop.clone.shuffle.PublishedSpill;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapred.JobID;
import org.apache.hadoop.mapred.TaskAttemptID;
import org.apache.hadoop.mapred.TaskID;
import org.apache.hadoop.mapreduce.TaskType;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class SpillJournalTest {
    private static final JobID JOB = new JobID("1700000000000", 7);

    @TempDir java.nio.file.Path dir;
    private FileSystem files;
    private java.nio.file.Path file;

    @BeforeEach
    void setUp() throws IOException {
        files = FileSystem.getLocal(new Configuration(false)).getRaw();
        file = dir.resolve("journal");
    }

    private Path path() {
        return new Path(file.toUri());
    }

    private static TaskAttemptID map(int number) {
        return new TaskAttemptID(new TaskID(JOB, TaskType.MAP, number), 0);
    }

    /** The second one was begun by attempt 0 and is served by its clone as well. */
    private static List<PublishedSpill> output() {
        return List.of(
                new PublishedSpill(0, new SpillNotice(0, 0, 11, 0, 5, 0, 7), "http://h1:1"),
                new PublishedSpill(0, new SpillNotice(1, 11, 12, 0, 5), "http://h1:1"),
                new PublishedSpill(1, new SpillNotice(1, 11, 12, 0, 5), "https://h2:1"));
    }

    private void write(int maps) {
        try (SpillJournal journal = new SpillJournal(files, path())) {
            for (int map = 0; map < maps; map++) {
                journal.succeeded(map(map), () -> Optional.of(output()));
            }
        }
    }

    private Map<TaskAttemptID, String> read() {
        Map<TaskAttemptID, String> read = new HashMap<>();
        SpillJournal.read(files, path(), JOB).forEach((map, spills) -> read.put(map, told(spills)));
        return read;
    }

    private static String told(List<PublishedSpill> spills) {
        StringBuilder all = new StringBuilder();
        for (PublishedSpill spill : spills) {
            SpillNotice notice = spill.notice();
            all.append(spill.attempt()).append(' ').append(notice).append(' ');
            all.append(notice.previousChain()).append(' ').append(notice.servedAs());
            all.append(' ').append(notice.emptyPartitions()).append(' ').append(spill.host());
            all.append('\n');
        }
        return all.toString();
    }

    @Test
    void saysWhatWasWritten() {
        write(3);
        assertThat(read()).containsOnlyKeys(map(0), map(1), map(2)).containsValue(told(output()));
    }

    @Test
    void aMapMayHavePutOutNothing() {
        try (SpillJournal journal = new SpillJournal(files, path())) {
            journal.succeeded(map(5), () -> Optional.of(List.of()));
        }
        assertThat(read()).containsOnlyKeys(map(5)).containsValue("");
    }

    @Test
    void anOutputThatIsLostMeanwhileIsNotWritten() {
        try (SpillJournal journal = new SpillJournal(files, path())) {
            journal.succeeded(map(0), Optional::empty);
            journal.succeeded(map(1), () -> Optional.of(output()));
        }
        assertThat(read()).containsOnlyKeys(map(1));
    }

    @Test
    void withoutAFileNothingIsKnown() {
        assertThat(read()).isEmpty();
    }

    /** As an AppMaster that was killed leaves it. */
    @Test
    void whereverItIsCutOffWhatIsBeforeCounts() throws IOException {
        write(2);
        byte[] all = Files.readAllBytes(file);
        int one = (all.length - Integer.BYTES) / 2 + Integer.BYTES;
        for (int length = 0; length < all.length; length++) {
            Files.write(file, Arrays.copyOf(all, length));
            assertThat(read())
                    .as("%s of %s bytes", length, all.length)
                    .hasSize(length < one ? 0 : 1);
        }
    }

    @Test
    void whereverItIsDamagedNothingWrongIsRead() throws IOException {
        write(2);
        byte[] all = Files.readAllBytes(file);
        for (int at = 0; at < all.length; at++) {
            byte[] damaged = all.clone();
            damaged[at] ^= (byte) 0x81;
            Files.write(file, damaged);
            assertThat(read())
                    .as("byte %s of %s", at, all.length)
                    .hasSizeLessThan(2)
                    .allSatisfy((map, spills) -> assertThat(spills).isEqualTo(told(output())));
        }
    }

    @Test
    void aFileSystemThatFailsCostsOnlyTheRecovery() throws IOException {
        Files.createDirectories(file.resolve("in the way"));
        write(2);
        assertThat(read()).isEmpty();
    }

    /** The dispatcher's thread is who tells it. */
    @Test
    void whoTellsItWaitsForNothing() {
        CountDownLatch answers = new CountDownLatch(1);
        try (SpillJournal journal = new SpillJournal(files, path())) {
            journal.succeeded(
                    map(0),
                    () -> {
                        awaitUninterruptibly(answers);
                        return Optional.of(output());
                    });
            journal.succeeded(map(1), () -> Optional.of(output()));
            answers.countDown();
        }
        assertThat(read()).hasSize(2);
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
