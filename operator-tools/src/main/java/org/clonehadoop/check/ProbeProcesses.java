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
package org.clonehadoop.check;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The processes of one check, and the files that are their standard input and output. Neither
 * outlasts the check, even if a signal ends it.
 */
final class ProbeProcesses implements AutoCloseable {
    private final Path directory;
    private final Set<Process> running = new HashSet<>();
    private final Thread hook = new Thread(this::endAll);
    private int started;
    private boolean ended;

    /**
     * @param in a file, since writing to a pipe may take longer than the node has for its answer
     */
    record Started(Process process, Path in, Path out, Path err) {}

    ProbeProcesses() throws IOException {
        directory = Files.createTempDirectory("clone-hadoop-check");
        Runtime.getRuntime().addShutdownHook(hook);
    }

    /**
     * What it starts, {@link #end} is to end.
     *
     * @throws IOException also if the check has ended
     */
    synchronized Started start(List<String> command, byte[] input) throws IOException {
        requireGoingOn();
        started++;
        Path in = Files.write(directory.resolve(started + ".in"), input);
        Path out = directory.resolve(started + ".out");
        Path err = directory.resolve(started + ".err");
        Process process =
                new ProcessBuilder(command)
                        .redirectInput(in.toFile())
                        .redirectOutput(out.toFile())
                        .redirectError(err.toFile())
                        .start();
        running.add(process);
        return new Started(process, in, out, err);
    }

    /** Kills the process if it still runs, and removes its files. */
    synchronized void end(Started one) {
        kill(one.process);
        running.remove(one.process);
        Stream.of(one.in, one.out, one.err).forEach(ProbeProcesses::remove);
    }

    /**
     * What processes have told after the end says nothing of nodes.
     *
     * @throws IOException if the check has ended
     */
    synchronized void requireGoingOn() throws IOException {
        if (ended) {
            throw new IOException("broken off");
        }
    }

    @Override
    public void close() {
        endAll();
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // It runs already.
        }
    }

    private synchronized void endAll() {
        ended = true;
        running.forEach(ProbeProcesses::kill);
        running.clear();
        try (Stream<Path> files = Files.list(directory)) {
            files.forEach(ProbeProcesses::remove);
        } catch (IOException | UncheckedIOException e) {
            // It is in the temporary directory.
        }
        remove(directory);
    }

    private static void kill(Process process) {
        if (process.isAlive()) {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
    }

    private static void remove(Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            // It is in the temporary directory.
        }
    }
}
