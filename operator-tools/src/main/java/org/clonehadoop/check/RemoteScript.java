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
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * Runs a script of ours on nodes: it goes to a bash there through standard input, its arguments
 * before it. As words of the command they would be split again by the shell of a login, and not be
 * split by what runs commands without one.
 */
final class RemoteScript {
    private static final int LONGEST = 300;

    private final String resource;
    private final List<String> via;
    private final long limitSeconds;

    /** The message says why there is no answer. */
    static final class NoAnswerException extends Exception {
        private static final long serialVersionUID = 1;

        NoAnswerException(String message) {
            super(message);
        }
    }

    /**
     * @param resource the script, beside this class
     * @param via the words that run a command on a host, {@code {}} being its name
     * @param limitSeconds after so long a node counts as one that doesn't answer
     */
    RemoteScript(String resource, List<String> via, long limitSeconds) {
        this.resource = resource;
        this.via = via;
        this.limitSeconds = limitSeconds;
    }

    /** What it has printed. */
    String run(String host, List<String> arguments) throws NoAnswerException {
        Path in = null;
        Path out = null;
        Path err = null;
        try {
            in = Files.createTempFile("probe", ".in");
            out = Files.createTempFile("probe", ".out");
            err = Files.createTempFile("probe", ".err");
            writeInput(arguments(arguments), in);
            return run(command(host), in, out, err);
        } catch (IOException e) {
            throw new NoAnswerException(e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new NoAnswerException("interrupted");
        } finally {
            remove(in);
            remove(out);
            remove(err);
        }
    }

    private void writeInput(String arguments, Path in) throws IOException {
        try (OutputStream to = Files.newOutputStream(in);
                InputStream script = RemoteScript.class.getResourceAsStream(resource)) {
            to.write(arguments.getBytes(StandardCharsets.UTF_8));
            script.transferTo(to);
        }
    }

    /**
     * @param in a file: who writes to a pipe may have to wait for the node, and for longer than the
     *     limit
     */
    private String run(List<String> command, Path in, Path out, Path err)
            throws IOException, InterruptedException, NoAnswerException {
        Process process =
                new ProcessBuilder(command)
                        .redirectInput(in.toFile())
                        .redirectOutput(out.toFile())
                        .redirectError(err.toFile())
                        .start();
        if (!process.waitFor(limitSeconds, TimeUnit.SECONDS)) {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
            throw new NoAnswerException("no answer within " + limitSeconds + " s");
        }
        if (process.exitValue() != 0) {
            throw new NoAnswerException(why(process.exitValue(), text(err)));
        }
        return text(out);
    }

    /** A login may greet in any encoding. */
    private static String text(Path file) throws IOException {
        return new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
    }

    private List<String> command(String host) {
        List<String> command = new ArrayList<>();
        via.forEach(word -> command.add(word.replace("{}", host)));
        command.addAll(List.of("bash", "-s"));
        return command;
    }

    /** A line of bash that sets the script's arguments. */
    private static String arguments(List<String> arguments) {
        return arguments.stream()
                .map(argument -> "'" + argument.replace("'", "'\\''") + "'")
                .collect(Collectors.joining(" ", "set -- ", "\n"));
    }

    private static String why(int code, String errors) {
        String said = firstLine(errors);
        return said.isEmpty() ? "exit code " + code : "exit code " + code + ": " + said;
    }

    /** The first that isn't blank, not too long for a table. */
    static String firstLine(String text) {
        return text.lines()
                .filter(line -> !line.isBlank())
                .findFirst()
                .map(line -> line.length() > LONGEST ? line.substring(0, LONGEST) : line)
                .orElse("");
    }

    private static void remove(Path file) {
        try {
            if (file != null) {
                Files.deleteIfExists(file);
            }
        } catch (IOException e) {
            // It is in the temporary directory.
        }
    }
}
