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

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Nodes in groups within which each can clone to each. Nodes that fail by themselves are in none,
 * and those that fit two groups in the first. Nodes that are the same to all rules are compared
 * once, so that 200 nodes take no longer than there are kinds of them. Pure.
 *
 * @param classes the largest first
 */
record HostClasses(List<List<Node>> classes) {
    /** Of those of the nodes that have no failure of their own. */
    static HostClasses ofAll(List<Node> nodes) {
        return of(
                nodes.stream()
                        .filter(node -> NodeRules.of(node).stream().noneMatch(Finding::fails))
                        .toList());
    }

    /**
     * @param able nodes without a failure of their own
     */
    static HostClasses of(List<Node> able) {
        List<List<List<Node>>> classes = new ArrayList<>();
        for (List<Node> kind : byKind(able)) {
            classes.stream()
                    .filter(others -> fits(kind, others))
                    .findFirst()
                    .ifPresentOrElse(
                            others -> others.add(kind),
                            () -> classes.add(new ArrayList<>(List.of(kind))));
        }
        return new HostClasses(
                classes.stream()
                        .map(kinds -> kinds.stream().flatMap(List::stream).toList())
                        .sorted((left, right) -> Integer.compare(right.size(), left.size()))
                        .toList());
    }

    /** One node of each kind among these. */
    static List<Node> kinds(List<Node> nodes) {
        return byKind(nodes).stream().map(kind -> kind.get(0)).toList();
    }

    private static Collection<List<Node>> byKind(List<Node> nodes) {
        Map<Map<String, Object>, List<Node>> kinds = new LinkedHashMap<>();
        for (Node node : nodes) {
            kinds.computeIfAbsent(PairRules.key(node.facts()), key -> new ArrayList<>()).add(node);
        }
        return kinds.values();
    }

    private static boolean fits(List<Node> kind, List<List<Node>> others) {
        return others.stream().allMatch(other -> eachOther(kind.get(0), other.get(0)));
    }

    private static boolean eachOther(Node left, Node right) {
        return PairRules.of(left.facts(), right.facts()).isEmpty()
                && PairRules.of(right.facts(), left.facts()).isEmpty();
    }

    /**
     * {@code mapreduce.clone.host-classes}: hosts of a class with commas between them, classes with
     * semicolons.
     */
    String property() {
        return String.join(
                ";",
                classes.stream()
                        .map(hosts -> String.join(",", hosts.stream().map(Node::name).toList()))
                        .toList());
    }
}
