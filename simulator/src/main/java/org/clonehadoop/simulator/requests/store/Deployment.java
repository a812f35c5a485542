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
package org.clonehadoop.simulator.requests.store;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.clonehadoop.selection.fattree.FatTree;
import org.clonehadoop.selection.fattree.Tier;
import org.clonehadoop.selection.placement.Group;
import org.clonehadoop.selection.placement.Limits;
import org.clonehadoop.selection.placement.Problem;
import org.clonehadoop.simulator.requests.engine.Random;

/** Which host is what: one role each, drawn at random. */
final class Deployment {
    static final int SERVERS = 100;
    static final int SLOTS = 4;
    static final double SLOW_MILLIS = 4;
    private static final double SELECTION_SECONDS = 5e-6;

    /** E as a share of all requests. */
    private static final double EXTRA_HOPS = 0.1;

    final FatTree tree = new FatTree(16);
    final int[] clients;
    final int[] servers;
    final int proxy;

    /** Each client's traffic group: clients of one rack are one. */
    final int[] groups;

    private final List<Integer> racks = new ArrayList<>();
    private final StoreSpec spec;

    Deployment(StoreSpec spec) {
        this.spec = spec;
        int[] hosts = shuffled(tree.hosts(), new Random(spec.seed(), "hosts"));
        clients = Arrays.copyOf(hosts, spec.clients());
        servers = Arrays.copyOfRange(hosts, spec.clients(), spec.clients() + SERVERS);
        proxy = hosts[spec.clients() + SERVERS];
        groups = new int[clients.length];
        for (int client = 0; client < clients.length; client++) {
            int rack = tree.rack(clients[client]);
            if (!racks.contains(rack)) {
                racks.add(rack);
            }
            groups[client] = racks.indexOf(rack);
        }
    }

    private static int[] shuffled(int count, Random random) {
        int[] order = new int[count];
        for (int i = 0; i < count; i++) {
            int other = random.below(i + 1);
            order[i] = order[other];
            order[other] = i;
        }
        return order;
    }

    /** A, requests per second, at a utilisation. */
    static double rate(double utilisation) {
        return utilisation * SERVERS * SLOTS / (SLOW_MILLIS / 1e3);
    }

    int groupCount() {
        return racks.size();
    }

    /** In which tier a server's answer to a client turns around. */
    Tier tier(int client, int server) {
        return tree.between(tree.rack(clients[client]), tree.rack(servers[server]));
    }

    /**
     * What the controller plans with: traffic as it is to be if all servers are asked equally
     * often.
     */
    Problem problem(double rate) {
        double[][] traffic = new double[racks.size()][Tier.values().length];
        for (int client = 0; client < clients.length; client++) {
            for (int server = 0; server < servers.length; server++) {
                traffic[groups[client]][tier(client, server).ordinal()] +=
                        rate / clients.length / servers.length;
            }
        }
        List<Group> all = new ArrayList<>();
        for (int group = 0; group < racks.size(); group++) {
            all.add(group(group, traffic[group]));
        }
        return new Problem(
                tree,
                all,
                Limits.uniform(tree, spec.accelerator(), 1, SELECTION_SECONDS, EXTRA_HOPS * rate));
    }

    /**
     * @param traffic by tier, requests per second
     */
    Group group(int group, double[] traffic) {
        return new Group(
                "rack-" + racks.get(group), racks.get(group), traffic[0], traffic[1], traffic[2]);
    }
}
