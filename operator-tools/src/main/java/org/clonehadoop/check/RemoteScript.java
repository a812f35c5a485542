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

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Runs a script of ours on nodes: it goes to a bash there through standard input, its arguments
 * before it. As words of the command they would be split again by the shell of a login, and not be
 * split by what runs commands without one.
 */
final class RemoteScript {
    private static final int LONGEST = 300;

    private final ProbeProcesses processes;
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
     * @param processes those that it runs are among
     * @param resource the script, beside this class
     * @param via the words that run a command on a host, {@code {}} being its name
     * @param limitSeconds after so long a node counts as one that doesn't answer
     */
    RemoteScript(ProbeProcesses processes, String resource, List<String> via, long limitSeconds) {
        this.processes = processes;
        this.resource = resource;
        this.via = via;
        this.limitSeconds = limitSeconds;
    }

    /** What it has printed. */
    String run(String host, List<String> arguments) throws NoAnswerException {
        try {
            ProbeProcesses.Started started = processes.start(command(host), input(arguments));
            try {
                return answer(started);
            } finally {
                processes.end(started);
            }
        } catch (IOException e) {
            throw new NoAnswerException(e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new NoAnswerException("interrupted");
        }
    }

    private byte[] input(List<String> arguments) throws IOException {
        try (InputStream script = RemoteScript.class.getResourceAsStream(resource)) {
            ByteArrayOutputStream input = new ByteArrayOutputStream();
            input.writeBytes(arguments(arguments).getBytes(StandardCharsets.UTF_8));
            script.transferTo(input);
            return input.toByteArray();
        }
    }

    private String answer(ProbeProcesses.Started started)
            throws IOException, InterruptedException, NoAnswerException {
        Process process = started.process();
        if (!process.waitFor(limitSeconds, TimeUnit.SECONDS)) {
            throw new NoAnswerException("no answer within " + limitSeconds + " s");
        }
        if (process.exitValue() != 0) {
            throw new NoAnswerException(why(process.exitValue(), text(started.err())));
        }
        return text(started.out());
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

    /** By the last line: a login's banner is before it. */
    private static String why(int code, String errors) {
        String said = lines(errors).reduce("", (before, line) -> line);
        return said.isEmpty() ? "exit code " + code : "exit code " + code + ": " + said;
    }

    /** The first that isn't blank, not too long for a table. */
    static String firstLine(String text) {
        return lines(text).findFirst().orElse("");
    }

    private static Stream<String> lines(String text) {
        return text.lines()
                .filter(line -> !line.isBlank())
                .map(line -> line.length() > LONGEST ? line.substring(0, LONGEST) : line);
    }
}
