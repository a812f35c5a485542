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

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Asks a node: {@code probe-node} goes to a bash there through standard input. */
final class NodeProbe {
    private static final int LONGEST = 300;
    private static final ObjectMapper JSON = new ObjectMapper();

    private final List<String> via;
    private final List<String> settings;
    private final long limitSeconds;

    /**
     * @param via the words that run a command on a host, {@code {}} being its name
     * @param settings for the probe, by name
     * @param limitSeconds after so long a node counts as one that doesn't answer
     */
    NodeProbe(List<String> via, Map<String, String> settings, long limitSeconds) {
        this.via = via;
        this.settings =
                settings.entrySet().stream()
                        .map(setting -> setting.getKey() + "=" + setting.getValue())
                        .toList();
        this.limitSeconds = limitSeconds;
    }

    Node ask(String host) {
        Path out = null;
        Path err = null;
        try {
            out = Files.createTempFile("probe", ".out");
            err = Files.createTempFile("probe", ".err");
            return ask(host, out, err);
        } catch (IOException e) {
            return Node.silent(host, e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Node.silent(host, "interrupted");
        } finally {
            remove(out);
            remove(err);
        }
    }

    private Node ask(String host, Path out, Path err) throws IOException, InterruptedException {
        Process process =
                new ProcessBuilder(command(host))
                        .redirectOutput(out.toFile())
                        .redirectError(err.toFile())
                        .start();
        long begun = System.currentTimeMillis();
        try (OutputStream in = process.getOutputStream();
                InputStream script = NodeProbe.class.getResourceAsStream("probe-node")) {
            script.transferTo(in);
        } catch (IOException e) {
            // It has ended before it has read everything; its exit code says so.
        }
        if (!process.waitFor(limitSeconds, TimeUnit.SECONDS)) {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
            return Node.silent(host, "no answer within " + limitSeconds + " s");
        }
        long ended = System.currentTimeMillis();
        String answer = Files.readString(out, StandardCharsets.UTF_8);
        if (process.exitValue() != 0) {
            return Node.silent(host, why(process.exitValue(), Files.readString(err)));
        }
        try {
            NodeFacts facts =
                    JSON.readValue(
                            answer.substring(Math.max(0, answer.indexOf('{'))), NodeFacts.class);
            return Node.of(host, facts, begun, ended);
        } catch (JsonProcessingException e) {
            return Node.silent(host, "its answer isn't the probe's: " + firstLine(answer));
        }
    }

    private List<String> command(String host) {
        List<String> command = new ArrayList<>();
        via.forEach(word -> command.add(word.replace("{}", host)));
        command.addAll(List.of("bash", "-s", "--"));
        command.addAll(settings);
        return command;
    }

    private static String why(int code, String errors) {
        String said = firstLine(errors);
        return said.isEmpty() ? "exit code " + code : "exit code " + code + ": " + said;
    }

    private static String firstLine(String text) {
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
