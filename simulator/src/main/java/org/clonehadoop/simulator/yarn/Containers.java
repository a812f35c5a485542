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
package org.clonehadoop.simulator.yarn;

import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.clonehadoop.simulator.engine.Draws;
import org.clonehadoop.simulator.engine.Timeline;
import org.clonehadoop.simulator.platform.SimHost;

/**
 * A ResourceManager and its nodes, as an AppMaster sees them: what is asked for is sent with the
 * AppMaster's next heartbeat, granted with a node's, and heard of with the AppMaster's again. By
 * priority, on a host that is asked for if one has room, else anywhere.
 */
public final class Containers {
    private static final long NODE_HEARTBEAT_MILLIS = 1000;

    /** Of the AppMaster: {@code yarn.app.mapreduce.am.scheduler.heartbeat.interval-ms}. */
    public static final long HEARTBEAT_MILLIS = 1000;

    /**
     * @param name of which luck depends
     * @param priority a smaller one is served first
     * @param heartbeatMillis how often the AppMaster asks meanwhile
     */
    public record Request(
            String name,
            int priority,
            List<String> hosts,
            long heartbeatMillis,
            Consumer<SimHost> granted) {}

    private record Waiting(Request request, long serial) {}

    private final Timeline timeline;
    private final Draws draws;
    private final List<SimHost> hosts;
    private final FreeRoom free;
    private final Map<String, Waiting> byName = new HashMap<>();
    private final TreeSet<Waiting> waiting =
            new TreeSet<>(
                    Comparator.comparingInt((Waiting one) -> one.request().priority())
                            .thenComparingLong(Waiting::serial));
    private long serial;

    public Containers(Timeline timeline, Draws draws, List<SimHost> hosts, int perHost) {
        this.timeline = timeline;
        this.draws = draws;
        this.hosts = hosts;
        // In an order of luck, so that no host gains by what its neighbours lack.
        free =
                new FreeRoom(
                        hosts.stream()
                                .sorted(
                                        Comparator.comparingDouble(
                                                host -> draws.uniform(host.name() + " stands at")))
                                .toList(),
                        perHost);
    }

    /** Without being asked, as for the AppMaster itself. */
    public void take(SimHost host) {
        free.change(host, -1);
    }

    public void request(Request request) {
        timeline.after(
                draws.below(request.heartbeatMillis(), request.name() + " asks " + serial),
                () -> {
                    add(new Waiting(request, serial++));
                    serve();
                });
    }

    /**
     * It isn't wanted any more.
     *
     * @return whether it waited here
     */
    public boolean withdraw(String name) {
        return Optional.ofNullable(byName.remove(name)).map(waiting::remove).orElse(false);
    }

    private void add(Waiting one) {
        waiting.add(one);
        byName.put(one.request().name(), one);
    }

    /** Others may have it from the node's next heartbeat on. */
    public void giveBack(SimHost host) {
        timeline.after(
                NODE_HEARTBEAT_MILLIS / 2,
                () -> {
                    free.change(host, 1);
                    serve();
                });
    }

    public void lose(SimHost host) {
        free.lose(host);
    }

    /** Hosts that have room now; all that aren't lost if there is none. */
    public List<SimHost> room() {
        return free.hosts();
    }

    /** How many there are in all. */
    public int total(int perHost) {
        return perHost * free.alive();
    }

    private void serve() {
        while (!waiting.isEmpty()) {
            Waiting next = waiting.first();
            Request request = next.request();
            Optional<SimHost> host = roomFor(request);
            if (host.isEmpty()) {
                return;
            }
            withdraw(request.name());
            take(host.get());
            long until =
                    draws.below(NODE_HEARTBEAT_MILLIS, request.name() + " on " + next.serial())
                            + draws.below(request.heartbeatMillis(), request.name() + " hears");
            timeline.after(until, () -> deliver(next, host.get()));
        }
    }

    /** As YARN: what is lost with its node before the AppMaster hears of it is asked for again. */
    private void deliver(Waiting granted, SimHost host) {
        if (free.isLost(host)) {
            add(granted);
            serve();
        } else {
            granted.request().granted().accept(host);
        }
    }

    private Optional<SimHost> roomFor(Request request) {
        return free.among(request.hosts())
                .or(() -> free.most((int) draws.below(hosts.size(), request.name() + " goes to")));
    }
}
