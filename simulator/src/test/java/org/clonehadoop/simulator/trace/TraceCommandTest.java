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
package org.clonehadoop.simulator.trace;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class TraceCommandTest {
    @TempDir private Path directory;

    private Path run(String name) throws IOException {
        Path json = directory.resolve(name);
        int code =
                new CommandLine(new TraceCommand())
                        .execute(
                                "--swim",
                                TenJobs.in(directory).toString(),
                                "--hosts",
                                "8",
                                "--hours",
                                "1",
                                "--slow-hosts",
                                "0.25",
                                "--json",
                                json.toString());
        assertThat(code).isZero();
        return json;
    }

    @Test
    void aDayIsSimulatedWithEachSpeculator() throws IOException {
        Path json = run("one.json");

        JsonNode day = new ObjectMapper().readTree(json.toFile());
        assertThat(day.get("jobs").asInt()).isEqualTo(8);
        assertThat(
                        day.get("small_jobs").asInt()
                                + day.get("tens_jobs").asInt()
                                + day.get("hundreds_jobs").asInt())
                .isEqualTo(8);
        assertThat(day.get("small_ours_clones").asInt()).isPositive();
        assertThat(day.get("small_none_clones").asInt()).isZero();
        assertThat(day.get("tens_none_thrown_away_s").asDouble()).isZero();
        assertThat(run("two.json")).hasSameBinaryContentAs(json);
    }

    @Test
    void aFileThatIsNoTraceFails() throws IOException {
        Path file = Files.writeString(directory.resolve("none"), "nothing\n");

        assertThat(new CommandLine(new TraceCommand()).execute("--swim", file.toString()))
                .isNotZero();
    }
}
