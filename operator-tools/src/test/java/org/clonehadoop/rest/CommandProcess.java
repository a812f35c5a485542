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
package org.clonehadoop.rest;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * A command that has run as a process of its own, with what a release's {@code lib/tools} has.
 *
 * @param code its exit code
 * @param out what it wrote to its standard output
 * @param err and to its standard error
 */
record CommandProcess(int code, String out, String err) {
    private static final List<String> LIB_TOOLS = List.of("picocli-", "jackson-");

    /**
     * @param scratch for what it writes
     */
    static CommandProcess run(
            Path scratch,
            Map<String, String> environment,
            List<String> jvmOptions,
            Class<?> command,
            String... arguments)
            throws Exception {
        List<String> words = new ArrayList<>();
        words.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        words.addAll(jvmOptions);
        words.addAll(List.of("-cp", classPath(), command.getName()));
        words.addAll(List.of(arguments));
        Path out = Files.createTempFile(scratch, "run", ".out");
        Path err = Files.createTempFile(scratch, "run", ".err");
        ProcessBuilder builder = new ProcessBuilder(words);
        builder.environment().putAll(environment);
        Process process = builder.redirectOutput(out.toFile()).redirectError(err.toFile()).start();
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        return new CommandProcess(
                process.exitValue(), Files.readString(out), Files.readString(err));
    }

    private static String classPath() {
        return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(
                        entry ->
                                entry.endsWith("classes")
                                        || LIB_TOOLS.stream()
                                                .anyMatch(
                                                        Path.of(entry).getFileName().toString()
                                                                ::startsWith))
                .collect(Collectors.joining(File.pathSeparator));
    }
}
