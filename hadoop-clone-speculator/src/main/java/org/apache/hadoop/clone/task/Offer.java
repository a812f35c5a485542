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
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.commons.io.FileUtils;
import org.apache.hadoop.clone.conf.CloneKeys;
import org.apache.hadoop.clone.protocol.OneTimeKey;
import org.apache.hadoop.clone.protocol.SourcePaths;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A {@code criu-remote-clone serve} beside this process, waiting for the clone's container. It is
 * not a child: it would be cloned too. And it shares no descriptor with this process, as CRIU
 * demands: they talk through two FIFOs that are opened for one message and closed again.
 *
 * <p>A message comes from the tool's hooks, here or, in the clone, on the other host:
 *
 * <pre>
 * settle               hold still, and hold no more than you need; answered by {@link #reply}
 * quiesce              may you be frozen? answered so, too
 * resumed OUTCOME      the original runs on; cloned or aborted
 * clone CONTAINER      this is the clone, in that container
 * ended CODE           serve has ended
 * </pre>
 */
final class Offer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Offer.class);

    private static final FileAttribute<Set<PosixFilePermission>> PRIVATE =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

    private static final String NAME = CloneKeys.TOOL_DEFAULT + " serve: ";
    private static final String NOTHING_SAID = "the tool said nothing";
    private static final long POLL_MILLIS = 5;

    /** The tool's word for what it has sampled; one that samples nothing doesn't know it. */
    private static final String LINK = "CLONE_LINK_BYTES_PER_MS";

    /** The tool takes no longer one. */
    private static final long LONGEST_HOOK_MILLIS = TimeUnit.MINUTES.toMillis(10);

    /**
     * Around the tool, which may be none. What it says at the end is lost if nobody listens, and
     * this process may be waiting for a hook to take its answer that has gone with the tool: so
     * both are done again, for a minute at most, as long as the directory is there. It is in that,
     * since there may be another of its name by then.
     */
    private static final String SHELL =
            """
            cd %s && (cd "$OLDPWD" && exec %s)
            code=$? left=30
            echo $code >ended
            while [ -e messages ] && [ $left -gt 0 ]; do
                timeout 1 sh -c "echo ended $code >messages"
                timeout 1 cat reply >/dev/null
                left=$((left - 1))
            done
            """;

    /**
     * What the tool is given.
     *
     * @param millis for the clone, and for each wait
     * @param freezeMillis for the original's freeze
     */
    record Limits(long millis, long freezeMillis) {}

    private final Path directory;
    private final List<String> messages = new ArrayList<>();

    private Offer(Path directory) {
        this.directory = directory;
    }

    /**
     * Starts the tool and waits until it listens.
     *
     * @param directory to be made, in the file clone set
     * @throws IOException if it doesn't listen; with what it said
     */
    static Offer start(Path directory, String tool, OneTimeKey key, List<Path> files, Limits limits)
            throws IOException, InterruptedException {
        FileUtils.deleteDirectory(directory.toFile());
        Files.createDirectories(directory);
        Offer offer = new Offer(directory);
        try {
            offer.makeFifo(SourcePaths.MESSAGES);
            offer.makeFifo("reply");
            Files.writeString(Files.createFile(offer.file("key"), PRIVATE), key.hex());
            offer.run(tool, files, limits);
            offer.awaitPort(limits.millis());
            return offer;
        } catch (IOException | InterruptedException | RuntimeException e) {
            offer.close();
            throw e;
        }
    }

    private Path file(String name) {
        return directory.resolve(name);
    }

    private void makeFifo(String name) throws IOException, InterruptedException {
        Process mkfifo =
                new ProcessBuilder("mkfifo", "-m", "600", file(name).toString())
                        .redirectErrorStream(true)
                        .start();
        String said = new String(mkfifo.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (mkfifo.waitFor() != 0) {
            throw new IOException(said.strip());
        }
    }

    /** In a session of its own, and orphaned at once. */
    private void run(String tool, List<Path> files, Limits limits)
            throws IOException, InterruptedException {
        String messages = quoted(file(SourcePaths.MESSAGES));
        String resume = "echo resumed $CLONE_OUTCOME >" + messages;
        List<String> serve = new ArrayList<>();
        serve.add(tool);
        serve.add("serve");
        serve.add("--pid=" + ProcessHandle.current().pid());
        serve.add("--key-file=" + file("key"));
        serve.add("--port-file=" + file("port"));
        serve.add("--report=" + file("report.json"));
        serve.add("--wait=" + limits.millis());
        serve.add("--time-limit=" + limits.millis());
        serve.add("--max-freeze=" + limits.freezeMillis());
        serve.add("--hook-timeout=" + Math.min(limits.millis(), LONGEST_HOOK_MILLIS));
        serve.add("--settle=" + question("settle $" + LINK));
        serve.add("--quiesce=" + question("quiesce"));
        serve.add("--resume=" + resume);
        files.forEach(root -> serve.add("--file-set=" + root));
        String command = serve.stream().map(Offer::quoted).collect(Collectors.joining(" "));
        String script =
                SHELL.formatted(quoted(directory), command + " >" + quoted(file("log")) + " 2>&1");
        new ProcessBuilder("setsid", "--fork", "sh", "-c", script)
                .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start()
                .waitFor();
    }

    /** A hook that says it to this process, and fails if the answer is no. */
    private String question(String message) {
        return "echo "
                + message
                + " >"
                + quoted(file(SourcePaths.MESSAGES))
                + "; read -r answer <"
                + quoted(file("reply"))
                + "; [ \"$answer\" = yes ]";
    }

    private static String quoted(Object word) {
        return "'" + word.toString().replace("'", "'\\''") + "'";
    }

    private void awaitPort(long limitMillis) throws IOException, InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(limitMillis);
        while (!Files.exists(file("port"))) {
            // The tool ends when it can't listen; one that isn't there, or too old, does so too.
            if (Files.exists(file("ended")) || System.nanoTime() > deadline) {
                throw new IOException("no clone can be offered: " + lastWord());
            }
            Thread.sleep(POLL_MILLIS);
        }
        Files.delete(file("key"));
    }

    int port() throws IOException {
        return Integer.parseInt(Files.readString(file("port")).strip());
    }

    /**
     * @param status as the tool's last message has it
     */
    ToolEnd end(String status) throws IOException {
        return new ToolEnd(status, lastWord());
    }

    /** The last that it says by its name: of a wrong option argp says where there is help, too. */
    private String lastWord() throws IOException {
        if (!Files.exists(file("log"))) {
            return NOTHING_SAID;
        }
        List<String> lines = Files.readAllLines(file("log"));
        List<String> named = lines.stream().filter(line -> line.startsWith(NAME)).toList();
        List<String> words = named.isEmpty() ? lines : named;
        return words.isEmpty() ? NOTHING_SAID : words.get(words.size() - 1).strip();
    }

    /** Waits for the next message, without a descriptor open meanwhile. */
    String next() throws IOException {
        while (messages.isEmpty()) {
            messages.addAll(Files.readAllLines(file(SourcePaths.MESSAGES)));
        }
        return messages.remove(0);
    }

    /**
     * What the link to the clone's host gives, in bytes per millisecond.
     *
     * @param settle the message, in words
     * @return 0 if that isn't known
     */
    static long linkOf(String[] settle) {
        return settle.length > 1 && settle[1].matches("\\d{1,18}") ? Long.parseLong(settle[1]) : 0;
    }

    /** Ends the wait of the tool's hook, which takes it for a no. Returns at once. */
    static void letGo(Path directory) throws IOException {
        fifo(directory, "reply").close();
    }

    /** Ends whatever wait this process is in just now, as if the tool had ended. */
    static void wake(Path directory) throws IOException {
        letGo(directory);
        try (FileChannel messages = fifo(directory, SourcePaths.MESSAGES)) {
            messages.write(StandardCharsets.US_ASCII.encode("ended killed\n"));
        }
    }

    /** For both, reading and writing: so the other end needn't be there. */
    private static FileChannel fifo(Path directory, String name) throws IOException {
        return FileChannel.open(
                directory.resolve(name), StandardOpenOption.READ, StandardOpenOption.WRITE);
    }

    void reply(boolean yes) throws IOException {
        Files.writeString(file("reply"), yes ? "yes\n" : "no\n");
    }

    /**
     * Takes everything away; a tool that still runs ends by itself. One that is just ending may
     * write there once more: then the container's directory goes with the container. What became of
     * the clone counts, not what is left of it here.
     */
    @Override
    public void close() {
        try {
            FileUtils.deleteDirectory(directory.toFile());
        } catch (IOException e) {
            LOG.warn("What a clone's tool needed is left in {}", directory, e);
        }
    }
}
