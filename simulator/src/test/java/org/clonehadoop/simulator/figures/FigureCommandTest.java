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
package org.clonehadoop.simulator.figures;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class FigureCommandTest {
    @TempDir Path out;

    private int run(String... arguments) {
        return new CommandLine(new FigureCommand()).execute(arguments);
    }

    @Test
    void aFigureIsAPageAPictureAndNumbers() throws Exception {
        int status = run("6", "--runs", "1", "--costs", "measured", "--out", out.toString());

        assertThat(status).isZero();
        assertThat(
                        DocumentBuilderFactory.newInstance()
                                .newDocumentBuilder()
                                .parse(out.resolve("figure-6-measured.svg").toFile())
                                .getDocumentElement()
                                .getTagName())
                .isEqualTo("svg");
        assertThat(Files.readString(out.resolve("figures.html")))
                .contains("Not validated")
                .contains("<svg")
                .contains(Observation.CLONES_OVER_LATE.claim)
                .doesNotContain(Observation.SHORT_TAILS.claim)
                .doesNotContain("http-equiv", "src=");
        assertThat(Files.readAllLines(out.resolve("figures.md")))
                .contains("## Figure 6. Phases of TeraSort, 128 GB")
                .anyMatch(line -> line.startsWith("Of the paper's observations these hold here: 1"))
                .anyMatch(line -> line.startsWith("| Observation 2 |") && line.contains("clones"))
                .filteredOn(line -> line.startsWith("| 128 GB | measured |"))
                .singleElement()
                .asString()
                .containsPattern("\\| \\d+ s \\| (\\d\\.\\d{3} \\([^|]+\\) \\| ?){3}");
        numbers();
    }

    private void numbers() throws IOException {
        JsonNode numbers = new ObjectMapper().readTree(out.resolve("figures.json").toFile());
        String sort = "fig6_measured_literal_128-GB_";

        assertThat(numbers.path(sort + "hadoop_over_hadoop").asDouble()).isEqualTo(1);
        assertThat(numbers.path(sort + "ours_ran_clones").asDouble())
                .isPositive()
                .isGreaterThanOrEqualTo(numbers.path(sort + "ours_won_clones").asDouble());
        assertThat(numbers.path(sort + "late_shuffle_end_s").asDouble())
                .isBetween(
                        numbers.path(sort + "late_maps_end_s").asDouble(),
                        numbers.path(sort + "late_s").asDouble());
        for (Reading reading : Reading.values()) {
            String verdict =
                    "clones_over_late_measured_"
                            + reading.name().toLowerCase(Locale.ROOT)
                            + "_holds";
            assertThat(numbers.path(verdict).isBoolean()).as(verdict).isTrue();
        }
    }

    @Test
    void anUnknownFigureIsRefused() {
        assertThat(run("5", "--out", out.toString())).isNotZero();
        assertThat(out).isEmptyDirectory();
    }
}
