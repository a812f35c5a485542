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
package org.clonehadoop.check;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class NodeRulesTest {
    private static List<Finding> of(Consumer<ObjectNode> change) {
        return NodeRules.of(Facts.node("h1", Facts.but(change)));
    }

    private static Finding only(List<Finding> findings, String name) {
        return findings.stream()
                .filter(finding -> finding.name().equals(name))
                .findAny()
                .orElseThrow();
    }

    @Test
    void aGoodNodePassesEverything() {
        assertThat(of(facts -> {}))
                .extracting(Finding::status)
                .hasSize(8)
                .containsOnly(Finding.Status.PASS);
    }

    @Test
    void oneThatDoesntAnswerFailsWithTheReason() {
        assertThat(NodeRules.of(Node.silent("h1", "exit code 255: no route")))
                .singleElement()
                .satisfies(
                        finding -> {
                            assertThat(finding.fails()).isTrue();
                            assertThat(finding.detail()).isEqualTo("exit code 255: no route");
                        });
    }

    @Test
    void whatIsMissingFailsWithItsFix() {
        for (String missing : List.of("user", "tool", "java", "hadoop")) {
            Finding finding = only(of(facts -> facts.remove(missing)), missing);
            assertThat(finding.fails()).as(missing).isTrue();
            assertThat(finding.fix()).as(missing).isNotBlank();
        }
    }

    /** Our classes can't be loaded there. */
    @ParameterizedTest
    @CsvSource({"1.8.0_392, FAIL", "11.0.21+9, FAIL", "17.0.15, PASS", "17, PASS", "21.0.1, WARN"})
    void anOldJavaFailsAndANewOneIsAWarning(String version, Finding.Status status) {
        Consumer<ObjectNode> java =
                facts -> ((ObjectNode) facts.get("java")).put("version", version);
        assertThat(only(of(java), "java").status()).isEqualTo(status);
    }

    @ParameterizedTest
    @CsvSource({"3.3.6, FAIL", "3.4.1.7.2.18.0-641, PASS", "3.5.0, PASS", ", WARN"})
    void aHadoopWhoseJobsWouldRunAsStocksFails(String version, Finding.Status status) {
        Consumer<ObjectNode> hadoop =
                facts -> ((ObjectNode) facts.get("hadoop")).put("version", version);
        assertThat(only(of(hadoop), "hadoop").status()).isEqualTo(status);
    }

    @Test
    void localDirectoriesThatArentFoundAreAWarning() {
        assertThat(only(of(facts -> facts.putArray("local_dirs")), "local-dirs").status())
                .isEqualTo(Finding.Status.WARN);
    }

    @Test
    void aNodeOfWhichNoJarOfOursIsToldFailsWithItsFix() {
        Finding finding = only(of(facts -> facts.putObject("our_jars")), "jar");
        assertThat(finding.fails()).isTrue();
        assertThat(finding.detail()).contains("isn't there, or containers can't read it");
        assertThat(finding.fix()).contains("install-node --hadoop /");
    }

    @Test
    void twoVersionsOfTheJarFail() {
        Finding finding =
                only(
                        of(
                                facts ->
                                        facts.putObject("our_jars")
                                                .put("/a/hadoop-clone-speculator.jar", "1")
                                                .put("/a/hadoop-clone-speculator-0.1.jar", "2")),
                        "jar");
        assertThat(finding.fails()).isTrue();
        assertThat(finding.detail()).contains("two versions");
    }

    @Test
    void theToolsOwnFindingsAreTaken() {
        Consumer<ObjectNode> noCriu =
                facts ->
                        ((ObjectNode) facts.at("/tool/check/requirements/0"))
                                .put("status", "fail")
                                .put("detail", "none")
                                .put("fix", "run install-node");
        assertThat(only(of(noCriu), "criu"))
                .isEqualTo(Finding.fail("criu", "none", "run install-node"));
    }

    @Test
    void othersRightsThanTheContainersAreAWarning() {
        Consumer<ObjectNode> other =
                facts -> ((ObjectNode) facts.get("tool")).put("checked_as", "root");
        assertThat(only(of(other), "rights").status()).isEqualTo(Finding.Status.WARN);
    }

    @Test
    void aClockIsWrongOnlyBeyondWhatTheCallTook() {
        NodeFacts facts = Facts.good();
        assertThat(only(NodeRules.of(new Node("h1", facts, null, -1400, 500)), "clock").status())
                .isEqualTo(Finding.Status.PASS);
        assertThat(only(NodeRules.of(new Node("h1", facts, null, -1600, 500)), "clock").status())
                .isEqualTo(Finding.Status.WARN);
    }

    @Test
    void aClockIsComparedByTheWayThereAndBack() {
        // The call took 2.1 s, the probe 2 of them: 60 ms there and 40 back by equal clocks.
        Node node = Node.of("h1", Facts.good(), 999_940, 1_002_040);
        assertThat(node.clockOffsetMillis()).isEqualTo(10);
        assertThat(node.clockErrorMillis()).isEqualTo(50);
        assertThat(Node.of("h1", Facts.good(), 989_950, 992_050).clockOffsetMillis())
                .isEqualTo(10_000);
    }

    @Test
    void aRangeOfPortsThatIsFullFails() {
        Consumer<ObjectNode> full =
                facts -> facts.putObject("ports").put("first", 10).put("last", 12).put("busy", 3);
        assertThat(only(of(full), "ports").fails()).isTrue();
        Consumer<ObjectNode> room =
                facts -> facts.putObject("ports").put("first", 10).put("last", 12).put("busy", 2);
        assertThat(only(of(room), "ports").detail()).isEqualTo("1 of 10-12 are free");
    }
}
