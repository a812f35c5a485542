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
package org.clonehadoop.simulator.validate;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class ValidateCommandTest {
    @TempDir private Path directory;

    @Test
    void allIsInTheJson() throws IOException {
        Path lines =
                Files.write(
                        directory.resolve("whole-jobs.ndjson"),
                        List.of(
                                Lines.line("even", "stock", 1, 40),
                                Lines.line("late-map", "stock", 1, 80),
                                Lines.line("late-map", "all", 1, 50),
                                Lines.line("even", "all", 1, 39, ",\"speculated\":[]"),
                                Lines.line(
                                        "late-reduce",
                                        "all",
                                        1,
                                        60,
                                        ",\"order_to_running_ms\":3000,\"freeze_ms\":90")));
        Path json = directory.resolve("validation.json");

        int code =
                new CommandLine(new ValidateCommand())
                        .execute(lines.toString(), "--json", json.toString());

        assertThat(code).isZero();
        JsonNode all = new ObjectMapper().readTree(json.toFile());
        assertThat(all.get("validated").asBoolean()).isFalse();
        assertThat(all.get("pace").get("20261124T120000Z").asDouble()).isPositive();
        assertThat(all.get("jobs")).hasSize(5);
        assertThat(all.get("jobs").get(0).get("fitted").asBoolean()).isTrue();
        assertThat(all.get("jobs").get(1).get("real_s").asDouble()).isEqualTo(80);
        JsonNode cloned = all.get("jobs").get(4);
        assertThat(cloned.get("order_to_running_ms").asDouble()).isEqualTo(3000);
        assertThat(cloned.get("simulated_order_to_running_ms").asDouble()).isPositive();
        assertThat(cloned.get("freeze_ms").asDouble()).isEqualTo(90);
        assertThat(cloned.get("simulated_freeze_ms").asDouble()).isPositive();
        assertThat(all.get("ratios").get(0).get("real").asDouble()).isEqualTo(0.625);
        assertThat(all.get("speculated_alike").isNull()).isTrue();
        assertThat(all.get("speculated_nobody_jobs").asInt()).isEqualTo(1);
        assertThat(all.get("speculated_nobody_jobs_alike").asInt()).isEqualTo(1);
    }

    @Test
    void aFileThatHoldsOtherThingsFails() throws IOException {
        Path file = Files.writeString(directory.resolve("none.ndjson"), "{\"job_s\": 1}\n");

        assertThat(new CommandLine(new ValidateCommand()).execute(file.toString())).isNotZero();
    }
}
