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

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
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
    private final Map<String, Integer> free = new HashMap<>();
    private final Set<SimHost> lost = new HashSet<>();
    private final TreeSet<Waiting> waiting =
            new TreeSet<>(
                    Comparator.comparingInt((Waiting one) -> one.request().priority())
                            .thenComparingLong(Waiting::serial));
    private long serial;

    public Containers(Timeline timeline, Draws draws, List<SimHost> hosts, int perHost) {
        this.timeline = timeline;
        this.draws = draws;
        this.hosts = hosts;
        hosts.forEach(host -> free.put(host.name(), perHost));
    }

    /** Without being asked, as for the AppMaster itself. */
    public void take(SimHost host) {
        free.merge(host.name(), -1, Integer::sum);
    }

    public void request(Request request) {
        timeline.after(
                draws.below(request.heartbeatMillis(), request.name() + " asks " + serial),
                () -> {
                    waiting.add(new Waiting(request, serial++));
                    serve();
                });
    }

    /** It isn't wanted any more. */
    public void withdraw(String name) {
        waiting.removeIf(one -> one.request().name().equals(name));
    }

    /** Others may have it from the node's next heartbeat on. */
    public void giveBack(SimHost host) {
        timeline.after(
                NODE_HEARTBEAT_MILLIS / 2,
                () -> {
                    free.merge(host.name(), 1, Integer::sum);
                    serve();
                });
    }

    public void lose(SimHost host) {
        lost.add(host);
    }

    /** How many there are in all. */
    public int total(int perHost) {
        return perHost * (hosts.size() - lost.size());
    }

    private void serve() {
        for (Waiting next : new ArrayList<>(waiting)) {
            Optional<SimHost> host = roomFor(next.request());
            if (host.isEmpty()) {
                return;
            }
            waiting.remove(next);
            take(host.get());
            Request request = next.request();
            long until =
                    draws.below(NODE_HEARTBEAT_MILLIS, request.name() + " on " + next.serial())
                            + draws.below(request.heartbeatMillis(), request.name() + " hears");
            timeline.after(until, () -> deliver(next, host.get()));
        }
    }

    /** As YARN: what is lost with its node before the AppMaster hears of it is asked for again. */
    private void deliver(Waiting granted, SimHost host) {
        if (lost.contains(host)) {
            waiting.add(granted);
            serve();
        } else {
            granted.request().granted().accept(host);
        }
    }

    private Optional<SimHost> roomFor(Request request) {
        List<SimHost> room =
                hosts.stream()
                        .filter(host -> !lost.contains(host) && free.get(host.name()) > 0)
                        .toList();
        return room.stream()
                .filter(host -> request.hosts().contains(host.name()))
                .findFirst()
                .or(
                        () ->
                                room.stream()
                                        .max(
                                                Comparator.comparingInt(
                                                                (SimHost host) ->
                                                                        free.get(host.name()))
                                                        .thenComparingDouble(
                                                                host ->
                                                                        draws.uniform(
                                                                                request.name()
                                                                                        + host
                                                                                                .name()))));
    }
}
