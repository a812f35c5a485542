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
import org.junit.jupiter.api.Test;

final class HostClassesTest {
    private static final NodeFacts NEWER = Facts.host(host -> host.put("kernel", "6.10.2"));

    private static List<List<String>> names(Node... nodes) {
        return HostClasses.of(List.of(nodes)).classes().stream()
                .map(hosts -> hosts.stream().map(Node::name).toList())
                .toList();
    }

    @Test
    void nodesThatCanCloneToEachOtherAreOneClass() {
        assertThat(names(Facts.node("a", Facts.good()), Facts.node("b", Facts.good())))
                .containsExactly(List.of("a", "b"));
    }

    @Test
    void oneWayIsntEnoughAndTheLargestClassIsFirst() {
        assertThat(
                        names(
                                Facts.node("a", Facts.good()),
                                Facts.node("b", NEWER),
                                Facts.node("c", NEWER)))
                .containsExactly(List.of("b", "c"), List.of("a"));
    }

    /** What the first lacks, the second and the third have of two releases. */
    @Test
    void aNodeThatFitsTwoOthersBringsThemIntoNoClassIfTheyDontFitEachOther() {
        assertThat(
                        names(
                                Facts.node("b", Facts.good()),
                                Facts.node("a", withJarOfDataNodes("x")),
                                Facts.node("c", withJarOfDataNodes("y")),
                                Facts.node("d", Facts.good())))
                .containsExactly(List.of("b", "d", "a"), List.of("c"));
    }

    private static NodeFacts withJarOfDataNodes(String checksum) {
        return Facts.but(
                facts ->
                        ((ObjectNode) facts.get("our_jars"))
                                .put("/hadoop/hdfs/hdfs-duplicate-reads.jar", checksum));
    }

    @Test
    void thePropertyHasClassesWithSemicolonsBetweenThem() {
        HostClasses classes =
                HostClasses.of(
                        List.of(
                                Facts.node("a", NEWER),
                                Facts.node("b", NEWER),
                                Facts.node("c", Facts.good())));
        assertThat(classes.property()).isEqualTo("a,b;c");
    }
}
