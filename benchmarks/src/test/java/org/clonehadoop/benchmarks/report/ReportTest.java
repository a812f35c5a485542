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
package org.clonehadoop.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class ReportTest {
    private static String line(String trouble, String variant, double seconds) {
        return String.format(
                "{\"commit\": \"a\", \"trouble\": \"%s\", \"variant\": \"%s\", \"round\": \"S-1\","
                        + " \"job_s\": %s}%n",
                trouble, variant, seconds);
    }

    @Test
    void writesRatiosOfAllVariantsAndWarnsOfAnUnknownTrouble(@TempDir Path scratch)
            throws IOException {
        Path jobs =
                Files.writeString(
                        scratch.resolve("whole-jobs.ndjson"),
                        line("even", "stock", 40)
                                + line("even", "clone", 44)
                                + line("slow-host", "clone", 60)
                                + line("sick-host", "all", 50));
        Path json = scratch.resolve("report.json");
        PrintStream before = System.err;
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        System.setErr(new PrintStream(said, true, StandardCharsets.UTF_8));
        try {
            new CommandLine(new Report()).execute(jobs.toString(), "--json", json.toString());
        } finally {
            System.setErr(before);
        }

        JsonNode flat = new ObjectMapper().readTree(json.toFile());
        assertThat(flat.path("even_clone_over_stock").asDouble()).isCloseTo(1.1, within(1e-9));
        assertThat(flat.path("slow_host_clone_s").asDouble()).as("without Hadoop's").isEqualTo(60);
        assertThat(flat.path("slow_host_clone_over_even").asDouble()).isEqualTo(1.5);
        assertThat(flat.has("slow_host_clone_over_stock")).isFalse();
        assertThat(flat.path("sick_host_all_runs").asInt()).isEqualTo(1);
        assertThat(said.toString(StandardCharsets.UTF_8))
                .contains("jobs with the trouble 'sick-host'")
                .doesNotContain("slow-host");
    }
}
