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

import java.util.Set;
import org.clonehadoop.selection.c3.Replicas;
import org.clonehadoop.selection.placement.Adaptive;
import org.clonehadoop.selection.placement.Counted;
import org.clonehadoop.selection.placement.Degraded;
import org.clonehadoop.selection.placement.Failure;
import org.clonehadoop.selection.placement.Plan;
import org.clonehadoop.selection.placement.Problem;

/**
 * Who selects for whom, and what each selecting node knows. Nodes are numbered: switches as in the
 * tree, then clients, then the proxy.
 */
final class Selection {
    private final Deployment deployment;
    private final StoreSpec spec;
    private final Replicas[] knows;
    private final long[] busyUntil;
    private Problem problem;
    private Plan plan;
    private Adaptive adaptive;
    private int nodes;
    private int degraded;

    Selection(StoreSpec spec, Deployment deployment, double rate) {
        this.spec = spec;
        this.deployment = deployment;
        knows = new Replicas[proxy() + 1];
        busyUntil = new long[knows.length];
        problem = deployment.problem(rate);
        follow(first());
    }

    private Plan first() {
        return switch (spec.scheme()) {
            case TOR -> problem.atTors();
            case ILP -> Counted.solve(problem).plan();
            case ADAPTIVE -> {
                adaptive = new Adaptive(problem, problem.atTors(), Adaptive.Patience.DEFAULT);
                yield adaptive.plan();
            }
            default -> Plan.allDegraded(deployment.groupCount());
        };
    }

    private void follow(Plan next) {
        plan = next;
        degraded = 0;
        for (int group : deployment.groups) {
            degraded += plan.degraded(group) ? 1 : 0;
        }
        nodes = spec.scheme() == Scheme.PROXY ? 1 : plan.nodes().size() + degraded;
    }

    /** The node that selects for a client. */
    int node(int client) {
        if (spec.scheme() == Scheme.PROXY) {
            return proxy();
        }
        int node = plan.node(deployment.groups[client]);
        return node == Plan.DEGRADED ? deployment.tree.switches() + client : node;
    }

    boolean isSwitch(int node) {
        return node < deployment.tree.switches();
    }

    int proxy() {
        return deployment.tree.switches() + deployment.clients.length;
    }

    Replicas knows(int node) {
        if (knows[node] == null) {
            knows[node] = new Replicas(Deployment.SERVERS);
        }
        return knows[node];
    }

    /** C3's w. */
    int nodes() {
        return nodes;
    }

    double degradedShare() {
        return spec.scheme().inNetwork() ? (double) degraded / deployment.clients.length : 0;
    }

    /** How long a packet is at a switch's accelerator, which takes one at a time. */
    long accelerate(int node, long now, long each) {
        busyUntil[node] = Math.max(busyUntil[node], now) + each;
        return busyUntil[node] - now;
    }

    boolean adapts() {
        return adaptive != null;
    }

    /** A monitor's report of a group: requests per second, by tier. */
    void report(int group, double[] traffic) {
        adaptive.report(group, deployment.group(group, traffic));
        follow(adaptive.plan());
    }

    void surge(double rate) {
        problem = deployment.problem(rate);
        switch (spec.scheme()) {
            case TOR -> follow(problem.atTors());
            case ILP ->
                    follow(
                            spec.incident() == Incident.SURGE_SOLVED
                                    ? Counted.solve(problem).plan()
                                    : Degraded.untilWithin(problem, plan));
            case ADAPTIVE -> follow(first());
            default -> {}
        }
    }

    void fail() {
        if (spec.scheme().inNetwork()) {
            Set<Integer> failed = Set.of(busiest());
            follow(
                    spec.incident() == Incident.FAILURE_DEGRADED
                            ? Failure.degrade(plan, failed)
                            : Failure.replan(problem, plan, failed));
        }
    }

    private int busiest() {
        double[] load = new double[deployment.tree.switches()];
        int busiest = -1;
        for (int group = 0; group < plan.groups(); group++) {
            int node = plan.node(group);
            if (node != Plan.DEGRADED) {
                load[node] += problem.groups().get(group).traffic();
                busiest = busiest == -1 || load[node] > load[busiest] ? node : busiest;
            }
        }
        return busiest;
    }
}
