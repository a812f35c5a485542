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

import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import org.clonehadoop.simulator.engine.Draws;
import org.clonehadoop.simulator.engine.Timeline;
import org.clonehadoop.simulator.platform.SimHost;

/**
 * On which nodes how many containers are free, and which node reports next: each does so at its own
 * moment of each period. Of thousands none is looked at in vain.
 */
final class Nodes {
    /** A host, as the ResourceManager knows it. */
    static final class Node {
        final SimHost host;

        /** From the period's begin. */
        private final long beatMillis;

        private final int number;
        private int free;
        private boolean lost;

        private Node(SimHost host, long beatMillis, int number) {
            this.host = host;
            this.beatMillis = beatMillis;
            this.number = number;
        }

        boolean hasRoom() {
            return !lost && free > 0;
        }
    }

    private static final Comparator<Node> BY_BEAT =
            Comparator.<Node>comparingLong(node -> node.beatMillis)
                    .thenComparingInt(node -> node.number);

    private final Timeline timeline;
    private final long periodMillis;
    private final Map<String, Node> byName = new HashMap<>();
    private final TreeSet<Node> all = new TreeSet<>(BY_BEAT);
    private final TreeSet<Node> withRoom = new TreeSet<>(BY_BEAT);
    private int alive;
    private Node last;
    private long lastMillis;

    /**
     * @param draws when in a period each host reports
     */
    Nodes(Timeline timeline, Draws draws, List<SimHost> hosts, int perHost, long periodMillis) {
        this.timeline = timeline;
        this.periodMillis = periodMillis;
        for (SimHost host : hosts) {
            long beat = draws.below(periodMillis, host.name() + " beats at");
            Node node = new Node(host, beat, byName.size());
            byName.put(host.name(), node);
            all.add(node);
            change(node, perHost);
        }
        alive = hosts.size();
    }

    Node of(SimHost host) {
        return byName.get(host.name());
    }

    /** There is room for so many more, or less. */
    void change(Node node, int by) {
        node.free += by;
        sort(node);
    }

    void lose(Node node) {
        if (!node.lost) {
            node.lost = true;
            alive--;
            sort(node);
        }
    }

    private void sort(Node node) {
        if (node.hasRoom()) {
            withRoom.add(node);
        } else {
            withRoom.remove(node);
        }
    }

    boolean isLost(SimHost host) {
        return of(host).lost;
    }

    /** How many hosts aren't lost. */
    int alive() {
        return alive;
    }

    /** Hosts with room; all that aren't lost if there is none. */
    List<SimHost> hosts() {
        Collection<Node> those = withRoom.isEmpty() ? all : withRoom;
        return those.stream().filter(node -> !node.lost).map(node -> node.host).toList();
    }

    // --- heartbeats ---

    /** The next one with room that reports. */
    Optional<Node> next() {
        if (withRoom.isEmpty()) {
            return Optional.empty();
        }
        Node now =
                new Node(
                        null,
                        Math.floorMod(timeline.getTime(), periodMillis),
                        isLastNow() ? last.number + 1 : 0);
        Node next = withRoom.ceiling(now);
        return Optional.of(next == null ? withRoom.first() : next);
    }

    /** Until it reports; that may be now. */
    long millisUntil(Node node) {
        long millis = Math.floorMod(node.beatMillis - timeline.getTime(), periodMillis);
        boolean over = millis == 0 && isLastNow() && node.number <= last.number;
        return over ? periodMillis : millis;
    }

    /** It reports now. */
    void reports(Node node) {
        last = node;
        lastMillis = timeline.getTime();
    }

    private boolean isLastNow() {
        return last != null && lastMillis == timeline.getTime();
    }
}
