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
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.hadoop.clone.hdfs.MiniHdfs;
import org.apache.hadoop.clone.score.CloneCosts;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CostFileTest {
    private static final CloneCosts CONFIGURED = new CloneCosts(1.2, 1500, 104857.6);
    private static final CloneCosts LEARNED = new CloneCosts(1.2, 1234.5, 2500);
    private static final String CONTENT =
            """
            {"configured": {"beta": 1.2, "vmMillis": 1500, "bytesPerMilli": 104857.6},
             "learned": {"beta": 1.2, "vmMillis": 1234.5, "bytesPerMilli": 2500}}""";

    private static MiniDFSCluster hdfs;
    private static FileSystem files;

    private final org.apache.hadoop.fs.Path staging =
            new org.apache.hadoop.fs.Path("/staging/u/.staging");
    private final org.apache.hadoop.fs.Path path =
            new org.apache.hadoop.fs.Path(staging, CostFile.NAME);

    @BeforeAll
    static void start(@TempDir Path temp) throws IOException {
        hdfs = MiniHdfs.build(new MiniDFSCluster.Builder(new Configuration(), temp.toFile()));
        files = hdfs.getFileSystem();
    }

    @AfterAll
    static void stop() {
        hdfs.shutdown();
    }

    @BeforeEach
    void clear() throws IOException {
        files.delete(staging, true);
    }

    private CostFile ofJob(int number) throws IOException {
        org.apache.hadoop.fs.Path directory =
                new org.apache.hadoop.fs.Path(staging, "job_1_000" + number);
        files.mkdirs(directory);
        return new CostFile(hdfs.getConfiguration(0), directory);
    }

    private void put(String content) throws IOException {
        try (OutputStream out = files.create(path)) {
            out.write(content.getBytes());
        }
    }

    @Test
    void whatOneJobWritesTheNextReads() throws IOException {
        ofJob(1).write(CONFIGURED, LEARNED);
        assertThat(ofJob(2).read(CONFIGURED)).contains(LEARNED);
        assertThat(files.getFileStatus(path).getPermission().toShort()).isEqualTo((short) 0600);
    }

    @Test
    void theLastOneWinsAndNothingElseIsLeft() throws IOException {
        ofJob(1).write(CONFIGURED, new CloneCosts(1.2, 1, 1));
        ofJob(2).write(CONFIGURED, LEARNED);
        assertThat(ofJob(3).read(CONFIGURED)).contains(LEARNED);
        try (Stream<FileStatus> left = Stream.of(files.listStatus(staging))) {
            assertThat(left.filter(FileStatus::isFile)).hasSize(1);
        }
        assertThat(files.listStatus(new org.apache.hadoop.fs.Path(staging, "job_1_0002")))
                .isEmpty();
    }

    @Test
    void readersNeverSeeAHalfOne() throws Exception {
        CostFile one = ofJob(1);
        CostFile other = ofJob(2);
        one.write(CONFIGURED, LEARNED);
        List<Thread> writers = List.of(writer(one), writer(other));
        writers.forEach(Thread::start);
        CostFile reader = ofJob(3);
        while (writers.stream().anyMatch(Thread::isAlive)) {
            assertThat(reader.read(CONFIGURED)).contains(LEARNED);
        }
    }

    private static Thread writer(CostFile file) {
        return new Thread(
                () -> {
                    for (int i = 0; i < 20; i++) {
                        try {
                            file.write(CONFIGURED, LEARNED);
                        } catch (IOException e) {
                            throw new IllegalStateException(e);
                        }
                    }
                });
    }

    @Test
    void withoutOneNothingIsKnown() throws IOException {
        assertThat(ofJob(1).read(CONFIGURED)).isEmpty();
    }

    /** Or a key that is set would have no effect for as long as there are clones. */
    @Test
    void costsThatAreConfiguredSinceCount() throws IOException {
        ofJob(1).write(CONFIGURED, LEARNED);
        assertThat(ofJob(2).read(new CloneCosts(1.2, 2500, 104857.6))).isEmpty();
    }

    @Test
    void howItIsWritten() throws IOException {
        put(CONTENT);
        assertThat(ofJob(1).read(CONFIGURED)).contains(LEARNED);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "null",
                "[]",
                "{",
                "{\"configured\": {}, \"learned\": {}}",
                "{\"learned\": {\"beta\": 1.2, \"vmMillis\": 1234.5, \"bytesPerMilli\": 2500}}"
            })
    void anotherContentIsRefused(String content) throws IOException {
        put(content);
        assertRefused("");
    }

    @ParameterizedTest
    @ValueSource(strings = {"-1", "1e999", "\"NaN\"", "\"x\""})
    void soAreCostsThatNoCloneHas(String value) throws IOException {
        put(CONTENT.replace("2500", value));
        assertRefused("");
        put(CONTENT.replace("1234.5", value));
        assertRefused("");
    }

    @Test
    void aHugeOneIsRefusedUnread() throws IOException {
        put(CONTENT + " ".repeat(5000));
        assertRefused("no file of ours");
    }

    @Test
    void aDirectoryIsRefused() throws IOException {
        files.mkdirs(path);
        assertRefused("no file of ours");
    }

    @Test
    void anotherUsersIsRefused() throws IOException {
        put(CONTENT);
        files.setOwner(path, "somebody", null);
        assertRefused("another user's");
    }

    @ParameterizedTest
    @ValueSource(longs = {-8, 8})
    void anOldOneIsRefusedAndOneFromTheFuture(long days) throws IOException {
        put(CONTENT);
        files.setTimes(path, System.currentTimeMillis() + TimeUnit.DAYS.toMillis(days), -1);
        assertRefused("last days");
    }

    private void assertRefused(String why) throws IOException {
        CostFile file = ofJob(1);
        assertThatThrownBy(() -> file.read(CONFIGURED))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(why);
    }
}
