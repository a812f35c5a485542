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
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HostMemoryTest {
    @TempDir private Path directory;
    private Path file;

    @BeforeEach
    void name() throws IOException {
        file = HostMemory.file(directory);
    }

    @Test
    void whatOneWritesAllRead() throws IOException {
        HostMemory one = HostMemory.open(file);
        HostMemory other = HostMemory.open(file);
        assertThat(other.get(7)).isZero();
        assertThat(one.replace(7, 0, 1L << 63 | 5)).isTrue();
        assertThat(other.get(7)).isEqualTo(1L << 63 | 5);
        assertThat(other.replace(7, 0, 1)).isFalse();
        assertThat(one.get(HostMemory.WORDS - 1)).isZero();
    }

    /** Else a full tmpfs would be found by whatever touches the page first. */
    @Test
    void takesItsRoomAtOnce() throws IOException {
        HostMemory.open(file);
        Process stat = new ProcessBuilder("stat", "-c", "%b %B", file.toString()).start();
        String[] blocks =
                new String(stat.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
                        .trim()
                        .split(" ");
        assertThat(Long.parseLong(blocks[0]) * Long.parseLong(blocks[1]))
                .isGreaterThanOrEqualTo(Files.size(file));
    }

    @Test
    void nobodyElseMayReadOrWriteIt() throws IOException {
        HostMemory.open(file);
        assertThat(Files.getPosixFilePermissions(file))
                .isEqualTo(PosixFilePermissions.fromString("rw-------"));
    }

    /** Two threads write words of one kind each: whatever is read is one of them. */
    @Test
    void noWordIsEverHalfOfOneAndHalfOfAnother() throws Exception {
        long one = 0x1111_1111_1111_1111L;
        List<Thread> writers = new ArrayList<>();
        for (long kind : new long[] {one, 2 * one}) {
            HostMemory memory = HostMemory.open(file);
            Thread writer =
                    new Thread(
                            () -> {
                                for (int i = 0; i < 1_000_000; i++) {
                                    memory.replace(3, memory.get(3), kind);
                                }
                            });
            writers.add(writer);
            writer.start();
        }
        HostMemory reader = HostMemory.open(file);
        while (writers.stream().anyMatch(Thread::isAlive)) {
            assertThat(reader.get(3)).isIn(0L, one, 2 * one);
        }
    }

    @Test
    void whatOthersMayUseIsNotUsed() throws IOException {
        HostMemory.open(file);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-rw-rw-"));
        assertRefused("may be used by others");
    }

    @Test
    void linksAreNotFollowed() throws IOException {
        Path other = Files.createFile(directory.resolve("other"));
        Files.createSymbolicLink(file, other);
        assertRefused("is no file");
        assertThat(other).isEmptyFile();
    }

    @Test
    void somethingElseIsLeftAsItIs() throws IOException {
        Files.createFile(file, PosixFilePermissions.asFileAttribute(HostMemory.OWNERS_ALONE));
        Files.write(file, new byte[99]);
        assertRefused("has 99 bytes");
        assertThat(file).hasSize(99);
    }

    @Test
    void withoutTheDirectoryThereIsNone() {
        assertThatThrownBy(() -> HostMemory.open(HostMemory.file(directory.resolve("none"))))
                .isInstanceOf(IOException.class);
    }

    private void assertRefused(String why) {
        assertThatThrownBy(() -> HostMemory.open(file))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(file.toString())
                .hasMessageContaining(why);
    }
}
