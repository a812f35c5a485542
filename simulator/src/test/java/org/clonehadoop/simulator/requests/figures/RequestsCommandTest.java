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
package org.clonehadoop.simulator.requests.figures;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class RequestsCommandTest {
    @TempDir private Path dir;

    @Test
    void drawsWhatIsAskedForBesideWhatThePapersSay() throws IOException {
        int code =
                new CommandLine(new RequestsCommand())
                        .execute(
                                "R-7",
                                "C-8",
                                "--quick",
                                "--requests",
                                "12000",
                                "--out",
                                dir.toString());
        assertThat(code).isZero();
        assertThat(dir.resolve("R-7.svg")).content().contains("<svg");
        assertThat(dir.resolve("C-8.svg")).content().contains("<svg");
        assertThat(dir.resolve("requests.html"))
                .content()
                .contains("ALTER-RSP", "LÆDGE has the lowest throughput", "<svg")
                .doesNotContain("<?xml");
        JsonNode figures = new ObjectMapper().readTree(dir.resolve("requests.json").toFile());
        assertThat(figures.get("R-7").get("claims")).hasSize(3);
        assertThat(figures.get("R-7").get("runs")).hasSize(3);
        assertThat(figures.get("R-7").get("runs").get(0).get("spec").get("clients").intValue())
                .isEqualTo(500);
    }

    @Test
    void saysWhichFiguresThereAre() throws IOException {
        StringWriter errors = new StringWriter();
        CommandLine command = new CommandLine(new RequestsCommand());
        command.setErr(new PrintWriter(errors));
        assertThat(command.execute("C-16", "--out", dir.toString())).isNotZero();
        assertThat(errors.toString()).contains("no figure 'C-16'");
        assertThat(Files.list(dir)).isEmpty();
    }

    @Test
    void aReductionHoldsIfItComesNearThePapers() {
        assertThat(Claim.reduction("x", 30, 50, List.of(0.26, 0.47)).holds()).isTrue();
        assertThat(Claim.reduction("x", 30, 50, List.of(0.24, 0.47)).holds()).isFalse();
        assertThat(Claim.reduction("x", 30, 50, List.of(0.30, 0.40)).holds()).isFalse();
        assertThat(Claim.reduction("x", 30, 30, List.of(0.4)).because()).isEqualTo("40.0 %");
    }
}
