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

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.util.Locale;
import java.util.Map;
import org.clonehadoop.selection.placement.Plan;
import org.clonehadoop.selection.placement.Problem;

/** A plan, for people or for switches. */
final class Report {
    private Report() {}

    /**
     * @param more to be said in JSON
     */
    static String json(Problem problem, Plan plan, Map<String, Object> more)
            throws JsonProcessingException {
        Map<String, Object> rules = Rules.of(problem, plan);
        rules.putAll(more);
        return new ObjectMapper()
                .enable(SerializationFeature.INDENT_OUTPUT)
                .writeValueAsString(rules);
    }

    static String table(Problem problem, Plan plan) {
        StringBuilder table = new StringBuilder();
        add(table, "%-20s %6s %8s %14s %14s", "switch", "rid", "groups", "requests/s", "limit");
        for (int node : plan.nodes()) {
            add(
                    table,
                    "%-20s %6d %8d %14.1f %14.1f",
                    problem.tree().name(node),
                    Rules.id(node),
                    groups(plan, node),
                    Rules.load(problem, plan, node),
                    problem.limits().load()[node]);
        }
        int degraded = groups(plan, Plan.DEGRADED);
        if (degraded > 0) {
            add(
                    table,
                    "%-20s %6d %8d %14.1f",
                    "(degraded)",
                    Rules.DEGRADED_ID,
                    degraded,
                    Rules.load(problem, plan, Plan.DEGRADED));
        }
        add(
                table,
                "%d groups at %d nodes; %.1f extra hops/s of %.1f",
                plan.groups() - degraded,
                plan.nodes().size(),
                problem.extraHops(plan),
                problem.limits().extraHops());
        return table.toString();
    }

    private static int groups(Plan plan, int node) {
        int groups = 0;
        for (int i = 0; i < plan.groups(); i++) {
            groups += plan.node(i) == node ? 1 : 0;
        }
        return groups;
    }

    private static void add(StringBuilder to, String line, Object... values) {
        to.append(String.format(Locale.ROOT, line, values)).append('\n');
    }
}
