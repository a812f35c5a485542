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
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.clonehadoop.simulator.requests.rpc.RpcResult;
import org.clonehadoop.simulator.requests.rpc.RpcSimulation;
import org.clonehadoop.simulator.requests.rpc.RpcSpec;
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
    void putsWhatWasMeasuredBesideTheSimulation() throws IOException {
        ObjectMapper mapper = new ObjectMapper();
        List<String> points = new ArrayList<>();
        for (String line : specs("C-8").lines().toList()) {
            RpcSpec spec = mapper.treeToValue(mapper.readTree(line).get("spec"), RpcSpec.class);
            RpcResult same = RpcSimulation.run(spec.withRequests(2000), 100);
            points.add(mapper.writeValueAsString(same));
        }
        assertThat(points).hasSize(17);
        // Two take longer than simulated: the baseline's had few requests, the other one many.
        points.set(1, slower(points.get(1), 50));
        points.set(5, slower(points.get(5), 2000));
        Files.write(dir.resolve("points.ndjson"), points);
        Files.writeString(
                dir.resolve("always.json"),
                "{\"asked\": 20000, \"cloned\": 20000, \"lost\": 1, \"twice\": 0}");
        int code =
                new CommandLine(new RequestsCommand())
                        .execute(
                                "C-8",
                                "C-9",
                                "C-16",
                                "O-4",
                                "--quick",
                                "--requests",
                                "12000",
                                "--measured",
                                dir.toString(),
                                "--out",
                                dir.toString());
        assertThat(code).isZero();
        JsonNode figures = mapper.readTree(dir.resolve("requests.json").toFile());
        assertThat(figures.get("C-8").get("points").intValue()).isEqualTo(17);
        assertThat(figures.get("C-8").get("validated").intValue()).isEqualTo(15);
        assertThat(figures.get("C-8").get("may_be_chance").intValue()).isEqualTo(1);
        assertThat(figures.get("C-8").get("measured_claims"))
                .isEqualTo(figures.get("C-8").get("claims"));
        assertThat(figures.get("C-9").has("points")).isFalse();
        assertThat(figures.has("C-16")).isFalse();
        assertThat(figures.get("O-4").get("measured_claims").get(0).get("holds").booleanValue())
                .isFalse();
        assertThat(dir.resolve("requests.md"))
                .content()
                .contains(
                        "15 of 17 points are validated; within what 20 simulated runs of as many requests give: 1 more.")
                .containsOnlyOnce("not validated")
                .contains("| **doesn't**: of 20000, 20000 cloned: 1 lost, 0 let through twice |");
        assertThat(dir.resolve("requests.html")).content().contains("<h3>Measured</h3>");
    }

    private static String slower(String result, long asked) throws IOException {
        ObjectNode point = (ObjectNode) new ObjectMapper().readTree(result);
        point.put("p99", point.get("p99").doubleValue() * 1.33);
        point.put("asked", asked);
        return point.toString();
    }

    @Test
    void keepsFiguresThatWereMadeThereBefore() throws IOException {
        make("R-7", "12000");
        make("R-6", "6000");
        assertThat(dir.resolve("requests.md"))
                .content()
                .startsWith("# NetRS' figures\n")
                .containsSubsequence("## R-6. ", "\n6000 requests", "## R-7. ", "\n12000 requests");
        make("C-8", "12000");
        assertThat(dir.resolve("requests.md"))
                .content()
                .startsWith("# NetRS' and NetClone's figures\n")
                .containsSubsequence("## R-6. ", "## R-7. ", "## C-8. ", "\n2000 requests");
    }

    private void make(String figure, String requests) {
        String[] asked = {figure, "--quick", "--requests", requests, "--out", dir.toString()};
        assertThat(new CommandLine(new RequestsCommand()).execute(asked)).isZero();
    }

    private static String specs(String figure) {
        PrintStream before = System.out;
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
        try {
            new CommandLine(new RequestsCommand()).execute(figure, "--quick", "--specs");
        } finally {
            System.setOut(before);
        }
        return printed.toString(StandardCharsets.UTF_8);
    }

    @Test
    void saysWhichFiguresThereAre() throws IOException {
        StringWriter errors = new StringWriter();
        CommandLine command = new CommandLine(new RequestsCommand());
        command.setErr(new PrintWriter(errors));
        assertThat(command.execute("C-11", "--out", dir.toString())).isNotZero();
        assertThat(errors.toString()).contains("no figure 'C-11'");
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
