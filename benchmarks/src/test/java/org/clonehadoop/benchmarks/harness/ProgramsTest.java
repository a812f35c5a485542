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

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProgramsTest {
    private static final Duration LIMIT = Duration.ofSeconds(20);

    @TempDir private Path directory;

    @Test
    void endsEveryProgramWithItsChildren() throws Exception {
        Path output = directory.resolve("output");
        Process shell;
        try (Programs programs = new Programs()) {
            shell = programs.start(List.of("sh", "-c", "sleep 1000 & echo $!; wait"), output);
            Poll.until("the shell's child", LIMIT, () -> Files.size(output) > 0);
        }
        long child = Long.parseLong(Files.readString(output).strip());
        Poll.until("both end", LIMIT, () -> !shell.isAlive() && hasEnded(child));
    }

    @Test
    void asksAProgramToEnd() throws Exception {
        try (Programs programs = new Programs()) {
            Path output = directory.resolve("output");
            Process shell =
                    programs.start(
                            List.of("sh", "-c", "trap 'exit 7' TERM; echo; sleep 1000 & wait"),
                            output);
            Poll.until("its trap is set", LIMIT, () -> Files.size(output) > 0);
            Programs.end(shell, LIMIT);
            assertThat(shell.exitValue()).isEqualTo(7);
        }
    }

    @Test
    void reportsAProgramThatFails() {
        try (Programs programs = new Programs()) {
            assertThatThrownBy(() -> programs.run(List.of("sh", "-c", "exit 3")))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("exit code 3");
        }
    }

    /** Nobody may have reaped it yet. */
    private static boolean hasEnded(long pid) throws IOException {
        Path status = Path.of("/proc/" + pid + "/status");
        return !Files.exists(status)
                || ProcFile.read(status.toString()).text("State").orElse("Z").startsWith("Z");
    }
}
