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

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.clonehadoop.selection.fattree.FatTree;
import org.clonehadoop.selection.placement.Group;
import org.clonehadoop.selection.placement.Plan;
import org.clonehadoop.selection.placement.Problem;

/**
 * A plan as the rules of switches (NetRS, 4 and 5.2): which RSNode id the top-of-rack switches
 * write into requests of a group, and which id is whose.
 *
 * <pre>
 * { "topology": "fat-tree:16",
 *   "nodes":  [ { "switch": "core-0", "rid": 257, "requests_per_s": 49800, "limit": 50000 } ],
 *   "groups": [ { "group": "10.3.2.0/24", "tor": "tor-3-2", "switch": "core-0", "rid": 257 },
 *               { "group": "10.3.3.0/24", "tor": "tor-3-3", "rid": -1 } ] }
 * </pre>
 */
public final class Rules {
    /** The illegal RSNode id, which enables degraded replica selection. */
    static final int DEGRADED_ID = -1;

    private Rules() {}

    /** Ids are positive. */
    static int id(int node) {
        return node == Plan.DEGRADED ? DEGRADED_ID : node + 1;
    }

    /** For JSON. */
    public static Map<String, Object> of(Problem problem, Plan plan) {
        Map<String, Object> rules = new LinkedHashMap<>();
        rules.put("topology", topology(problem));
        rules.put("nodes", nodes(problem, plan));
        List<Object> groups = new ArrayList<>();
        for (int i = 0; i < plan.groups(); i++) {
            groups.add(group(problem, problem.groups().get(i), plan.node(i)));
        }
        rules.put("groups", groups);
        return rules;
    }

    private static List<Object> nodes(Problem problem, Plan plan) {
        List<Object> nodes = new ArrayList<>();
        for (int node : plan.nodes()) {
            Map<String, Object> one = new LinkedHashMap<>();
            one.put("switch", problem.tree().name(node));
            one.put("rid", id(node));
            one.put("requests_per_s", load(problem, plan, node));
            one.put("limit", problem.limits().load()[node]);
            nodes.add(one);
        }
        return nodes;
    }

    static double load(Problem problem, Plan plan, int node) {
        double load = 0;
        for (int i = 0; i < plan.groups(); i++) {
            if (plan.node(i) == node) {
                load += problem.groups().get(i).traffic();
            }
        }
        return load;
    }

    private static Map<String, Object> group(Problem problem, Group group, int node) {
        Map<String, Object> rule = new LinkedHashMap<>();
        rule.put("group", group.name());
        rule.put("tor", problem.tree().name(group.rack()));
        if (node != Plan.DEGRADED) {
            rule.put("switch", problem.tree().name(node));
        }
        rule.put("rid", id(node));
        return rule;
    }

    /**
     * The plan in a file of rules. Groups that it doesn't know are degraded, as are those that have
     * moved to where packets don't come by their switch (R_ij); those that aren't counted any more
     * are left out.
     *
     * @throws IOException in words for the user
     */
    public static Plan read(Problem problem, Path file) throws IOException {
        try {
            Map<String, Integer> nodes = new HashMap<>();
            JsonNode rules = Monitors.json(file);
            checkTopology(problem, rules);
            for (JsonNode rule : Monitors.array(rules, "groups")) {
                nodes.put(
                        Monitors.text(rule, "group"),
                        rule.has("switch")
                                ? problem.tree().named(Monitors.text(rule, "switch"))
                                : Plan.DEGRADED);
            }
            return new Plan(
                    problem.groups().stream()
                            .mapToInt(group -> node(problem, group, nodes.get(group.name())))
                            .toArray());
        } catch (IllegalArgumentException e) {
            throw new IOException(file + ": " + e.getMessage(), e);
        }
    }

    /** Names of switches are other ones' in another tree. */
    private static void checkTopology(Problem problem, JsonNode rules) {
        if (rules.has("topology")) {
            String topology = Monitors.text(rules, "topology");
            if (FatTree.parse(topology).ports() != problem.tree().ports()) {
                throw new IllegalArgumentException(
                        "its plan is for " + topology + ", not for " + topology(problem));
            }
        }
    }

    private static String topology(Problem problem) {
        return "fat-tree:" + problem.tree().ports();
    }

    private static int node(Problem problem, Group group, Integer planned) {
        return planned != null
                        && planned != Plan.DEGRADED
                        && problem.tree().onWay(group.rack(), planned)
                ? planned
                : Plan.DEGRADED;
    }
}
