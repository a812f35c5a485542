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

import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/**
 * A table of 64-bit words that all processes of one user on one host share: a file in memory, in a
 * directory as {@code /dev/shm}. A word is read and written as a whole, so none is ever half of one
 * and half of another; a file that is new has words of zero.
 *
 * <p>Each user has a file of their own, which nobody else may read or write: otherwise anybody
 * could cut it short under those who have mapped it, which ends a process (man 2 mmap, SIGBUS), or
 * lie. One that isn't so is not used.
 */
final class HostMemory {
    /** Of a table, a power of two. */
    static final int WORDS = 4096;

    private static final int BYTES = WORDS * Long.BYTES;
    static final Set<PosixFilePermission> OWNERS_ALONE =
            PosixFilePermissions.fromString("rw-------");
    private static final VarHandle WORD =
            MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.nativeOrder());

    private final ByteBuffer words;

    private HostMemory(ByteBuffer words) {
        this.words = words;
    }

    /** Of this process's user, and the table's layout. */
    static Path file(Path directory) throws IOException {
        return directory.resolve(
                "clonehadoop-reads-1-" + user().replaceAll("[^A-Za-z0-9._-]", "_"));
    }

    private static String user() throws IOException {
        return Files.getOwner(Path.of("/proc/self")).getName();
    }

    /**
     * Makes the file if there is none.
     *
     * @throws IOException if it can't be had, or isn't this user's alone, with a line that says
     *     which and why
     */
    static HostMemory open(Path file) throws IOException {
        try {
            check(file);
        } catch (NoSuchFileException e) {
            // That is the usual way to begin.
        }
        try (FileChannel channel =
                FileChannel.open(
                        file,
                        Set.of(
                                StandardOpenOption.CREATE,
                                StandardOpenOption.READ,
                                StandardOpenOption.WRITE,
                                LinkOption.NOFOLLOW_LINKS),
                        PosixFilePermissions.asFileAttribute(OWNERS_ALONE))) {
            // Another's may have come in between.
            check(file);
            boolean isNew = channel.size() == 0;
            // Makes it as long as it has to be, with zeros; twice does no harm.
            HostMemory memory =
                    new HostMemory(channel.map(FileChannel.MapMode.READ_WRITE, 0, BYTES));
            if (isNew) {
                takeRoom(channel, file);
            }
            return memory;
        }
    }

    /**
     * What wasn't written has no page yet, and where there is no room for one the JVM raises an
     * InternalError, in whatever it does then.
     */
    private static void takeRoom(FileChannel channel, Path file) throws IOException {
        ByteBuffer zeros = ByteBuffer.allocate(BYTES);
        try {
            while (zeros.hasRemaining()) {
                channel.write(zeros, zeros.position());
            }
        } catch (IOException e) {
            Files.deleteIfExists(file);
            throw new IOException(file + ": " + e.getMessage(), e);
        }
    }

    private static void check(Path file) throws IOException {
        PosixFileAttributes found =
                Files.readAttributes(file, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        String process = user();
        if (!found.isRegularFile()) {
            throw new IOException(file + " is no file; remove it");
        }
        if (!found.owner().getName().equals(process)) {
            throw new IOException(file + " is " + found.owner() + "'s, not " + process + "'s");
        }
        if (!found.permissions().equals(OWNERS_ALONE)) {
            throw new IOException(
                    file
                            + " may be used by others, with "
                            + PosixFilePermissions.toString(found.permissions())
                            + "; remove it");
        }
        if (found.size() != 0 && found.size() != BYTES) {
            throw new IOException(
                    file + " has " + found.size() + " bytes, not " + BYTES + "; remove it");
        }
    }

    /**
     * @param index from 0, below {@link #WORDS}
     */
    long get(int index) {
        return (long) WORD.getVolatile(words, index * Long.BYTES);
    }

    /**
     * Writes a word, unless it has changed.
     *
     * @return whether it had not
     */
    boolean replace(int index, long before, long after) {
        return WORD.compareAndSet(words, index * Long.BYTES, before, after);
    }
}
