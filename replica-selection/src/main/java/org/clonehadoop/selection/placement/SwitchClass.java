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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.clonehadoop.selection.fattree.FatTree;
import org.clonehadoop.selection.fattree.Tier;

/**
 * Switches of which each could stand for any other: of one tier, one pod below the cores, one rack
 * below that, and with the same T^max.
 */
record SwitchClass(Tier tier, double limit, List<Integer> switches) {
    /** Switches that must not select at all are in none. */
    static List<SwitchClass> of(FatTree tree, Limits limits) {
        record Alike(Tier tier, int place, double limit) {}
        Map<Alike, List<Integer>> classes = new LinkedHashMap<>();
        for (int node = 0; node < tree.switches(); node++) {
            double limit = limits.load()[node];
            Tier tier = tree.tier(node);
            int place = tier == Tier.TOR ? node : tree.pod(node);
            if (limit > 0) {
                classes.computeIfAbsent(new Alike(tier, place, limit), key -> new ArrayList<>())
                        .add(node);
            }
        }
        return classes.entrySet().stream()
                .map(
                        entry ->
                                new SwitchClass(
                                        entry.getKey().tier(),
                                        entry.getKey().limit(),
                                        List.copyOf(entry.getValue())))
                .toList();
    }

    /** Whether one group may be selected for at one of these, as far as that is its own matter. */
    boolean takes(Problem problem, Group group) {
        return problem.tree().onWay(group.rack(), switches.get(0))
                && !Problem.exceeds(group.traffic(), limit)
                && !Problem.exceeds(group.extraHops(tier), problem.limits().extraHops());
    }
}
