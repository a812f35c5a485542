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
package org.apache.hadoop.clone.task;

import static java.nio.file.StandardOpenOption.APPEND;
import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.CREATE_NEW;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.TRUNCATE_EXISTING;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.Closeable;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.FileWriter;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.channels.AsynchronousFileChannel;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;

/**
 * Opens files in all of the JDK's ways, and says at which of them a clone would have ended.
 *
 * <pre>
 * OpenProbe OWN-DIRECTORY ANOTHER
 * </pre>
 */
final class OpenProbe {
    /** Instead of the process's end. */
    private static final class End extends Error {
        private static final long serialVersionUID = 1;
    }

    private interface Opening {
        Closeable open(Path file) throws IOException;
    }

    private final Path own;
    private final Path another;

    private OpenProbe(Path own, Path another) {
        this.own = own;
        this.another = another;
    }

    /** Ends with 1 if it isn't so for all other files, too. */
    public static void main(String[] arguments) throws Exception {
        Path own = Path.of(arguments[0]);
        MissingFiles missing =
                new MissingFiles(
                        reason -> {
                            throw new End();
                        });
        missing.prepare();
        OpenProbe probe = new OpenProbe(own, Path.of(arguments[1]));
        probe.open("nothing: it isn't guarded yet", file -> new FileOutputStream(name(file), true));
        long begin = System.nanoTime();
        missing.guard(() -> List.of(own));
        System.out.println("guarded in " + (System.nanoTime() - begin) / 1000 + " us");
        probe.openAll();
        System.exit(0);
    }

    private void openAll() throws IOException {
        open("appended by a stream", file -> new FileOutputStream(name(file), true));
        open("appended by a writer", file -> new FileWriter(file.toFile(), true));
        open("random access rw", file -> new RandomAccessFile(file.toFile(), "rw"));
        open("random access rwd", file -> new RandomAccessFile(file.toFile(), "rwd"));
        open("channel to append", file -> FileChannel.open(file, CREATE, APPEND));
        open("channel to create and write", file -> FileChannel.open(file, CREATE, WRITE));
        open("channel to read and write", file -> Files.newByteChannel(file, CREATE, READ, WRITE));
        open("appended string", file -> Files.newOutputStream(file, CREATE, APPEND));
        open("asynchronous channel", file -> AsynchronousFileChannel.open(file, CREATE, WRITE));
        // All that follows begins anew, or only reads.
        open("stream", file -> new FileOutputStream(name(file)));
        open("new stream", Files::newOutputStream);
        open("new file", file -> Files.newByteChannel(file, CREATE_NEW, WRITE));
        open("emptied file", file -> FileChannel.open(file, CREATE, WRITE, TRUNCATE_EXISTING));
        open("input", file -> new FileInputStream(file.toFile()));
        open("random access r", file -> new RandomAccessFile(file.toFile(), "r"));
        open("channel to read", file -> FileChannel.open(file, READ));
    }

    private static String name(Path file) {
        return file.toString();
    }

    private void open(String what, Opening opening) throws IOException {
        Path missing = another.resolve("missing");
        Files.deleteIfExists(missing);
        if (isEnd(opening, missing)) {
            System.out.println("ended at " + what);
            if (Files.exists(missing)) {
                throw new IllegalStateException(what + " has made the file before the end");
            }
        }
        Path mine = own.resolve("mine");
        Files.deleteIfExists(mine);
        if (isEnd(opening, mine) || isEnd(opening, another.resolve("there"))) {
            throw new IllegalStateException(what + " of its own file, or of one that is there");
        }
    }

    private static boolean isEnd(Opening opening, Path file) throws IOException {
        try {
            opening.open(file).close();
            return false;
        } catch (java.io.FileNotFoundException
                | NoSuchFileException
                | java.nio.file.FileAlreadyExistsException e) {
            return false; // as it is without us
        } catch (End e) {
            return true;
        }
    }
}
