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
import org.clonehadoop.selection.fattree.Tier;

/** A plan in the making: with each switch's load, and extra hops, as groups are moved. */
final class Assignment {
    private final Problem problem;
    private final int[] nodes;
    private final double[] load;
    private final int[] groupsAt;
    private double hops;

    Assignment(Problem problem, Plan plan) {
        this.problem = problem;
        nodes = Plan.allDegraded(plan.groups()).toArray();
        load = new double[problem.tree().switches()];
        groupsAt = new int[load.length];
        for (int group = 0; group < nodes.length; group++) {
            move(group, plan.node(group));
        }
    }

    Plan plan() {
        return new Plan(nodes);
    }

    Group group(int group) {
        return problem.groups().get(group);
    }

    int node(int group) {
        return nodes[group];
    }

    double load(int node) {
        return load[node];
    }

    boolean used(int node) {
        return groupsAt[node] > 0;
    }

    Tier tier(int node) {
        return problem.tree().tier(node);
    }

    void move(int group, int node) {
        Group moved = group(group);
        int from = nodes[group];
        if (from != Plan.DEGRADED) {
            hops -= moved.extraHops(tier(from));
            groupsAt[from]--;
            load[from] = groupsAt[from] == 0 ? 0 : load[from] - moved.traffic();
        }
        if (node != Plan.DEGRADED) {
            hops += moved.extraHops(tier(node));
            groupsAt[node]++;
            load[node] += moved.traffic();
        }
        nodes[group] = node;
    }

    List<Integer> groupsAt(int node) {
        List<Integer> groups = new ArrayList<>();
        for (int group = 0; group < nodes.length; group++) {
            if (nodes[group] == node) {
                groups.add(group);
            }
        }
        return groups;
    }

    /** Whether a group that isn't there may move there with no constraint violated by that. */
    boolean fits(int group, int node) {
        Group moved = group(group);
        return problem.tree().onWay(moved.rack(), node)
                && roomFor(moved.traffic(), node)
                && allowsHops(moved.extraHops(tier(node)) - hopsOf(group));
    }

    boolean roomFor(double traffic, int node) {
        double limit = problem.limits().load()[node];
        return limit > 0 && !Problem.exceeds(load[node] + traffic, limit);
    }

    /** What room a switch has left, 0 or more. */
    double room(int node) {
        return Math.max(0, problem.limits().load()[node] - load[node]);
    }

    boolean overloaded(int node) {
        return Problem.exceeds(load[node], problem.limits().load()[node]);
    }

    boolean tooManyHops() {
        return Problem.exceeds(hops, problem.limits().extraHops());
    }

    /** Fewer hops are always welcome, even where there are too many still. */
    boolean allowsHops(double more) {
        return more <= 0 || !Problem.exceeds(hops + more, problem.limits().extraHops());
    }

    private double hopsOf(int group) {
        return nodes[group] == Plan.DEGRADED ? 0 : group(group).extraHops(tier(nodes[group]));
    }

    /** Switches of a tier that a rack's requests may be selected for at. */
    List<Integer> reachable(int rack, Tier tier) {
        return switch (tier) {
            case TOR -> List.of(rack);
            case AGGREGATION ->
                    range(
                            problem.tree().aggregation(problem.tree().podOfRack(rack), 0),
                            problem.tree().hostsPerRack());
            case CORE -> range(problem.tree().core(0), problem.tree().cores());
        };
    }

    private static List<Integer> range(int first, int count) {
        List<Integer> range = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            range.add(first + i);
        }
        return range;
    }

    Problem problem() {
        return problem;
    }
}
