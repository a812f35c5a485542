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

import java.io.Closeable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A thread that starts others, which inherit the class of its disk accesses: man 2 ioprio_set. So a
 * whole kind of threads gets it by one command, without root and without native code.
 */
final class Starter implements Closeable {
    private static final Logger LOG = LoggerFactory.getLogger(Starter.class);

    // Of which the last component is the calling thread's number: man 5 proc.
    private static final Path THREAD = Path.of("/proc/thread-self");
    private static final int PATIENCE_SECONDS = 10;

    private final ExecutorService thread;

    /**
     * @param of what its threads do
     */
    Starter(String of) {
        thread =
                Executors.newSingleThreadExecutor(
                        run -> {
                            Thread starter = new Thread(run, "Starter of " + of);
                            starter.setDaemon(true);
                            return starter;
                        });
        // Made by whoever makes this, and not by a thread that has another class already.
        thread.execute(() -> {});
    }

    /** Threads that are started from now on reach a disk only when nobody else wants to. */
    void useIdleDisks() {
        thread.execute(
                () -> {
                    try {
                        setIdle(THREAD.toRealPath().getFileName().toString());
                    } catch (IOException e) {
                        LOG.warn(
                                "Duplicates have the DataNode's own disk class: {}; install"
                                        + " util-linux, or set dfs.datanode.duplicate.io-class to"
                                        + " none",
                                e.getMessage());
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                });
    }

    private static void setIdle(String number) throws IOException, InterruptedException {
        Process command =
                new ProcessBuilder("ionice", "-c", "3", "-p", number)
                        .redirectErrorStream(true)
                        .start();
        try {
            command.getOutputStream().close();
            if (!command.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                throw new IOException("ionice didn't end");
            }
            if (command.exitValue() != 0) {
                byte[] said = command.getInputStream().readAllBytes();
                throw new IOException(new String(said, StandardCharsets.UTF_8).strip());
            }
        } finally {
            command.destroyForcibly();
            command.getInputStream().close();
        }
    }

    /**
     * @throws RejectedExecutionException if it is closed
     */
    void execute(Runnable start) {
        thread.execute(start);
    }

    /** What was to be started before is: it closes what it was given. */
    @Override
    public void close() {
        thread.shutdown();
    }
}
