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
package org.clonehadoop.simulator.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Element;
import picocli.CommandLine;

class SweepCommandTest {
    @TempDir Path out;

    private int run(String... arguments) {
        return new CommandLine(new SweepCommand()).execute(arguments);
    }

    @Test
    void aLineForEachRunAndAPicture() throws Exception {
        Path json = out.resolve("sweep.json");
        Path plot = out.resolve("sweep.svg");

        int status =
                run(
                        "small-job",
                        "--vary=beta=1,2",
                        "--vary=rule.lately=half,same,double",
                        "--runs=2",
                        "--costs=paper",
                        "--json=" + json,
                        "--plot=" + plot);

        assertThat(status).isZero();
        List<String> lines = Files.readAllLines(json);
        assertThat(lines).hasSize(2 * 3 * 2 * 2);
        JsonNode last = new ObjectMapper().readTree(lines.get(lines.size() - 1));
        assertThat(last.path("speculator").asText()).isEqualTo("ours");
        assertThat(last.path("seed").asLong()).isEqualTo(102);
        assertThat(last.path("beta").asText()).isEqualTo("2");
        assertThat(last.path("rule.lately").asText()).isEqualTo("double");
        assertThat(last.path("job_s").asDouble()).isPositive();
        Element picture =
                DocumentBuilderFactory.newInstance()
                        .newDocumentBuilder()
                        .parse(plot.toFile())
                        .getDocumentElement();
        // Two rows of three, and three in the legend.
        assertThat(picture.getElementsByTagName("circle").getLength()).isEqualTo(9);
    }

    @Test
    void allRulesAreForThemselves() {
        assertThat(run("small-job", "--vary=rule.all=off", "--vary=beta=1", "--runs=1"))
                .isNotZero();
        assertThat(run("small-job", "--vary=rule.doubt+marks=off", "--runs=1")).isZero();
        assertThat(run("small-job", "--vary=rule.doubt+mark=off", "--runs=1")).isNotZero();
        assertThat(run("small-job", "--vary=beta=1", "--vary=beta=2", "--runs=1")).isNotZero();
        assertThat(run("no-job", "--vary=beta=1", "--runs=1")).isNotZero();
        assertThat(run("small-job", "--runs=1")).isNotZero();
    }
}
