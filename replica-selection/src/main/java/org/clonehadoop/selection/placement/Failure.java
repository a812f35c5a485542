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
package org.clonehadoop.selection.placement;

import java.util.Collection;
import org.clonehadoop.selection.fattree.Tier;

/** NetRS' Algorithm 2: another plan at once, when switches' accelerators fail. */
public final class Failure {
    private Failure() {}

    /** What to do while the other plan is made: those groups choose for themselves (lines 2, 3). */
    public static Plan degrade(Plan plan, Collection<Integer> failed) {
        int[] nodes = plan.toArray();
        for (int group = 0; group < nodes.length; group++) {
            if (failed.contains(nodes[group])) {
                nodes[group] = Plan.DEGRADED;
            }
        }
        return new Plan(nodes);
    }

    /**
     * Each group that was selected for at one of the failed goes sideways, else down, never up; and
     * stays degraded if nothing may carry it (lines 4 to 10).
     */
    public static Plan replan(Problem problem, Plan plan, Collection<Integer> failed) {
        Assignment assignment =
                new Assignment(
                        problem.with(problem.limits().without(failed)), degrade(plan, failed));
        for (int group = 0; group < plan.groups(); group++) {
            if (failed.contains(plan.node(group))) {
                assignment.move(
                        group, instead(assignment, group, problem.tree().tier(plan.node(group))));
            }
        }
        return assignment.plan();
    }

    private static int instead(Assignment assignment, int group, Tier from) {
        for (int tier = from.ordinal(); tier <= Tier.TOR.ordinal(); tier++) {
            int node = Adaptive.anywhere(assignment, group, Tier.values()[tier], Plan.DEGRADED);
            if (node != Plan.DEGRADED) {
                return node;
            }
        }
        return Plan.DEGRADED;
    }
}
