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

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SummaryTest {
    private final Summary summary = new Summary();

    @Test
    void jsonHasMediansAsNumbers() throws IOException {
        summary.add("freeze_ms", "frozen", Series.of(3, 1, 2.123456));
        summary.add("image_bytes", "image", Series.of(465_049_600));
        JsonNode json = json();
        assertThat(json.get("freeze_ms").doubleValue()).isEqualTo(2.1235);
        assertThat(json.get("image_bytes").isIntegralNumber()).isTrue();
        assertThat(json.get("image_bytes").longValue()).isEqualTo(465_049_600);
    }

    @Test
    void jsonKeepsTheOrderOfTheKeys() throws IOException {
        summary.put("environment", Map.of("cores", 4));
        summary.put("runs", 5);
        summary.add("b_ms", "b", Series.of(1));
        summary.add("a_ms", "a", Series.of(1));
        assertThat(json().fieldNames())
                .toIterable()
                .containsExactly("environment", "runs", "b_ms", "a_ms");
        assertThat(json().at("/environment/cores").intValue()).isEqualTo(4);
    }

    @Test
    void pairedRatiosBringTheirInterval() throws IOException {
        summary.addPaired("a_over_b", "a / b", Series.of(1.1, 1.3, 1.2), Goal.atMost(1.25));
        assertThat(json().get("a_over_b").doubleValue()).isEqualTo(1.2);
        assertThat(json().get("a_over_b_low").doubleValue()).isEqualTo(1.1);
        assertThat(json().get("a_over_b_high").doubleValue()).isEqualTo(1.3);
    }

    @Test
    void tableIsForPeople() {
        summary.section("a task");
        summary.add("freeze_ms", "frozen", Series.of(3, 1, 2), Goal.atMost(1));
        summary.add("image_bytes", "image", Series.of(465_049_600));
        assertThat(summary.table())
                .isEqualTo(
                        """

                        a task    median    min    max               goal
                          frozen     2.0    1.0    3.0  ms  MISSED <= 1.0
                          image    465.0  465.0  465.0  MB
                        """);
    }

    @Test
    void whatIsNotKnownIsADashAndNull() throws IOException {
        summary.heading("a load", "p50", "p99");
        summary.addAll("das", List.of("p50_ms", "p99_ms"), List.of(1.5, Double.NaN), "unstable");
        assertThat(json().get("p50_ms").doubleValue()).isEqualTo(1.5);
        assertThat(json().get("p99_ms").isNull()).isTrue();
        assertThat(summary.table())
                .isEqualTo(
                        """

                        a load  p50  p99
                          das   1.5    -  unstable
                        """);
    }

    @Test
    void aKeyHasOneValue() {
        summary.put("runs", 5);
        assertThatThrownBy(() -> summary.put("runs", 5))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("runs");
    }

    @Test
    void writesOverWhatWasThere(@TempDir Path directory) throws IOException {
        Path file = directory.resolve("numbers.json");
        Files.writeString(file, "x".repeat(10_000));
        summary.put("runs", 5);
        summary.write(file);
        assertThat(file).hasContent(summary.json());
        assertThat(directory).isDirectoryContaining(path -> path.equals(file));
        assertThat(Files.list(directory)).hasSize(1);
    }

    private JsonNode json() throws IOException {
        return new ObjectMapper().readTree(summary.json());
    }
}
