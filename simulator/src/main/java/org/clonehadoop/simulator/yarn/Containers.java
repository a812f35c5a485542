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
 * AppMaster's next heartbeat, granted with a node's, and heard of with the AppMaster's again. As
 * YARN's CapacityScheduler does, each node that reports room is offered in turn: among applications
 * by {@link Sharing}, within one by priority, and there by {@linkplain Asks locality}.
 */
public final class Containers {
    /** Of the AppMaster: {@code yarn.app.mapreduce.am.scheduler.heartbeat.interval-ms}. */
    public static final long HEARTBEAT_MILLIS = 1000;

    /**
     * AppMasters get no more than this share of all, or they would wait for each other for ever:
     * the fair scheduler's {@code maxAMShare}.
     */
    private static final double MOST_FOR_APP_MASTERS = 0.5;

    private final Timeline timeline;
    private final int perHost;
    private final NodeHeartbeat heartbeat;
    private final Nodes nodes;
    private final TreeSet<Application> waiting;
    private final Set<Application> withAppMaster = new HashSet<>();
    private int applications;
    private int held;
    private Optional<Report> planned = Optional.empty();

    /** The next one of a node with room. */
    private record Report(Node node, long atMillis, Timeline.Alarm alarm) {
        boolean is(Node other, long millis) {
            return node == other && atMillis == millis;
        }
    }

    /**
     * @param draws when nodes report
     * @param perHost how many fit on each
     */
    public Containers(
            Timeline timeline,
            Draws draws,
            List<SimHost> hosts,
            int perHost,
            NodeHeartbeat heartbeat,
            Sharing sharing) {
        this.timeline = timeline;
        this.perHost = perHost;
        this.heartbeat = heartbeat;
        waiting = new TreeSet<>(sharing.order());
        nodes = new Nodes(timeline, draws, hosts, perHost, heartbeat.millis());
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

    // --- heartbeats ---

    /** Nodes report all the time, but where nobody waits or there is no room nothing follows. */
    private void plan() {
        Optional<Node> next = waiting.isEmpty() ? Optional.empty() : nodes.next();
        if (next.isEmpty()) {
            planned.ifPresent(report -> report.alarm().cancel());
            planned = Optional.empty();
            return;
        }
        Node node = next.get();
        long at = now() + nodes.millisUntil(node);
        if (planned.filter(report -> report.is(node, at)).isEmpty()) {
            planned.ifPresent(report -> report.alarm().cancel());
            planned =
                    Optional.of(
                            new Report(node, at, timeline.after(at - now(), () -> reports(node))));
        }
    }

    private void reports(Node node) {
        planned = Optional.empty();
        nodes.reports(node);
        boolean more = true;
        for (int i = 0; i < heartbeat.most() && node.hasRoom() && more; i++) {
            more = isGiven(node);
        }
        plan();
    }

    /** Whether a container of it is given away, and another may be with the same heartbeat. */
    private boolean isGiven(Node node) {
        boolean full = withAppMaster.size() + 1 > Math.max(1, MOST_FOR_APP_MASTERS * inAll());
        for (Application one : waiting) {
            Optional<Asks.Taken> taken =
                    full && one.waitsForAppMaster()
                            ? Optional.empty()
                            : one.offer(node.host, nodes.alive());
            if (taken.isPresent()) {
                grant(one, taken.get().request(), node.host);
                return !taken.get().offSwitch();
            }
        }
        return false;
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
