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

import java.util.ArrayList;
import java.util.List;
import org.clonehadoop.selection.fattree.FatTree;

/**
 * NetRS' placement problem (3.2): each group's node on its ways, loads and extra hops within
 * limits, as few nodes as possible.
 *
 * @param groups named by their index
 */
public record Problem(FatTree tree, List<Group> groups, Limits limits) {
    /** Sums of doubles in another order differ by less than this share. */
    private static final double ROUNDING = 1e-9;

    public Problem {
        groups = List.copyOf(groups);
        for (Group group : groups) {
            if (group.rack() < 0 || group.rack() >= tree.racks()) {
                throw new IllegalArgumentException(
                        "group " + group.name() + ": there is no rack " + group.rack());
            }
        }
        if (limits.load().length != tree.switches()) {
            throw new IllegalArgumentException("limits are for another tree");
        }
    }

    public Problem with(Limits others) {
        return new Problem(tree, groups, others);
    }

    public Problem with(List<Group> others) {
        return new Problem(tree, others, limits);
    }

    /** All requests per second. */
    public double traffic() {
        return groups.stream().mapToDouble(Group::traffic).sum();
    }

    /** Each group at its own rack's switch, as NetRS-ToR, but where that may not carry it. */
    public Plan atTors() {
        Assignment assignment = new Assignment(this, Plan.allDegraded(groups.size()));
        for (int group = 0; group < groups.size(); group++) {
            int tor = groups.get(group).rack();
            if (assignment.fits(group, tor)) {
                assignment.move(group, tor);
            }
        }
        return assignment.plan();
    }

    /** Hops per second that a plan's requests take more than without selection. */
    public double extraHops(Plan plan) {
        double hops = 0;
        for (int i = 0; i < groups.size(); i++) {
            if (!plan.degraded(i)) {
                hops += groups.get(i).extraHops(tree.tier(plan.node(i)));
            }
        }
        return hops;
    }

    /** What of the problem's constraints a plan violates, in words; empty if nothing. */
    public List<String> violations(Plan plan) {
        List<String> violations = new ArrayList<>();
        double[] load = new double[tree.switches()];
        for (int i = 0; i < groups.size(); i++) {
            Group group = groups.get(i);
            if (!plan.degraded(i)) {
                int node = plan.node(i);
                load[node] += group.traffic();
                if (!tree.onWay(group.rack(), node)) {
                    violations.add(group.name() + " doesn't come by " + tree.name(node));
                }
            }
        }
        for (int node = 0; node < load.length; node++) {
            if (exceeds(load[node], limits.load()[node])) {
                violations.add(
                        tree.name(node)
                                + " has "
                                + load[node]
                                + " of "
                                + limits.load()[node]
                                + " requests/s");
            }
        }
        double hops = extraHops(plan);
        if (exceeds(hops, limits.extraHops())) {
            violations.add(hops + " extra hops/s of " + limits.extraHops());
        }
        return violations;
    }

    static boolean exceeds(double value, double limit) {
        return value > limit * (1 + ROUNDING) + ROUNDING;
    }
}
