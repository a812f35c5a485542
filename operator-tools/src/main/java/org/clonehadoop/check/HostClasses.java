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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Nodes in groups within which each can clone to each. Nodes that fail by themselves are in none.
 * Nodes that are the same to all rules are compared once, so that 200 nodes take no longer than
 * there are kinds of them. Pure.
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
        Map<Map<String, Object>, List<Node>> kinds = new LinkedHashMap<>();
        for (Node node : able) {
            kinds.computeIfAbsent(PairRules.key(node.facts()), key -> new ArrayList<>()).add(node);
        }
        List<List<Node>> classes = new ArrayList<>();
        for (List<Node> kind : kinds.values()) {
            classes.stream()
                    .filter(other -> eachOther(kind.get(0), other.get(0)))
                    .findFirst()
                    .ifPresentOrElse(other -> other.addAll(kind), () -> classes.add(kind));
        }
        classes.sort((left, right) -> Integer.compare(right.size(), left.size()));
        return new HostClasses(classes.stream().map(List::copyOf).toList());
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
