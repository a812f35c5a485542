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
package org.apache.hadoop.clone.limits;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.security.PrivilegedExceptionAction;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.clone.hdfs.MiniHdfs;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The switch file in HDFS, and what a job makes of it. */
class SwitchWatchTest {
    private static final String FILE = "/clone/switch";
    private static final Subject JOB = new Subject("job_1_0001", "default", "alice");

    private static MiniDFSCluster hdfs;
    private static FileSystem files;

    private final AtomicLong now = new AtomicLong(1000);
    private final SwitchWatch watch = watch();

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
        files.delete(path().getParent(), true);
    }

    private static org.apache.hadoop.fs.Path path() {
        return new org.apache.hadoop.fs.Path(FILE);
    }

    private SwitchWatch watch() {
        return new SwitchWatch(
                new SwitchFile(hdfs.getConfiguration(0), FILE), LimitTimes.PRESET, now::get);
    }

    private static void put(String text) throws IOException {
        try (OutputStream out = files.create(path())) {
            out.write(text.getBytes());
        }
    }

    private String off() {
        watch.look();
        return watch.of(JOB).off().orElse("on");
    }

    @Test
    void beforeTheFirstLookAJobIsOff() {
        assertThat(watch.hasLooked()).isFalse();
        assertThat(watch.of(JOB).off()).contains("it hasn't been read yet");
    }

    @Test
    void eachChangeIsSeenAtTheNextLook() throws IOException {
        put("on");
        assertThat(off()).isEqualTo("on");
        put("off");
        assertThat(off()).isEqualTo("it says off");
        put("on\noff user bob");
        assertThat(off()).isEqualTo("on");
    }

    @Test
    void withoutAFileAJobIsOff() throws IOException {
        assertThat(off()).startsWith("it can't be read: java.io.FileNotFoundException");
        put("on");
        assertThat(off()).isEqualTo("on");
        files.delete(path(), false);
        assertThat(off()).startsWith("it can't be read: ").doesNotContain("\n");
        put("on");
        assertThat(off()).isEqualTo("on");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "perhaps", "on\nlimit clones x"})
    void whatCannotBeUnderstoodIsOff(String text) throws IOException {
        put("on");
        assertThat(off()).isEqualTo("on");
        put(text);
        assertThat(off()).matches("it says nothing: .*|line \\d is none of: .*");
    }

    @Test
    void soIsADirectoryAndAHugeFileAndWhatIsNoText() throws IOException {
        files.mkdirs(path());
        assertThat(off()).contains("it is no file");
        files.delete(path(), true);
        put("#".repeat(70_000) + "\non");
        assertThat(off()).contains("more than 65536 bytes");
        try (OutputStream out = files.create(path())) {
            out.write(new byte[] {'o', 'n', '\n', (byte) 0xff});
        }
        assertThat(off()).startsWith("it can't be read: ");
    }

    @Test
    void aFileThatIsJustBeingWrittenIsOff() throws IOException {
        try (OutputStream out = files.create(path())) {
            out.write("on".getBytes());
            assertThat(off()).startsWith("it says nothing");
        }
        assertThat(off()).isEqualTo("on");
    }

    @Test
    void withoutTheRightToReadItAJobIsOff() throws Exception {
        put("on");
        files.setPermission(path(), new FsPermission("600"));
        UserGroupInformation alice =
                UserGroupInformation.createUserForTesting("alice", new String[] {"users"});
        SwitchWatch hers = alice.doAs((PrivilegedExceptionAction<SwitchWatch>) this::watch);
        alice.doAs(
                (PrivilegedExceptionAction<Void>)
                        () -> {
                            hers.look();
                            return null;
                        });
        assertThat(hers.of(JOB).off().orElseThrow()).contains("Permission denied");
    }

    @Test
    void aNameThatIsNoneIsOff() {
        SwitchWatch wrong =
                new SwitchWatch(
                        new SwitchFile(hdfs.getConfiguration(0), "nofs://x/y"),
                        LimitTimes.PRESET,
                        now::get);
        wrong.look();
        assertThat(wrong.of(JOB).isOn()).isFalse();
    }

    /** A NameNode that doesn't answer doesn't say off either. */
    @Test
    void aLookThatHasNoAnswerForTooLongIsOff() throws IOException {
        put("on");
        assertThat(off()).isEqualTo("on");
        now.addAndGet(LimitTimes.PRESET.staleMillis());
        assertThat(watch.of(JOB).isOn()).isTrue();
        now.incrementAndGet();
        assertThat(watch.of(JOB).off()).contains("the file system doesn't answer");
        assertThat(off()).isEqualTo("on");
    }

    /** One question at a look, and the file only when it was changed. */
    @Test
    void aFileThatHasNotChangedIsNotReadAgain() throws IOException {
        put("on");
        watch.look();
        forgetReads();
        for (int look = 0; look < 5; look++) {
            watch.look();
        }
        assertThat(wasRead()).isFalse();
        put("off");
        forgetReads();
        assertThat(off()).isEqualTo("it says off");
        assertThat(wasRead()).isTrue();
    }

    // HDFS notes a read where the last that it knows of is an hour old.
    private static void forgetReads() throws IOException {
        files.setTimes(path(), -1, 1);
    }

    private static boolean wasRead() throws IOException {
        return files.getFileStatus(path()).getAccessTime() != 1;
    }

    @Test
    void itsThreadLooks() throws IOException {
        put("off");
        try (SwitchWatch service = watch()) {
            service.init(new Configuration(false));
            service.start();
            await().until(service::hasLooked);
            assertThat(service.of(JOB).off()).contains("it says off");
        }
    }

    @Test
    void aJobIsToldOfEachFlipOnce() throws IOException {
        List<Boolean> flips = new ArrayList<>();
        JobSwitch job = new JobSwitch(FILE, watch, () -> JOB, flips::add);
        job.tell();
        assertThat(flips).as("before a look").isEmpty();
        for (String text : List.of("on", "on\nlimit clones 3", "off", "off user alice", "on")) {
            put(text);
            watch.look();
            job.tell();
            job.tell();
        }
        assertThat(flips).containsExactly(false, true);
    }

    @Test
    void offFromTheBeginningIsAFlip() {
        List<Boolean> flips = new ArrayList<>();
        JobSwitch job = new JobSwitch(FILE, watch, () -> JOB, flips::add);
        watch.look();
        job.tell();
        assertThat(flips).containsExactly(false);
    }
}
