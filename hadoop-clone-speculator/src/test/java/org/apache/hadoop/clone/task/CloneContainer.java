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

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.clone.protocol.CloneAnswer;
import org.apache.hadoop.clone.protocol.OneTimeKey;
import org.apache.hadoop.clone.protocol.SourcePaths;

/** A container in which {@code criu-remote-clone pull} takes a map over. */
final class CloneContainer implements AutoCloseable {
    static final String CONTAINER = "container_1700000000000_0007_01_000009";

    private static final long LONG_SECONDS = 60;

    final Path local;

    /** What pull's command begins with. */
    List<String> before = List.of();

    private final Path root;
    private final Path files;
    private final Path logs;
    private Process process;

    /**
     * @param root an empty directory
     */
    CloneContainer(Path root) throws IOException {
        this.root = Files.createDirectories(root);
        local = Files.createDirectories(root.resolve("local"));
        logs = Files.createDirectories(root.resolve("logs"));
        files = root.resolve("clone");
    }

    void pull(Path tool, CloneAnswer offered, OneTimeKey key) throws IOException {
        SourcePaths source = offered.paths();
        Path keyFile =
                Files.createFile(
                        root.resolve("key"),
                        PosixFilePermissions.asFileAttribute(
                                PosixFilePermissions.fromString("rw-------")));
        Files.writeString(keyFile, key.hex());
        List<String> command = new ArrayList<>(before);
        command.add(tool.toString());
        command.add("pull");
        command.add(offered.address());
        command.add("--key-file=" + keyFile);
        command.add("--report=" + report());
        command.add("--dir=" + root.resolve("other-files"));
        command.add("--map=" + source.workDir() + "=" + files);
        command.add("--map=" + source.localDirs().get(0) + "/output=" + local + "/output");
        command.add("--map=" + source.logDirs().get(0) + "=" + logs);
        command.add(
                "--resume=echo clone $CONTAINER_ID > "
                        + source.workDir()
                        + "/"
                        + SourcePaths.CLONE_DIR
                        + "/"
                        + SourcePaths.MESSAGES);
        ProcessBuilder builder =
                new ProcessBuilder(command)
                        .directory(root.toFile())
                        .redirectInput(Path.of("/dev/null").toFile())
                        .redirectOutput(root.resolve("pull.log").toFile())
                        .redirectErrorStream(true);
        builder.environment().put("CONTAINER_ID", CONTAINER);
        process = builder.start();
    }

    /**
     * Has the clone write its live objects.
     *
     * @param work its working directory as it sees it
     */
    Path heapDump(Path work) throws IOException, InterruptedException {
        Process dump =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "jcmd").toString(),
                                Long.toString(pid()),
                                "GC.heap_dump",
                                work.resolve("heap.hprof").toString())
                        .redirectErrorStream(true)
                        .start();
        String said = new String(dump.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (dump.waitFor() != 0) {
            throw new IOException(said);
        }
        return files.resolve("heap.hprof");
    }

    /** Of the clone, as seen from here. */
    long pid() {
        return process.descendants()
                .filter(one -> one.info().command().orElse("").endsWith("/java"))
                .findFirst()
                .orElseThrow()
                .pid();
    }

    /** What pull has to say about it, once it has ended. */
    Path report() {
        return root.resolve("pull.json");
    }

    /** As of {@link TaskJvm}, of the clone. */
    long position() throws IOException {
        return TaskJvm.positionIn(files);
    }

    /** Lets a reduce sort at its full speed. */
    void hurry() throws IOException {
        Files.createFile(files.resolve(SlowOrder.HURRY));
    }

    void endInput() throws IOException {
        Files.createFile(files.resolve(CountedInput.END));
    }

    /** Of the clone, or of pull if there is none. */
    int exitCode() throws IOException, InterruptedException {
        if (!process.waitFor(LONG_SECONDS, TimeUnit.SECONDS)) {
            throw new AssertionError("the clone doesn't end: " + log());
        }
        return process.exitValue();
    }

    String log() throws IOException {
        StringBuilder all = new StringBuilder();
        for (Path file :
                List.of(
                        root.resolve("pull.log"),
                        logs.resolve("stdout"),
                        logs.resolve("stderr"),
                        logs.resolve("syslog"))) {
            if (Files.exists(file)) {
                all.append(Files.readString(file));
            }
        }
        return all.toString();
    }

    @Override
    public void close() {
        if (process != null) {
            // Asked to end, pull takes the clone with it; killed, it couldn't clean up.
            process.destroy();
            process.onExit().join();
        }
    }
}
