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
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import org.clonehadoop.selection.fattree.FatTree;

/** Problems for tests. */
final class Racks {
    private Racks() {}

    /** NetRS' own set-up (6.1): 500 clients and 100 servers at random hosts, 90 000 requests/s. */
    static Problem paper(long seed) {
        FatTree tree = new FatTree(16);
        List<Integer> hosts = new ArrayList<>();
        for (int host = 0; host < tree.hosts(); host++) {
            hosts.add(host);
        }
        Collections.shuffle(hosts, new Random(seed));
        double[][] byRack = new double[tree.racks()][3];
        for (int client : hosts.subList(0, 500)) {
            for (int server : hosts.subList(500, 600)) {
                byRack[tree.rack(client)][
                                tree.between(tree.rack(client), tree.rack(server)).ordinal()] +=
                        90000.0 / 500 / 100;
            }
        }
        List<Group> groups = new ArrayList<>();
        for (int rack = 0; rack < byRack.length; rack++) {
            double[] traffic = byRack[rack];
            if (traffic[0] + traffic[1] + traffic[2] > 0) {
                groups.add(new Group("rack-" + rack, rack, traffic[0], traffic[1], traffic[2]));
            }
        }
        return new Problem(tree, groups, Limits.uniform(tree, 0.25, 1, 5e-6, 9000));
    }

    /**
     * @param load T^max of each switch, differing a little from tier to tier
     * @param hops E as a share of all traffic
     */
    static Problem random(int ports, int count, double load, double hops, long seed) {
        FatTree tree = new FatTree(ports);
        SplittableRandom random = new SplittableRandom(seed);
        List<Group> groups = new ArrayList<>();
        double sum = 0;
        for (int i = 0; i < count; i++) {
            Group group =
                    new Group(
                            "g" + i,
                            random.nextInt(tree.racks()),
                            random.nextInt(20, 100),
                            random.nextInt(30),
                            random.nextInt(10));
            groups.add(group);
            sum += group.traffic();
        }
        double[] limits = new double[tree.switches()];
        Arrays.setAll(limits, node -> load * (1 + tree.tier(node).ordinal() / 4.0));
        return new Problem(tree, groups, new Limits(limits, hops * sum));
    }
}
