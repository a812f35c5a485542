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

import java.util.Arrays;
import org.clonehadoop.selection.c3.Ewma;
import org.clonehadoop.selection.c3.Replicas;
import org.clonehadoop.selection.fattree.Tier;
import org.clonehadoop.selection.placement.Counted;
import org.clonehadoop.selection.placement.Placement;
import org.clonehadoop.simulator.requests.engine.Agenda;
import org.clonehadoop.simulator.requests.engine.Latencies;
import org.clonehadoop.simulator.requests.engine.Random;

/** One run of the store. Not modelled: losses, links' bandwidth, and what rules take to change. */
public final class StoreSimulation {
    private static final int ARRIVAL = 0;
    private static final int AT_NODE = 1;
    private static final int AT_SERVER = 2;
    private static final int DONE = 3;
    private static final int BACK_AT_NODE = 4;
    private static final int AT_CLIENT = 5;
    private static final int FLUCTUATION = 6;
    private static final int OVERDUE = 7;
    private static final int REPORT = 8;

    /** A switch and its accelerator, there and back (the paper's, of IncBricks). */
    private static final long ACCELERATOR_TRIP = 2_500;

    private static final long SELECTION = 5_000;

    /**
     * How often a monitor reports each group, and the weight of a report in what the controller
     * takes for its traffic.
     */
    private static final long REPORTS = 100_000_000;

    private static final double REPORT_WEIGHT = 0.2;
    private static final int CLOSED_LOOP_START = 1_000_000;

    private final StoreSpec spec;
    private final Deployment deployment;
    private final Agenda agenda = new Agenda();
    private final Requests requests = new Requests();
    private final Servers servers;
    private final Keys keys;
    private final Ways ways;
    private final Selection selection;
    private final Random arrivals;
    private final Random choices;
    private final Latencies latencies = new Latencies();
    private final Expected expected = new Expected();
    private final long[][] counted;
    private final double[][] reported;
    private double rate;
    private long issued;
    private long answered;
    private long incidentAt = -1;

    private StoreSimulation(StoreSpec spec) {
        this.spec = spec;
        deployment = new Deployment(spec);
        rate = Deployment.rate(spec.incident().surge() ? StoreSpec.BEFORE : spec.utilisation());
        servers = new Servers(Deployment.SERVERS, spec.seed());
        keys = new Keys(Deployment.SERVERS, spec.seed(), new Random(spec.seed(), "keys"));
        ways = new Ways(deployment.tree, spec.congestion(), spec.seed());
        selection = new Selection(spec, deployment, rate);
        arrivals = new Random(spec.seed(), "arrivals");
        choices = new Random(spec.seed(), "choices");
        counted = new long[deployment.groupCount()][Tier.values().length];
        reported = new double[counted.length][Tier.values().length];
        for (double[] group : reported) {
            Arrays.fill(group, Double.NaN);
        }
    }

    public static StoreResult run(StoreSpec spec) {
        return new StoreSimulation(spec).run();
    }

    /** NetRS-ILP's plan for a run, without the run. */
    public static Placement place(StoreSpec spec) {
        return Counted.solve(new Deployment(spec).problem(Deployment.rate(spec.utilisation())));
    }

    private StoreResult run() {
        start();
        while (answered < spec.requests() && agenda.next()) {
            int subject = agenda.subject();
            switch (agenda.kind()) {
                case ARRIVAL -> arrival();
                case AT_NODE -> atNode(subject);
                case AT_SERVER -> atServer(subject);
                case DONE -> done(subject);
                case BACK_AT_NODE -> backAtNode(subject);
                case AT_CLIENT -> atClient(subject);
                case FLUCTUATION -> fluctuation();
                case OVERDUE -> overdue(subject);
                case REPORT -> report(subject);
                default -> throw new IllegalStateException("event " + agenda.kind());
            }
        }
        return new StoreResult(
                spec,
                latencies.mean() / 1e6,
                latencies.percentile(95) / 1e6,
                latencies.percentile(99) / 1e6,
                latencies.percentile(99.9) / 1e6,
                answered / (agenda.now() / 1e9),
                selection.nodes(),
                selection.degradedShare(),
                agenda.happened());
    }

    private void start() {
        agenda.after(Servers.FLUCTUATION, FLUCTUATION, 0);
        if (spec.concurrency() == 0) {
            agenda.after(0, ARRIVAL, 0);
        }
        for (int i = 0; i < spec.concurrency(); i++) {
            agenda.after(choices.below(CLOSED_LOOP_START), ARRIVAL, 0);
        }
        for (int group = 0; selection.adapts() && group < counted.length; group++) {
            agenda.after(REPORTS + REPORTS * group / counted.length, REPORT, group);
        }
    }

    /** All generators together are one Poisson process; each client is as likely as any. */
    private void arrival() {
        if (issued < spec.requests()) {
            issue();
            if (spec.concurrency() == 0) {
                agenda.after((long) arrivals.exponential(1e9 / rate), ARRIVAL, 0);
            }
        }
    }

    private void issue() {
        if (++issued == spec.requests() / 5 && spec.incident() != Incident.NONE) {
            incident();
        }
        int request = requests.take();
        requests.client[request] = arrivals.below(deployment.clients.length);
        requests.replicas[request] = keys.next();
        requests.begun[request] = agenda.now();
        requests.first[request] = request;
        requests.out[request] = 1;
        requests.answered[request] = false;
        int node = selection.node(requests.client[request]);
        requests.node[request] = node;
        int client = host(request);
        if (selection.isSwitch(node)) {
            agenda.after(ways.toSwitch(client, node, agenda.now(), request), AT_NODE, request);
        } else if (node == selection.proxy()) {
            agenda.after(
                    ways.hosts(client, deployment.proxy, agenda.now(), request), AT_NODE, request);
        } else {
            select(request);
            agenda.after(toServer(request), AT_SERVER, request);
            if (spec.scheme() == Scheme.CLIENTS_R95 && expected.known()) {
                requests.out[request]++;
                agenda.after(expected.nanos(), OVERDUE, request);
            }
        }
    }

    private void incident() {
        incidentAt = agenda.now();
        if (spec.incident().surge()) {
            rate = Deployment.rate(spec.utilisation());
            selection.surge(rate);
        } else {
            selection.fail();
        }
    }

    private int host(int request) {
        return deployment.clients[requests.client[request]];
    }

    private long toServer(int request) {
        return ways.hosts(
                host(request), deployment.servers[requests.server[request]], agenda.now(), request);
    }

    private void select(int request) {
        Replicas known = selection.knows(requests.node[request]);
        int[] replicas = requests.replicas[request];
        requests.server[request] =
                spec.scheme() == Scheme.ORACLE
                        ? leastWork(replicas)
                        : known.best(replicas, selection.nodes());
        sent(known, request);
    }

    private void sent(Replicas known, int request) {
        known.sent(requests.server[request]);
        requests.selected[request] = agenda.now();
    }

    private int leastWork(int[] replicas) {
        int best = replicas[0];
        for (int replica : replicas) {
            best = servers.work(replica) < servers.work(best) ? replica : best;
        }
        return best;
    }

    private void atNode(int request) {
        int node = requests.node[request];
        select(request);
        int server = deployment.servers[requests.server[request]];
        long way;
        if (selection.isSwitch(node)) {
            long selecting = selection.accelerate(node, agenda.now(), SELECTION) + ACCELERATOR_TRIP;
            way = selecting + ways.toSwitch(server, node, agenda.now(), request);
        } else {
            way = SELECTION + ways.hosts(deployment.proxy, server, agenda.now(), request);
        }
        agenda.after(way, AT_SERVER, request);
    }

    private void atServer(int request) {
        if (servers.begin(requests.server[request], request)) {
            serve(request);
        }
    }

    private void serve(int request) {
        requests.service[request] = servers.serviceTime(requests.server[request]);
        agenda.after(requests.service[request], DONE, request);
    }

    private void done(int request) {
        int server = requests.server[request];
        int next = servers.next(server);
        if (next >= 0) {
            serve(next);
        }
        requests.queue[request] = servers.queue(server);
        int host = deployment.servers[server];
        int node = requests.node[request];
        if (selection.isSwitch(node)) {
            agenda.after(ways.toSwitch(host, node, agenda.now(), request), BACK_AT_NODE, request);
        } else if (node == selection.proxy()) {
            agenda.after(
                    ways.hosts(host, deployment.proxy, agenda.now(), request),
                    BACK_AT_NODE,
                    request);
        } else {
            agenda.after(toServer(request), AT_CLIENT, request);
        }
    }

    /** The answer goes on at once; a copy of it takes the accelerator's time. */
    private void backAtNode(int request) {
        int node = requests.node[request];
        learn(request);
        if (selection.isSwitch(node)) {
            selection.accelerate(node, agenda.now(), SELECTION);
            agenda.after(
                    ways.toSwitch(host(request), node, agenda.now(), request), AT_CLIENT, request);
        } else {
            agenda.after(
                    ways.hosts(deployment.proxy, host(request), agenda.now(), request),
                    AT_CLIENT,
                    request);
        }
    }

    private void learn(int request) {
        selection
                .knows(requests.node[request])
                .answered(
                        requests.server[request],
                        agenda.now() - requests.selected[request],
                        requests.service[request],
                        requests.queue[request]);
    }

    private void atClient(int request) {
        int client = requests.client[request];
        if (requests.node[request] == deployment.tree.switches() + client) {
            learn(request);
        }
        int first = requests.first[request];
        if (!requests.answered[first]) {
            requests.answered[first] = true;
            answered++;
            answer(first);
            Tier tier = deployment.tier(client, requests.server[request]);
            counted[deployment.groups[client]][tier.ordinal()]++;
        }
        over(request, first);
    }

    private void answer(int first) {
        long latency = agenda.now() - requests.begun[first];
        if (spec.incident() == Incident.NONE
                || incidentAt >= 0 && requests.begun[first] >= incidentAt) {
            latencies.add(latency);
        }
        if (spec.scheme() == Scheme.CLIENTS_R95) {
            expected.add(latency);
        }
        if (spec.concurrency() > 0) {
            agenda.after(0, ARRIVAL, 0);
        }
    }

    private void over(int request, int first) {
        if (request != first) {
            requests.give(request);
        }
        if (--requests.out[first] == 0) {
            requests.give(first);
        }
    }

    /** The client asks another replica, if no answer came. */
    private void overdue(int first) {
        if (requests.answered[first]) {
            over(first, first);
            return;
        }
        int request = requests.take();
        requests.client[request] = requests.client[first];
        requests.node[request] = requests.node[first];
        requests.replicas[request] = requests.replicas[first];
        requests.first[request] = first;
        Replicas known = selection.knows(requests.node[request]);
        requests.server[request] =
                known.bestBut(
                        requests.server[first], requests.replicas[request], selection.nodes());
        sent(known, request);
        agenda.after(toServer(request), AT_SERVER, request);
    }

    private void fluctuation() {
        servers.fluctuate();
        agenda.after(Servers.FLUCTUATION, FLUCTUATION, 0);
    }

    private void report(int group) {
        double[] traffic = reported[group];
        for (int tier = 0; tier < traffic.length; tier++) {
            traffic[tier] =
                    Ewma.next(traffic[tier], counted[group][tier] / (REPORTS / 1e9), REPORT_WEIGHT);
            counted[group][tier] = 0;
        }
        selection.report(group, traffic);
        agenda.after(REPORTS, REPORT, group);
    }
}
