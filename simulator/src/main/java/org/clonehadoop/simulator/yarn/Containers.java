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

import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.clonehadoop.simulator.engine.Draws;
import org.clonehadoop.simulator.engine.Timeline;
import org.clonehadoop.simulator.platform.SimHost;
import org.clonehadoop.simulator.yarn.Application.Request;
import org.clonehadoop.simulator.yarn.Nodes.Node;

/**
 * A ResourceManager and its nodes, as AppMasters see them: what is asked for is sent with the
 * AppMaster's next heartbeat, granted by the scheduler's next rounds, and heard of with the
 * AppMaster's again; what has ended is free with its node's heartbeat. As YARN's CapacityScheduler
 * does since Hadoop 3.5, a thread of its own goes round all nodes with room and gives away one
 * container at each turn: among applications by {@link Sharing}, within one by priority, and there
 * by {@linkplain Asks locality}.
 */
public final class Containers {
    /** Of the AppMaster: {@code yarn.app.mapreduce.am.scheduler.heartbeat.interval-ms}. */
    public static final long HEARTBEAT_MILLIS = 1000;

    /** Of nodes: {@code yarn.resourcemanager.nodemanagers.heartbeat-interval-ms}. */
    public static final long NODE_HEARTBEAT_MILLIS = 1000;

    /** {@code yarn.scheduler.capacity.schedule-asynchronously.scheduling-interval-ms}. */
    private static final long ROUND_MILLIS = 5;

    /**
     * AppMasters get no more than this share of all, or they would wait for each other for ever:
     * the fair scheduler's {@code maxAMShare}.
     */
    private static final double MOST_FOR_APP_MASTERS = 0.5;

    private final Timeline timeline;
    private final Draws draws;
    private final int perHost;
    private final Nodes nodes;
    private final TreeSet<Application> waiting;
    private final Set<Application> withAppMaster = new HashSet<>();
    private int applications;
    private int held;
    private boolean planned;

    /**
     * @param draws when nodes report, and which of them rounds begin with
     * @param perHost how many fit on each
     * @param heartbeatMillis from a node's report to its next
     */
    public Containers(
            Timeline timeline,
            Draws draws,
            List<SimHost> hosts,
            int perHost,
            long heartbeatMillis,
            Sharing sharing) {
        this.timeline = timeline;
        this.draws = draws;
        this.perHost = perHost;
        waiting = new TreeSet<>(sharing.order());
        nodes = new Nodes(timeline, draws, hosts, perHost, heartbeatMillis);
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
        nodes.lose(nodes.of(host));
        plan();
    }

    // --- for applications ---

    long now() {
        return timeline.getTime();
    }

    void later(long millis, Runnable action) {
        timeline.after(millis, action);
    }

    void withHeartbeat(SimHost host, Runnable action) {
        later(nodes.millisUntil(nodes.of(host)), action);
    }

    List<SimHost> room() {
        return nodes.hosts();
    }

    int notHeldByOthers(Application one) {
        return inAll() - (held - one.held());
    }

    private int inAll() {
        return perHost * nodes.alive();
    }

    /** Its place among those that wait may be another afterwards. */
    void change(Application one, Runnable change) {
        waiting.remove(one);
        change.run();
        if (one.waits()) {
            waiting.add(one);
        }
        plan();
    }

    void take(Application one, SimHost host) {
        nodes.change(nodes.of(host), -1);
        held++;
        one.hold(1);
    }

    void giveBack(Application one, SimHost host) {
        withHeartbeat(
                host,
                () -> {
                    nodes.change(nodes.of(host), 1);
                    release(one);
                });
    }

    private void release(Application one) {
        held--;
        one.hold(-1);
        if (one.held() == 0) {
            withAppMaster.remove(one);
        }
    }

    // --- rounds ---

    /**
     * There are rounds all the time, but where nobody waits or there is no room nothing follows.
     */
    private void plan() {
        if (!planned && isNeeded()) {
            planned = true;
            later(ROUND_MILLIS - now() % ROUND_MILLIS, this::round);
        }
    }

    private boolean isNeeded() {
        return !waiting.isEmpty() && nodes.haveRoom();
    }

    private void round() {
        planned = false;
        if (nodes.round(draws, this::offer)) {
            plan();
        }
    }

    /** Whether there is anybody to be offered it; if not, neither are other nodes. */
    private boolean offer(Node node) {
        boolean full = withAppMaster.size() + 1 > Math.max(1, MOST_FOR_APP_MASTERS * inAll());
        boolean any = false;
        for (Application one : waiting) {
            if (full && one.waitsForAppMaster()) {
                continue;
            }
            any = true;
            Optional<Request> taken = one.offer(node.host, nodes.alive());
            if (taken.isPresent()) {
                grant(one, taken.get(), node.host);
                break;
            }
        }
        return any;
    }

    private void grant(Application one, Request request, SimHost host) {
        if (one.waitsForAppMaster()) {
            withAppMaster.add(one);
        }
        one.remove(request);
        take(one, host);
        later(one.millisUntilBeat(request), () -> deliver(one, request, host));
    }

    /** As YARN: what is lost with its node before the AppMaster hears of it is asked for again. */
    private void deliver(Application one, Request granted, SimHost host) {
        if (nodes.isLost(host)) {
            release(one);
            one.add(granted);
        } else {
            granted.granted().accept(host);
        }
    }
}
