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
package org.clonehadoop.simulator.mapreduce;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.clonehadoop.simulator.engine.Draws;

/** Which hosts a job's maps ask for. */
final class SplitHosts {
    /** {@code dfs.replication}. */
    private static final int REPLICAS = 3;

    /** So many splits a host is given at the most. */
    private static final int TERASORT_SLOTS = 4;

    private final List<List<String>> ofMaps;

    private SplitHosts(List<List<String>> ofMaps) {
        this.ofMaps = ofMaps;
    }

    /** All that have a replica of the split's block: as HDFS has them, no two on one host. */
    static SplitHosts withReplicas(int maps, List<String> hosts, Draws draws) {
        return new SplitHosts(
                IntStream.range(0, maps).mapToObj(map -> replicas(map, hosts, draws)).toList());
    }

    private static List<String> replicas(int map, List<String> hosts, Draws draws) {
        Set<String> replicas = new LinkedHashSet<>();
        for (int i = 0; replicas.size() < Math.min(REPLICAS, hosts.size()); i++) {
            String name = "replica " + i + " " + map;
            replicas.add(hosts.get((int) draws.below(hosts.size(), name)));
        }
        return List.copyOf(replicas);
    }

    /**
     * One of these each, as TeraSort's TeraScheduler has it: hosts take splits one after another,
     * those with fewest replicas first, each as many as were left for each of the hosts after it if
     * it took none. So few splits are all taken before the last host's turn.
     */
    SplitHosts oneEachAsTeraSort() {
        List<List<String>> left = new ArrayList<>(ofMaps);
        Map<String, Set<Integer>> splits = new LinkedHashMap<>();
        for (int map = 0; map < left.size(); map++) {
            for (String host : left.get(map)) {
                splits.computeIfAbsent(host, none -> new LinkedHashSet<>()).add(map);
            }
        }
        int unassigned = left.size();
        while (!splits.isEmpty()) {
            String host = fewest(splits);
            Set<Integer> its = splits.remove(host);
            double share = splits.isEmpty() ? unassigned : (double) unassigned / splits.size();
            List<Integer> best =
                    its.stream()
                            .sorted(Comparator.comparingInt(map -> left.get(map).size()))
                            .limit(Math.min(TERASORT_SLOTS, (int) Math.ceil(share)))
                            .toList();
            for (int map : its) {
                if (best.contains(map)) {
                    left.set(map, List.of(host));
                    splits.values().forEach(others -> others.remove(map));
                } else {
                    left.set(map, without(host, left.get(map)));
                }
            }
            unassigned -= best.size();
        }
        return new SplitHosts(
                IntStream.range(0, left.size())
                        .mapToObj(map -> left.get(map).isEmpty() ? ofMaps.get(map) : left.get(map))
                        .toList());
    }

    private static String fewest(Map<String, Set<Integer>> splits) {
        return splits.keySet().stream()
                .min(Comparator.comparingInt(host -> splits.get(host).size()))
                .orElseThrow();
    }

    private static List<String> without(String host, List<String> hosts) {
        return hosts.stream().filter(other -> !other.equals(host)).toList();
    }

    List<String> of(int map) {
        return ofMaps.get(map);
    }
}
