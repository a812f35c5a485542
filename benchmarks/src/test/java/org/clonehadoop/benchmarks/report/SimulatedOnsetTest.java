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
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SimulatedOnsetTest {
    @Test
    void comparesRunsOfOnePointAndOneSeed(@TempDir Path scratch) throws IOException {
        Path file = scratch.resolve("simulated-onset-abcdef0.ndjson");
        Files.write(
                file,
                List.of(
                        run("0.1", "2", "stock", 101, 100),
                        run("0.1", "2", "ours", 101, 50),
                        run("0.1", "2", "stock", 102, 200),
                        run("0.1", "2", "ours", 102, 100),
                        run("0.9", "300", "stock", 101, 100),
                        run("0.9", "300", "ours", 101, 80)));

        SimulatedOnset simulated = SimulatedOnset.read(file);

        assertThat(simulated.version()).isEqualTo("abcdef0");
        assertThat(simulated.percents()).containsExactly(10, 90);
        assertThat(simulated.factors()).containsExactly(2, 300);
        assertThat(simulated.runs()).isEqualTo(1);
        assertThat(simulated.cell(10, 2).map(cell -> cell.overStock().text()))
                .contains("0.50 (0.50–0.50)");
        assertThat(simulated.cell(10, 2).map(SimulatedOnset.Cell::winners))
                .contains("2 clones, 0 from zero");
        assertThat(simulated.overStock(90, 2)).isEmpty();
        assertThat(simulated.cloneShare())
                .as("5 s of 50 s")
                .hasValueSatisfying(share -> assertThat(share).isCloseTo(0.1, within(1e-12)));
    }

    @Test
    void aRunThatNothingIsBesideIsRefused() {
        List<SimulatedOnset.Line> lines = List.of(line("stock", 101, 100), line("ours", 102, 50));

        assertThatThrownBy(() -> SimulatedOnset.of("abcdef0", lines))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("seed 102");
    }

    @Test
    void thePageHasItAlone() {
        Markdown page = new Markdown();
        SimulatedOnset simulated =
                SimulatedOnset.of(
                        "abcdef0", List.of(line("stock", 101, 100), line("ours", 101, 50)));

        new OnsetSection(page).simulated(simulated, new Pictures(Map.of(Plot.SIMULATED, "x.svg")));

        assertThat(page.toString())
                .contains("1 seed, by version `abcdef0`")
                .contains("| 10 % | 0.50; 1 clones, 0 from zero |")
                .contains("A clone took 0.10 of a map's time here.")
                .contains("(x.svg)");
    }

    /** With a clone that ran after 5 s, where half of the maps had ended after 50 s. */
    private static SimulatedOnset.Line line(String speculator, long seed, double seconds) {
        return new SimulatedOnset.Line(0.1, 2, speculator, seed, seconds, 50, 0, 1, 1, 5000);
    }

    private static String run(String onset, String brake, String speculator, long seed, int job) {
        return String.format(
                "{\"scenario\":\"slow-map\",\"onset\":\"%s\",\"brake\":\"%s\",\"speculator\":\"%s\",\"seed\":%d,\"job_s\":%d.0,"
                        + "\"map_end_s\":50.0,\"won_new\":0,\"ran_clones\":1,\"won_clones\":1,"
                        + "\"order_to_running_ms\":5000}",
                onset, brake, speculator, seed, job);
    }
}
