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
package org.clonehadoop.simulator.requests.rpc;

import org.clonehadoop.selection.pair.Verdict;
import org.clonehadoop.simulator.requests.engine.Agenda;
import org.clonehadoop.simulator.requests.engine.Latencies;
import org.clonehadoop.simulator.requests.engine.Random;
import org.clonehadoop.simulator.requests.engine.Waiting;

/** One run. Not modelled: lost packets, links' bandwidth, and what a switch takes. */
public final class RpcSimulation {
    private static final int ARRIVAL = 0;
    private static final int AT_SERVER = 1;
    private static final int DONE = 2;
    private static final int ANSWER = 3;
    private static final int AT_CLIENT = 4;
    private static final int AT_COORDINATOR = 5;
    private static final int BACK_AT_COORDINATOR = 6;

    /** From a host to the switch, or back, in nanoseconds, where nothing else is said. */
    private static final long WIRE = 2_500;

    /** One in so many reads may probe a suspect. */
    private static final long PROBE = 100;

    private final RpcSpec spec;
    private final long wire;
    private final Agenda agenda = new Agenda();
    private final Flight flight = new Flight();
    private final int[] workers;
    private final int[] busy;
    private final Waiting[] waiting;
    private final Point[] points;
    private final Coordinator coordinator;
    private final long[] clients = new long[RpcSpec.CLIENTS];
    private final Random arrivals;
    private final Random service;
    private final Random choices;
    private final Latencies latencies = new Latencies();
    private final double rate;
    private long issued;
    private long inTime;
    private long clones;
    private long dropped;
    private long answers;
    private long emptyQueues;

    private RpcSimulation(RpcSpec spec, long wire) {
        this.spec = spec;
        this.wire = wire;
        workers = spec.workers().stream().mapToInt(Integer::intValue).toArray();
        busy = new int[workers.length];
        waiting = new Waiting[workers.length];
        for (int i = 0; i < waiting.length; i++) {
            waiting[i] = new Waiting();
        }
        points = new Point[spec.points()];
        for (int i = 0; i < points.length; i++) {
            points[i] = new Point(workers.length, spec.scheme().ours());
        }
        arrivals = new Random(spec.seed(), "arrivals");
        service = new Random(spec.seed(), "service");
        choices = new Random(spec.seed(), "choices");
        coordinator = new Coordinator(workers, choices);
        rate = spec.rate();
    }

    public static RpcResult run(RpcSpec spec) {
        return run(spec, WIRE);
    }

    /**
     * @param wire what a packet takes between a host and the switch, in nanoseconds
     */
    public static RpcResult run(RpcSpec spec, long wire) {
        return new RpcSimulation(spec, wire).run();
    }

    private RpcResult run() {
        agenda.after(0, ARRIVAL, 0);
        long lastSent = 0;
        while (agenda.next()) {
            int subject = agenda.subject();
            switch (agenda.kind()) {
                case ARRIVAL -> {
                    lastSent = agenda.now();
                    arrival();
                }
                case AT_SERVER -> atServer(subject);
                case DONE -> done(subject);
                case ANSWER -> answer(subject);
                case AT_CLIENT -> atClient(subject);
                case AT_COORDINATOR -> atCoordinator(subject);
                case BACK_AT_COORDINATOR -> backAtCoordinator(subject);
                default -> throw new IllegalStateException("event " + agenda.kind());
            }
        }
        return new RpcResult(
                spec,
                latencies.mean() / 1e3,
                latencies.percentile(50) / 1e3,
                latencies.percentile(99) / 1e3,
                latencies.percentile(99.9) / 1e3,
                inTime / (lastSent / 1e9),
                (double) clones / issued,
                clones == 0 ? 0 : (double) dropped / clones,
                (double) emptyQueues / answers,
                1 - (double) latencies.count() / issued,
                agenda.happened());
    }

    private void arrival() {
        if (issued == spec.requests()) {
            return;
        }
        issued++;
        int request = flight.take();
        flight.sent[request] = agenda.now();
        flight.isLong[request] = arrivals.chance(spec.service().longShare());
        flight.answered[request] = false;
        flight.filtered[request] = false;
        flight.point[request] = arrivals.below(points.length);
        if (spec.scheme() == RpcScheme.LAEDGE) {
            agenda.after(2 * wire, AT_COORDINATOR, request);
        } else {
            send(request);
        }
        agenda.after((long) arrivals.exponential(1e9 / rate), ARRIVAL, 0);
    }

    private void send(int request) {
        Point point = points[flight.point[request]];
        int first = pick(point, -1);
        int second = pick(point, first);
        boolean probe = issued % PROBE == 0;
        if (probe) {
            second = suspect(point, first, second);
        }
        long now = agenda.now();
        Verdict verdict =
                spec.scheme()
                        .rules()
                        .decide(
                                true,
                                probe,
                                true,
                                point.server(first, workers[first], now),
                                point.server(second, workers[second], now));
        flight.out[request] = verdict.cloned() ? 2 : 1;
        toServer(2 * request, verdict.swapped() ? second : first, 2 * wire);
        if (verdict.cloned()) {
            clones++;
            toServer(2 * request + 1, verdict.swapped() ? first : second, 2 * wire);
        }
    }

    /** A server at random that isn't suspect, if there is one. */
    private int pick(Point point, int but) {
        int server = other(choices.below(workers.length), but);
        for (int i = 1; i < workers.length && point.suspect(server, agenda.now()); i++) {
            server = other((server + 1) % workers.length, but);
        }
        return server;
    }

    private int other(int server, int but) {
        return server == but ? (server + 1) % workers.length : server;
    }

    private int suspect(Point point, int but, int otherwise) {
        for (int server = 0; server < workers.length; server++) {
            if (server != but && point.suspect(server, agenda.now())) {
                return server;
            }
        }
        return otherwise;
    }

    private void toServer(int copy, int server, long way) {
        flight.server[copy] = server;
        points[flight.point[copy / 2]].asked(server, agenda.now());
        agenda.after(way, AT_SERVER, copy);
    }

    private void atServer(int copy) {
        int server = flight.server[copy];
        if (server == spec.stopped()) {
            return;
        }
        if (busy[server] < workers[server]) {
            busy[server]++;
            serve(copy);
        } else if (copy % 2 == 1 && spec.scheme().dropsClones()) {
            dropped++;
            points[flight.point[copy / 2]].gone(server);
            over(copy / 2);
        } else {
            waiting[server].add(copy);
        }
    }

    private void serve(int copy) {
        agenda.after(
                spec.service().draw(flight.isLong[copy / 2], spec.jitter(), service), DONE, copy);
    }

    private void done(int copy) {
        int server = flight.server[copy];
        if (waiting[server].size() > 0) {
            serve(waiting[server].take());
        } else {
            busy[server]--;
        }
        answers++;
        emptyQueues += waiting[server].size() == 0 ? 1 : 0;
        boolean coordinated = spec.scheme() == RpcScheme.LAEDGE;
        agenda.after(
                coordinated ? 2 * wire : wire, coordinated ? BACK_AT_COORDINATOR : ANSWER, copy);
    }

    /**
     * An answer comes by the switch; its queue is as long as it is there now, a wire's time later
     * than told.
     */
    private void answer(int copy) {
        int request = copy / 2;
        int server = flight.server[copy];
        points[flight.point[request]].answered(
                server, agenda.now(), agenda.now() - flight.sent[request], waiting[server].size());
        if (flight.filtered[request] && spec.scheme().filters()) {
            over(request);
        } else {
            flight.filtered[request] = true;
            toClient(request, wire);
        }
    }

    /** Answers wait for their client's processor. */
    private void toClient(int request, long way) {
        int client = request % clients.length;
        long arrives = agenda.now() + way;
        clients[client] = Math.max(clients[client], arrives) + (long) (spec.clientMicros() * 1e3);
        agenda.after(clients[client] - agenda.now(), AT_CLIENT, request);
    }

    private void atClient(int request) {
        if (!flight.answered[request]) {
            flight.answered[request] = true;
            latencies.add(agenda.now() - flight.sent[request]);
            inTime += issued < spec.requests() ? 1 : 0;
        }
        over(request);
    }

    private void over(int request) {
        if (--flight.out[request] == 0) {
            flight.give(request);
        }
    }

    private void atCoordinator(int request) {
        int first = coordinator.claim(-1);
        if (first == -1) {
            coordinator.handle(1, agenda.now());
            coordinator.queue(request);
        } else {
            int second = coordinator.claim(first);
            dispatch(request, first, second, second == -1 ? 2 : 3);
        }
    }

    private void dispatch(int request, int first, int second, int packets) {
        long way = coordinator.handle(packets, agenda.now()) + 2 * wire;
        flight.out[request] = second == -1 ? 1 : 2;
        toServer(2 * request, first, way);
        if (second != -1) {
            clones++;
            toServer(2 * request + 1, second, way);
        }
    }

    private void backAtCoordinator(int copy) {
        int request = copy / 2;
        points[flight.point[request]].gone(flight.server[copy]);
        coordinator.release(flight.server[copy]);
        boolean faster = !flight.filtered[request];
        long through = coordinator.handle(faster ? 2 : 1, agenda.now());
        if (faster) {
            flight.filtered[request] = true;
            toClient(request, through + 2 * wire);
        } else {
            over(request);
        }
        int next = coordinator.next();
        if (next != -1) {
            dispatch(next, coordinator.claim(-1), -1, 1);
        }
    }
}
