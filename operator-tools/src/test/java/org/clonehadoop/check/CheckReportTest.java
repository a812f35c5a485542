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

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class CheckReportTest {
    private static final Node A = Facts.node("a", Facts.good());
    private static final Node B = Facts.node("b", Facts.host(host -> host.put("kernel", "6.10.2")));
    private static final Node LOST = Node.silent("lost", "exit code 255");

    private static CheckReport report(Node... nodes) {
        return report(List.of(), nodes);
    }

    private static CheckReport report(List<Unreachable> unreachable, Node... nodes) {
        List<Node> all = List.of(nodes);
        return new CheckReport(all, ReleaseJars.NONE, HostClasses.ofAll(all), unreachable);
    }

    @Test
    void equalNodesAreGood() {
        CheckReport report = report(A, Facts.node("c", Facts.good()));
        assertThat(report.isGood()).isTrue();
        assertThat(report.table(false))
                .contains("class A, 2 nodes that can clone to each other: a c")
                .endsWith("2 of 2 nodes can clone, in 1 class\n");
    }

    @Test
    void whatKeepsAPairApartIsToldInTheDirectionInWhichItDoes() {
        CheckReport report = report(A, B);
        assertThat(report.isGood()).isFalse();
        assertThat(report.table(false))
                .contains("from A to B: yes")
                .containsSubsequence(
                        "from B to A: no", "fail  kernel", "fix: boot the same kernel");
    }

    /** The first of a class may fit where others of it don't. */
    @Test
    void allKindsOfAClassCountForWhatKeepsClassesApart() {
        String jar = "/hadoop/hdfs/hdfs-duplicate-reads.jar";
        Node one = Facts.node("one", Facts.but(facts -> putJar(facts, jar, "x")));
        Node other = Facts.node("other", Facts.but(facts -> putJar(facts, jar, "y")));
        assertThat(report(A, one, other).table(false))
                .contains("class A, 2 nodes that can clone to each other: a one")
                .containsSubsequence(
                        "from A to B: no",
                        "fail  our jars         " + jar + " is y, not x",
                        "from B to A: no",
                        "fail  our jars         " + jar + " is x, not y");
    }

    private static void putJar(ObjectNode facts, String path, String checksum) {
        ((ObjectNode) facts.get("our_jars")).put(path, checksum);
    }

    @Test
    void aNodeThatFailsIsInNoClass() {
        CheckReport report = report(A, LOST);
        assertThat(report.isGood()).isFalse();
        assertThat(HostClasses.ofAll(List.of(A, LOST)).property()).isEqualTo("a");
        assertThat(report.table(false))
                .containsSubsequence("lost", "1 failed", "exit code 255", "1 of 2 nodes can clone");
    }

    @Test
    void jsonSaysTheSame() {
        JsonNode json = report(A, B, LOST).json();
        assertThat(json.at("/able").booleanValue()).isFalse();
        assertThat(json.at("/nodes/0/class").textValue()).isEqualTo("A");
        assertThat(json.at("/nodes/2/able").booleanValue()).isFalse();
        assertThat(json.at("/nodes/2/findings/0/fix").textValue()).contains("--via");
        assertThat(json.at("/pairs/0/able").booleanValue()).isTrue();
        assertThat(json.at("/pairs/1/reasons/0/name").textValue()).isEqualTo("kernel");
    }

    /** One line for a firewall, not one for each node that is kept out. */
    @Test
    void nodesThatCantConnectAreTold() {
        List<Unreachable> walled =
                IntStream.range(0, 7)
                        .mapToObj(n -> new Unreachable("n" + n, "a", 7100, "no answer within 3 s"))
                        .toList();
        CheckReport report = report(walled, A, Facts.node("c", Facts.good()));
        assertThat(report.isGood()).isFalse();
        assertThat(report.table(false))
                .containsSubsequence(
                        "class A, 2 nodes",
                        "fail  network          n0 n1 n2 n3 n4 and 2 more can't connect to a:7100:"
                                + " no answer within 3 s\n",
                        "fix: open a's firewall",
                        "2 of 2 nodes can clone, in 1 class, but not all can connect to each other");
        assertThat(report.json().at("/network")).hasSize(1);
    }

    @Test
    void nodesThatCouldntTryAreOneFinding() {
        List<Unreachable> untried =
                List.of(
                        Unreachable.notTried("a", "exit code 255: gone"),
                        Unreachable.notTried("b", "exit code 255: gone"));
        assertThat(Unreachable.findings(untried))
                .containsExactly(
                        Finding.fail(
                                "network",
                                "a b couldn't try to connect: exit code 255: gone",
                                NodeRules.TRY_VIA));
    }

    @Test
    void aNameThatIsntKnownHasAnotherFix() {
        Unreachable unknown = new Unreachable("a", "c", 7100, "Name or service not known");
        assertThat(Unreachable.findings(List.of(unknown)))
                .singleElement()
                .extracting(Finding::fix)
                .isEqualTo("have the nodes know each other by these names");
    }
}
