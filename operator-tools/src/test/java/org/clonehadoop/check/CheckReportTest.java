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
import java.util.List;
import org.junit.jupiter.api.Test;

final class CheckReportTest {
    private static final Node A = Facts.node("a", Facts.good());
    private static final Node B = Facts.node("b", Facts.host(host -> host.put("kernel", "6.10.2")));
    private static final Node LOST = Node.silent("lost", "exit code 255");

    @Test
    void equalNodesAreGood() {
        CheckReport report = new CheckReport(List.of(A, Facts.node("c", Facts.good())));
        assertThat(report.isGood()).isTrue();
        assertThat(report.table(false))
                .contains("class A, 2 nodes that can clone to each other: a c")
                .endsWith("2 of 2 nodes can clone, in 1 class\n");
    }

    @Test
    void whatKeepsAPairApartIsToldInTheDirectionInWhichItDoes() {
        CheckReport report = new CheckReport(List.of(A, B));
        assertThat(report.isGood()).isFalse();
        assertThat(report.table(false))
                .contains("from A to B: yes")
                .containsSubsequence(
                        "from B to A: no", "fail  kernel", "fix: boot the same kernel");
    }

    @Test
    void aNodeThatFailsIsInNoClass() {
        CheckReport report = new CheckReport(List.of(A, LOST));
        assertThat(report.isGood()).isFalse();
        assertThat(report.classes().property()).isEqualTo("a");
        assertThat(report.table(false))
                .containsSubsequence("lost", "1 failed", "exit code 255", "1 of 2 nodes can clone");
    }

    @Test
    void jsonSaysTheSame() {
        JsonNode json = new CheckReport(List.of(A, B, LOST)).json();
        assertThat(json.at("/able").booleanValue()).isFalse();
        assertThat(json.at("/nodes/0/class").textValue()).isEqualTo("A");
        assertThat(json.at("/nodes/2/able").booleanValue()).isFalse();
        assertThat(json.at("/nodes/2/findings/0/fix").textValue()).contains("--via");
        assertThat(json.at("/pairs/0/able").booleanValue()).isTrue();
        assertThat(json.at("/pairs/1/reasons/0/name").textValue()).isEqualTo("kernel");
    }
}
