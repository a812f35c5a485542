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
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.clonehadoop.simulator.engine.Draws;
import org.clonehadoop.simulator.engine.Timeline;
import org.clonehadoop.simulator.platform.SimHost;
import org.clonehadoop.simulator.yarn.Application.Request;
import org.clonehadoop.simulator.yarn.Application.Waiting;

/**
 * A ResourceManager and its nodes, as AppMasters see them: what is asked for is sent with the
 * AppMaster's next heartbeat, granted with a node's, and heard of with the AppMaster's again. Among
 * applications by {@link Sharing}, within one by priority; on a host that is asked for if one has
 * room, else anywhere.
 */
public final class Containers {
    /** Of nodes: {@code yarn.resourcemanager.nodemanagers.heartbeat-interval-ms}. */
    public static final long NODE_HEARTBEAT_MILLIS = 1000;

    /** Of the AppMaster: {@code yarn.app.mapreduce.am.scheduler.heartbeat.interval-ms}. */
    public static final long HEARTBEAT_MILLIS = 1000;

    /**
     * AppMasters get no more than this share of all, or they would wait for each other for ever:
     * the fair scheduler's {@code maxAMShare}.
     */
    private static final double MOST_FOR_APP_MASTERS = 0.5;

    private final Timeline timeline;
    private final List<SimHost> hosts;
    private final int perHost;
    private final long heartbeatMillis;
    private final FreeRoom free;
    private final TreeSet<Application> waiting;
    private final Set<Application> withAppMaster = new HashSet<>();
    private int applications;
    private int held;

    /**
     * @param draws in which order hosts stand
     * @param perHost how many fit on each
     * @param heartbeatMillis of nodes
     */
    public Containers(
            Timeline timeline,
            Draws draws,
            List<SimHost> hosts,
            int perHost,
            long heartbeatMillis,
            Sharing sharing) {
        this.timeline = timeline;
        this.hosts = hosts;
        this.perHost = perHost;
        this.heartbeatMillis = heartbeatMillis;
        waiting = new TreeSet<>(sharing.order());
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

    /**
     * One more.
     *
     * @param draws its luck
     */
    public Application application(Draws draws) {
        return new Application(this, draws, applications++);
    }

    public void lose(SimHost host) {
        free.lose(host);
    }

    // --- for applications ---

    void later(long millis, Runnable action) {
        timeline.after(millis, action);
    }

    List<SimHost> room() {
        return free.hosts();
    }

    int notHeldByOthers(Application one) {
        return inAll() - (held - one.held());
    }

    private int inAll() {
        return perHost * free.alive();
    }

    /** Its place among those that wait may be another afterwards. */
    void change(Application one, Runnable change) {
        waiting.remove(one);
        change.run();
        if (one.waits()) {
            waiting.add(one);
        }
    }

    void take(Application one, SimHost host) {
        free.change(host, -1);
        one.hold(1);
        held++;
    }

    void giveBack(Application one, SimHost host) {
        later(
                heartbeatMillis / 2,
                () -> {
                    free.change(host, 1);
                    release(one);
                    serve();
                });
    }

    private void release(Application one) {
        one.hold(-1);
        held--;
        if (one.held() == 0) {
            withAppMaster.remove(one);
        }
    }

    void serve() {
        for (Optional<Application> next = next(); next.isPresent(); next = next()) {
            Waiting first = next.get().first();
            Optional<SimHost> host = roomFor(next.get(), first.request());
            if (host.isEmpty()) {
                return;
            }
            grant(next.get(), first, host.get());
        }
    }

    private Optional<Application> next() {
        boolean full = withAppMaster.size() + 1 > Math.max(1, MOST_FOR_APP_MASTERS * inAll());
        return waiting.stream().filter(one -> !(full && one.waitsForAppMaster())).findFirst();
    }

    private void grant(Application one, Waiting waiting, SimHost host) {
        Request request = waiting.request();
        if (one.waitsForAppMaster()) {
            withAppMaster.add(one);
        }
        one.remove(waiting);
        take(one, host);
        long until =
                one.draws().below(heartbeatMillis, request.name() + " on " + waiting.serial())
                        + one.draws().below(request.heartbeatMillis(), request.name() + " hears");
        later(until, () -> deliver(one, waiting, host));
    }

    /** As YARN: what is lost with its node before the AppMaster hears of it is asked for again. */
    private void deliver(Application one, Waiting granted, SimHost host) {
        if (free.isLost(host)) {
            release(one);
            one.add(granted);
            serve();
        } else {
            granted.request().granted().accept(host);
        }
    }

    private Optional<SimHost> roomFor(Application one, Request request) {
        return free.among(request.hosts())
                .or(
                        () ->
                                free.most(
                                        (int)
                                                one.draws()
                                                        .below(
                                                                hosts.size(),
                                                                request.name() + " goes to")));
    }
}
