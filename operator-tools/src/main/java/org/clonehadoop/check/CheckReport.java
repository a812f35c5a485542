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

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** What was found, as a table for people and as JSON for programs. Pure. */
final class CheckReport {
    private static final ObjectMapper JSON = new ObjectMapper();

    /**
     * @param from the number of a class, as {@code to}
     * @param reasons of any two nodes of them, each once
     */
    private record Pair(int from, int to, List<Finding> reasons) {}

    private final Map<Node, List<Finding>> findings = new LinkedHashMap<>();
    private final HostClasses classes;
    private final List<Pair> pairs = new ArrayList<>();
    private final List<Finding> network;

    /**
     * @param release that nodes should have
     * @param classes of these nodes
     * @param unreachable within the classes
     */
    CheckReport(
            List<Node> nodes,
            ReleaseJars release,
            HostClasses classes,
            List<Unreachable> unreachable) {
        this.classes = classes;
        network = Unreachable.findings(unreachable);
        for (Node node : nodes) {
            List<Finding> found = new ArrayList<>(NodeRules.of(node));
            found.addAll(release.others(node));
            findings.put(node, found);
        }
        List<List<Node>> kinds = classes.classes().stream().map(HostClasses::kinds).toList();
        for (int from = 0; from < kinds.size(); from++) {
            for (int to = 0; to < kinds.size(); to++) {
                if (from != to) {
                    pairs.add(new Pair(from, to, reasons(kinds.get(from), kinds.get(to))));
                }
            }
        }
    }

    private static List<Finding> reasons(List<Node> sources, List<Node> targets) {
        Set<Finding> reasons = new LinkedHashSet<>();
        for (Node source : sources) {
            for (Node target : targets) {
                reasons.addAll(PairRules.of(source.facts(), target.facts()));
            }
        }
        return List.copyOf(reasons);
    }

    /** Whether each node can clone to each. */
    boolean isGood() {
        return classes.classes().size() == 1
                && classes.classes().get(0).size() == findings.size()
                && network.isEmpty();
    }

    /**
     * @param all whether what is as it should be is told as well
     */
    String table(boolean all) {
        StringBuilder table = new StringBuilder();
        findings.forEach((node, found) -> table(node, found, all, table));
        table.append('\n');
        for (int number = 0; number < classes.classes().size(); number++) {
            List<Node> hosts = classes.classes().get(number);
            table.append(
                    "class %s, %d nodes that can clone to each other: %s%n"
                            .formatted(
                                    name(number),
                                    hosts.size(),
                                    String.join(" ", hosts.stream().map(Node::name).toList())));
        }
        for (Pair pair : pairs) {
            pair(pair, table);
        }
        network.forEach(finding -> line(finding, table));
        table.append(summary()).append('\n');
        return table.toString();
    }

    private static void table(Node node, List<Finding> found, boolean all, StringBuilder table) {
        long failed = found.stream().filter(Finding::fails).count();
        long warned = found.stream().filter(f -> f.status() == Finding.Status.WARN).count();
        table.append(
                "%-12s %s%n"
                        .formatted(
                                node.name(),
                                failed > 0
                                        ? failed + " failed"
                                        : warned > 0
                                                ? "can clone, " + warned + " warnings"
                                                : "can clone"));
        for (Finding finding : found) {
            if (all || finding.status() != Finding.Status.PASS) {
                line(finding, table);
            }
        }
    }

    private void pair(Pair pair, StringBuilder table) {
        if (pair.reasons.isEmpty()) {
            table.append("from %s to %s: yes%n".formatted(name(pair.from), name(pair.to)));
            return;
        }
        table.append("from %s to %s: no%n".formatted(name(pair.from), name(pair.to)));
        pair.reasons.forEach(reason -> line(reason, table));
    }

    private static void line(Finding finding, StringBuilder table) {
        table.append(
                "  %-5s %-16s %s%n".formatted(status(finding), finding.name(), finding.detail()));
        if (finding.fix() != null && finding.status() != Finding.Status.PASS) {
            table.append("  %-5s %-16s fix: %s%n".formatted("", "", finding.fix()));
        }
    }

    private String summary() {
        int able = classes.classes().stream().mapToInt(List::size).sum();
        return "%d of %d nodes can clone, in %d %s%s"
                .formatted(
                        able,
                        findings.size(),
                        classes.classes().size(),
                        classes.classes().size() == 1 ? "class" : "classes",
                        network.isEmpty() ? "" : ", but not all can connect to each other");
    }

    private static String name(int number) {
        return number < 26 ? String.valueOf((char) ('A' + number)) : "C" + number;
    }

    private static String status(Finding finding) {
        return finding.status().name().toLowerCase(Locale.ROOT);
    }

    ObjectNode json() {
        ObjectNode report = JSON.createObjectNode().put("able", isGood());
        ArrayNode nodes = report.putArray("nodes");
        findings.forEach(
                (node, found) -> {
                    ObjectNode object = nodes.addObject().put("host", node.name());
                    object.put("able", found.stream().noneMatch(Finding::fails));
                    for (int number = 0; number < classes.classes().size(); number++) {
                        if (classes.classes().get(number).contains(node)) {
                            object.put("class", name(number));
                        }
                    }
                    found.forEach(finding -> json(finding, object.withArray("findings")));
                    object.set("facts", JSON.valueToTree(node.facts()));
                });
        ArrayNode groups = report.putArray("classes");
        for (int number = 0; number < classes.classes().size(); number++) {
            ArrayNode hosts = groups.addObject().put("name", name(number)).putArray("hosts");
            classes.classes().get(number).forEach(node -> hosts.add(node.name()));
        }
        ArrayNode between = report.putArray("pairs");
        for (Pair pair : pairs) {
            ObjectNode object =
                    between.addObject()
                            .put("from", name(pair.from))
                            .put("to", name(pair.to))
                            .put("able", pair.reasons.isEmpty());
            pair.reasons.forEach(reason -> json(reason, object.withArray("reasons")));
        }
        ArrayNode unreachable = report.putArray("network");
        network.forEach(finding -> json(finding, unreachable));
        return report;
    }

    private static void json(Finding finding, ArrayNode list) {
        ObjectNode object =
                list.addObject()
                        .put("status", status(finding))
                        .put("name", finding.name())
                        .put("detail", finding.detail());
        if (finding.fix() != null) {
            object.put("fix", finding.fix());
        }
    }
}
