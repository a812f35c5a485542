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
package org.clonehadoop.benchmarks.remoteclone;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.clonehadoop.benchmarks.harness.Hosts;
import org.clonehadoop.benchmarks.harness.Poll;
import org.clonehadoop.benchmarks.harness.Programs;

/** Two hosts: an original on the first one, its clone on the second. One of each at a time. */
final class Stage {
    private static final Duration START = Duration.ofSeconds(60);
    private static final Duration CLONE = Duration.ofSeconds(120);
    private static final Duration END = Duration.ofSeconds(20);
    private static final int KEY_BYTES = 32;

    private final Hosts hosts = new Hosts();
    private final Programs programs;
    private final Path tool;
    private final Path scratch;
    private int scenes;

    Stage(Programs programs, Path tool, Path scratch) {
        this.programs = programs;
        this.tool = tool;
        this.scratch = scratch;
    }

    Hosts hosts() {
        return hosts;
    }

    /** Starts an original and waits until its buffer is full. */
    Scene open(Load load) throws Exception {
        Scene scene = new Scene(Files.createDirectory(scratch.resolve("scene-" + ++scenes)), load);
        scene.startOriginal();
        return scene;
    }

    /** An original, its clone, and the files of both. */
    final class Scene implements AutoCloseable {
        private final Path directory;
        private final Load load;
        private final Path work;
        private final Path clones;
        private final Path quietFifo;
        private final Path key;
        private final Path port;
        private Process original;
        private Process serve;
        private Process pull;

        private Scene(Path directory, Load load) throws IOException, InterruptedException {
            this.directory = directory;
            this.load = load;
            work = Files.createDirectory(directory.resolve("work"));
            clones = directory.resolve("clones");
            quietFifo = directory.resolve("quiet");
            key = directory.resolve("key");
            port = directory.resolve("port");
            programs.run(List.of("mkfifo", quietFifo.toString()));
            Files.createFile(
                    key,
                    PosixFilePermissions.asFileAttribute(
                            PosixFilePermissions.fromString("rw-------")));
            byte[] bytes = new byte[KEY_BYTES];
            new SecureRandom().nextBytes(bytes);
            Files.write(key, bytes);
        }

        private void startOriginal() throws Exception {
            List<String> command = hosts.on(1, load.command(logFile(), quietFifo));
            original = programs.start(command, work.resolve("output"));
            await("the original's first tick", START, original, this::originalTicks);
        }

        private boolean originalTicks() throws IOException {
            return Files.exists(logFile()) && Files.size(logFile()) > 0;
        }

        /** Starts a serve that waits for its peer. */
        void startServe() throws Exception {
            Files.deleteIfExists(port);
            List<String> command = new ArrayList<>(List.of(tool.toString(), "serve", "--quiet"));
            command.addAll(List.of("--pid", String.valueOf(original.pid())));
            command.addAll(List.of("--bind", hosts.address(1), "--port-file", port.toString()));
            command.addAll(List.of("--file-set", work.toString()));
            command.addAll(
                    List.of(
                            "--quiesce",
                            "kill -USR2 $CLONE_PID && while read -r _; do :; done <" + quietFifo));
            command.addAll(load.serveOptions());
            command.addAll(options("serve"));
            serve = programs.start(hosts.on(1, command), output("serve"));
            await("serve listens", START, serve, () -> Files.exists(port));
        }

        void startPull() throws Exception {
            String peer = hosts.address(1) + ":" + Files.readString(port).strip();
            List<String> command =
                    new ArrayList<>(List.of(tool.toString(), "pull", peer, "--quiet"));
            command.addAll(List.of("--dir", clones.toString()));
            command.addAll(options("pull"));
            pull = programs.start(hosts.on(2, command), output("pull"));
        }

        /** What both ends have; the host's limits are each one's own, as they would be. */
        private List<String> options(String role) {
            return List.of(
                    "--key-file",
                    key.toString(),
                    "--lease-dir",
                    directory.resolve(role + "-lease").toString(),
                    "--report",
                    reportFile(role).toString(),
                    "--resume",
                    "kill -USR1 $CLONE_PID");
        }

        /** The clone ticks, and both reports are there. */
        void awaitClone() throws Exception {
            await("the clone runs", CLONE, pull, () -> Files.exists(reportFile("pull")));
            await("the clone's first tick", CLONE, pull, () -> !cloneLog().isEmpty());
            Poll.until("serve ends", END, () -> !serve.isAlive());
            if (serve.exitValue() != 0) {
                throw failed("serve", serve);
            }
        }

        LoadLog originalLog() throws IOException {
            return LoadLog.read(logFile());
        }

        LoadLog cloneLog() throws IOException {
            return LoadLog.read(Path.of(clones.toString() + logFile())).ofClone();
        }

        JsonNode report(String role) throws Exception {
            List<JsonNode> report = new ArrayList<>();
            Poll.until(
                    "the report of " + role,
                    END,
                    () -> {
                        try {
                            report.add(new ObjectMapper().readTree(reportFile(role).toFile()));
                        } catch (JsonProcessingException e) {
                            return false; // not all of it is written yet
                        }
                        return true;
                    });
            return report.get(0);
        }

        ProcessHandle serve() {
            return serve.toHandle();
        }

        ProcessHandle pull() {
            return pull.toHandle();
        }

        long originalPid() {
            return original.pid();
        }

        void endPull() {
            Programs.end(pull, END);
        }

        void endServe() {
            Programs.end(serve, END);
        }

        private Path logFile() {
            return work.resolve("log");
        }

        private Path reportFile(String role) {
            return directory.resolve(role + ".json");
        }

        private Path output(String name) {
            return directory.resolve(name + ".output");
        }

        private void await(String what, Duration limit, Process by, Poll.Condition condition)
                throws Exception {
            Poll.until(what, limit, () -> condition.holds() || !by.isAlive());
            if (!condition.holds()) {
                throw failed(what, by);
            }
        }

        private IOException failed(String what, Process process) throws IOException {
            StringBuilder said = new StringBuilder();
            for (String role : List.of("serve", "pull")) {
                if (Files.exists(output(role))) {
                    said.append('\n')
                            .append(role)
                            .append(": ")
                            .append(Files.readString(output(role)));
                }
            }
            return new IOException(
                    what + ": a program ended with exit code " + process.exitValue() + said);
        }

        @Override
        public void close() {
            for (Process process : new Process[] {pull, serve, original}) {
                if (process != null) {
                    Programs.end(process, END);
                }
            }
        }
    }
}
