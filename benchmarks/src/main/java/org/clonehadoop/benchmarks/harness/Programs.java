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
package org.clonehadoop.benchmarks.harness;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** The programs a benchmark starts. None outlives it, not even when it is interrupted. */
public final class Programs implements AutoCloseable {
    private static final File NOTHING = new File("/dev/null");

    private final Set<Process> running = ConcurrentHashMap.newKeySet();

    public Programs() {
        Runtime.getRuntime().addShutdownHook(new Thread(this::close));
    }

    /** Starts a program that reads nothing and writes to {@code output}. */
    public Process start(List<String> command, Path output) throws IOException {
        return running(
                new ProcessBuilder(command)
                        .redirectInput(NOTHING)
                        .redirectOutput(output.toFile())
                        .redirectErrorStream(true)
                        .start());
    }

    /** Starts a program that is talked to, and writes errors to {@code errors}. */
    public Process converse(List<String> command, Path errors) throws IOException {
        return running(new ProcessBuilder(command).redirectError(errors.toFile()).start());
    }

    private Process running(Process process) {
        running.add(process);
        process.onExit().thenAccept(running::remove);
        return process;
    }

    /** Runs a program that must succeed; its errors are ours. */
    public void run(List<String> command) throws IOException, InterruptedException {
        Process process =
                new ProcessBuilder(command)
                        .redirectInput(NOTHING)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .redirectError(ProcessBuilder.Redirect.INHERIT)
                        .start();
        running.add(process);
        int code = process.waitFor();
        running.remove(process);
        if (code != 0) {
            throw new IOException("exit code " + code + " of " + String.join(" ", command));
        }
    }

    /** Asks a program to end, and waits until it has. */
    public static void end(Process process, Duration limit) {
        process.destroy();
        process.onExit().orTimeout(limit.toMillis(), TimeUnit.MILLISECONDS).join();
    }

    @Override
    public void close() {
        for (Process process : running) {
            Stream.concat(Stream.of(process.toHandle()), process.descendants())
                    .toList()
                    .forEach(ProcessHandle::destroyForcibly);
        }
    }
}
