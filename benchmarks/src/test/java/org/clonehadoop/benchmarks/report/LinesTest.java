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
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LinesTest {
    @Test
    void sayWhichOneIsNoJob(@TempDir Path scratch) throws IOException {
        Path file = Files.writeString(scratch.resolve("jobs.ndjson"), "{\"commit\": \"a\"}\n");

        assertThatThrownBy(() -> JobLine.read(file))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(file + ":1: no job");
    }

    @Test
    void aResultIsNamedByItsBenchmarkAndVersion(@TempDir Path scratch) throws IOException {
        Path file =
                Files.writeString(
                        scratch.resolve("am-cost-1434d33.json"),
                        "{\"environment\": {\"cores\": 2, \"cpu\": \"X\", \"kernel\": \"L\"},"
                                + " \"look_p99_ms\": 3.5, \"runs\": 5}");

        assertThat(SingleResult.read(file))
                .isEqualTo(
                        new SingleResult(
                                "am-cost",
                                "1434d33",
                                Map.of("look_p99_ms", "3.5", "runs", "5"),
                                "2 × X, L",
                                Optional.empty()));
        Files.writeString(
                file,
                "{\"vm_ms\": {\"median\": 1600, \"low\": 1200}, \"of_jobs\": [{\"clones\": 1}]}");
        assertThat(SingleResult.read(file).values())
                .isEqualTo(Map.of("vm_ms", "1600", "vm_ms_low", "1200"));
        Files.writeString(
                file,
                "{\"environment\": {\"command\": \"benchmarks/a/run --quick --json /x/y.json --n 1\"}}");
        assertThat(SingleResult.read(file).command()).contains("benchmarks/a/run --quick --n 1");
        assertThatThrownBy(() -> SingleResult.read(scratch.resolve("x.json")))
                .hasMessageContaining("not named NAME-COMMIT.json");
    }
}
