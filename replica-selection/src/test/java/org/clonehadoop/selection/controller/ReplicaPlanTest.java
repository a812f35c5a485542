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
package org.clonehadoop.selection.controller;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

class ReplicaPlanTest {
    @TempDir private Path dir;

    private final StringWriter errors = new StringWriter();
    private Path traffic;

    private record Run(int code, String out) {
        JsonNode json() throws IOException {
            return new ObjectMapper().readTree(out);
        }
    }

    @BeforeEach
    void count() throws IOException {
        List<String> groups = new ArrayList<>();
        for (int pod = 0; pod < 4; pod++) {
            for (int rack = 0; rack < 2; rack++) {
                groups.add(
                        """
                        {"group": "10.%d.%d.0/24", "tor": "tor-%d-%d",
                         "requests": {"core": 9000, "aggregation": 800, "tor": 200}}"""
                                .formatted(pod, rack, pod, rack));
            }
        }
        traffic =
                write(
                        "traffic.json",
                        "{\"seconds\": 10, \"groups\": [" + String.join(",", groups) + "]}");
    }

    private Path write(String name, String text) throws IOException {
        return Files.writeString(dir.resolve(name), text);
    }

    private Run run(String... arguments) {
        PrintStream before = System.out;
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        System.setOut(new PrintStream(out, true, StandardCharsets.UTF_8));
        try {
            CommandLine command = ReplicaPlan.commandLine();
            command.setErr(new PrintWriter(errors, true));
            return new Run(command.execute(arguments), out.toString(StandardCharsets.UTF_8));
        } finally {
            System.setOut(before);
        }
    }

    @Test
    void plansByTheProgramAndProvesIt() throws IOException {
        Run run =
                run(
                        "ilp",
                        "--topology",
                        "fat-tree:4",
                        "--traffic",
                        traffic.toString(),
                        "--extra-hops",
                        "0.3",
                        "--json");
        assertThat(run.code()).isZero();
        JsonNode rules = run.json();
        assertThat(rules.get("optimal").booleanValue()).isTrue();
        assertThat(rules.get("nodes")).hasSize(1);
        JsonNode node = rules.get("nodes").get(0);
        assertThat(node.get("requests_per_s").doubleValue()).isEqualTo(8000);
        assertThat(node.get("switch").textValue()).startsWith("core-");
        assertThat(rules.get("groups")).hasSize(8);
        for (JsonNode group : rules.get("groups")) {
            assertThat(group.get("rid")).isEqualTo(node.get("rid"));
        }
    }

    /** What each command is asked of the small tree, with few hops to spare. */
    private String[] asked() {
        return new String[] {
            "--topology",
            "fat-tree:4",
            "--traffic",
            traffic.toString(),
            "--extra-hops",
            "0.3",
            "--json"
        };
    }

    @Test
    void goesOnFromItsOwnRules() throws IOException {
        String[] asked = asked();
        Run ilp = run(concat("ilp", asked));
        Path plan = write("plan.json", ilp.out());
        String node = ilp.json().get("nodes").get(0).get("switch").textValue();

        Run failure = run(concat("failure", asked, "--plan", plan.toString(), "--failed", node));
        assertThat(failure.code()).isZero();
        String other = failure.json().get("nodes").get(0).get("switch").textValue();
        assertThat(other).startsWith("core-").isNotEqualTo(node);

        Run adaptive = run(concat("adaptive", asked, "--plan", plan.toString()));
        assertThat(adaptive.code()).isZero();
        assertThat(adaptive.json().get("groups")).isEqualTo(ilp.json().get("groups"));
    }

    @ParameterizedTest
    @CsvSource({"ilp", "adaptive", "failure"})
    void plansNothingAtWhatHasFailedBefore(String command) throws IOException {
        String[] asked = asked();
        Run ilp = run(concat("ilp", asked));
        assertThat(switches(ilp)).containsExactly("core-0");
        List<String> more = new ArrayList<>(List.of("--failed", "core-0,core-1"));
        if (!command.equals("ilp")) {
            more.addAll(List.of("--plan", write("plan.json", ilp.out()).toString()));
        }

        Run run = run(concat(command, asked, more.toArray(String[]::new)));

        assertThat(run.code()).isZero();
        assertThat(switches(run)).isNotEmpty().doesNotContain("core-0", "core-1");
    }

    private static List<String> switches(Run run) throws IOException {
        return run.json().get("nodes").findValuesAsText("switch");
    }

    @Test
    void leavesNoGroupAtASwitchThatItsPacketsDoNotComeBy() throws IOException {
        Path plan =
                write(
                        "plan.json",
                        """
                        {"groups": [
                          {"group": "10.0.0.0/24", "tor": "tor-1-0", "switch": "aggregation-1-0"},
                          {"group": "10.1.0.0/24", "tor": "tor-1-0", "switch": "aggregation-1-0"}]}
                        """);
        Run run =
                run(
                        "failure",
                        "--topology",
                        "fat-tree:4",
                        "--traffic",
                        traffic.toString(),
                        "--json",
                        "--plan",
                        plan.toString(),
                        "--failed",
                        "core-3");
        assertThat(run.code()).isZero();
        for (JsonNode group : run.json().get("groups")) {
            String name = group.get("group").textValue();
            if (name.equals("10.1.0.0/24")) {
                assertThat(group.get("switch").textValue()).isEqualTo("aggregation-1-0");
            } else {
                assertThat(group.has("switch")).as(name).isFalse();
            }
        }
    }

    /** The files are those that {@code request-switch/tests/e2e/netrs.bats} has switches apply. */
    @Test
    void writesThePlansThatSwitchesApply() throws IOException {
        String[] asked = {
            "--topology",
            "fat-tree:4",
            "--traffic",
            resource("traffic.json").toString(),
            "--extra-hops",
            "0.3",
            "--json"
        };
        JsonNode ilp = run(concat("ilp", asked)).json();
        ((ObjectNode) ilp).remove("seconds");
        assertThat(ilp).isEqualTo(json("ilp.json"));

        String plan = resource("ilp.json").toString();
        Run failure = run(concat("failure", asked, "--plan", plan, "--failed", "core-0"));
        assertThat(failure.json()).isEqualTo(json("failure.json"));
    }

    private static Path resource(String name) {
        try {
            return Path.of(ReplicaPlanTest.class.getResource(name).toURI());
        } catch (URISyntaxException e) {
            throw new AssertionError(e);
        }
    }

    private static JsonNode json(String name) throws IOException {
        return new ObjectMapper().readTree(resource(name).toFile());
    }

    private static String[] concat(String command, String[] asked, String... more) {
        List<String> all = new ArrayList<>(List.of(command));
        all.addAll(List.of(asked));
        all.addAll(List.of(more));
        return all.toArray(String[]::new);
    }

    @Test
    void tellsPeopleWhatIsSelectedWhere() {
        Run run = run("ilp", "--topology", "fat-tree:4", "--traffic", traffic.toString());
        assertThat(run.code()).isZero();
        assertThat(run.out()).contains("requests/s", "proven optimal", "8 groups at ");
    }

    @Test
    void saysSoWhereThereIsNoTimeForAProof() throws IOException {
        String[] asked = {
            "--topology", "fat-tree:4", "--traffic", traffic.toString(), "--seconds", "0"
        };
        Run run = run(concat("ilp", asked));
        assertThat(run.code()).isZero();
        assertThat(run.out()).contains("8 groups at ", "nothing could be proven in time");
        JsonNode rules = run(concat("ilp", asked, "--json")).json();
        assertThat(rules.get("optimal").booleanValue()).isFalse();
        assertThat(rules.has("least")).isFalse();
        assertThat(rules.get("groups")).hasSize(8);
    }

    @Test
    void saysOfWhichPlansItIsTheBestWhereGroupsAreDegraded() throws IOException {
        write(
                "traffic.json",
                """
                {"seconds": 1, "groups": [
                  {"group": "a", "tor": "tor-0-0",
                   "requests": {"core": 1000, "aggregation": 0, "tor": 0}},
                  {"group": "b", "tor": "tor-1-0",
                   "requests": {"core": 60000, "aggregation": 0, "tor": 0}}]}
                """);
        Run run = run("ilp", "--topology", "fat-tree:4", "--traffic", traffic.toString());
        assertThat(run.code()).isZero();
        assertThat(run.out())
                .contains(
                        "1 groups at 1 nodes",
                        "proven optimal, of plans that degrade the same groups");
    }

    @Test
    void degradesAllWhereNothingMayBeUsed() throws IOException {
        Run run =
                run(
                        "ilp",
                        "--topology",
                        "fat-tree:4",
                        "--traffic",
                        traffic.toString(),
                        "--utilisation",
                        "0",
                        "--json");
        assertThat(run.code()).isZero();
        assertThat(run.json().get("nodes")).isEmpty();
        for (JsonNode group : run.json().get("groups")) {
            assertThat(group.get("rid").intValue()).isEqualTo(-1);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{}|'seconds'",
                "{\"seconds\": 0, \"groups\": []}|above 0",
                "{\"seconds\": 1}|'groups'",
                "{\"seconds\": 1, \"groups\": []}|no group was counted",
                "{\"seconds\": 1, \"groups\": [{}]}|'tor'",
                "{\"seconds\": 1, \"groups\": [{\"tor\": \"core-0\", \"group\": \"a\"}]}|no top-of-rack",
                "{\"seconds\": 1, \"groups\": [{\"tor\": \"tor-9-0\", \"group\": \"a\"}]}|tor-9-0",
                "{\"seconds\": 1, \"groups\": [{\"tor\": \"tor-0-0\", \"group\": \"a\"}]}|'core'",
                "{\"seconds\"|traffic.json",
            })
    void saysWhatIsWrongWithAFile(String json, String message) throws IOException {
        write("traffic.json", json);
        assertThat(run("ilp", "--topology", "fat-tree:4", "--traffic", traffic.toString()).code())
                .isEqualTo(1);
        assertThat(errors.toString()).contains(message).startsWith("replica-plan: ");
    }

    @Test
    void takesNoPlanForAnotherTree() throws IOException {
        Path plan = write("plan.json", "{\"topology\": \"fat-tree:8\", \"groups\": []}");
        String[] asked = {
            "--topology", "fat-tree:4", "--traffic", traffic.toString(), "--plan", plan.toString()
        };
        assertThat(run(concat("adaptive", asked)).code()).isEqualTo(1);
        assertThat(errors.toString()).contains("plan.json: its plan is for fat-tree:8");
    }

    @Test
    void saysWhatIsWrongWithACommandLine() {
        assertThat(run("ilp", "--topology", "fat-tree:4").code()).isEqualTo(2);
        assertThat(run("ilp", "--topology", "ring", "--traffic", traffic.toString()).code())
                .isEqualTo(1);
        assertThat(errors.toString()).contains("ring");
        String[] asked = {
            "--topology", "fat-tree:4", "--traffic", traffic.toString(), "--seconds", "-1"
        };
        assertThat(run(concat("ilp", asked)).code()).isEqualTo(1);
        assertThat(errors.toString()).contains("--seconds");
        String[] failure = {
            "--topology", "fat-tree:4", "--traffic", traffic.toString(), "--plan", "plan.json"
        };
        assertThat(run(concat("failure", failure)).code()).isEqualTo(2);
        assertThat(errors.toString()).contains("'--failed=SWITCH'");
        assertThat(run(concat("failure", failure, "--failed", "core-4")).code()).isEqualTo(1);
        assertThat(errors.toString()).contains("core-4");
        assertThat(
                        run(
                                        "ilp",
                                        "--topology",
                                        "fat-tree:4",
                                        "--traffic",
                                        traffic.toString(),
                                        "--utilisation",
                                        "2")
                                .code())
                .isEqualTo(1);
    }
}
