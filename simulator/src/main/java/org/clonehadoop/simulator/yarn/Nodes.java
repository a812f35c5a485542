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
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.clonehadoop.simulator.engine.Draws;
import org.clonehadoop.simulator.engine.Timeline;
import org.clonehadoop.simulator.platform.SimHost;

/**
 * On which nodes how many containers are free, and when each of them reports what has ended there.
 * Of thousands none is looked at in vain.
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

    private final Timeline timeline;
    private final long periodMillis;
    private final Map<String, Node> byName = new HashMap<>();
    private final List<Node> all = new ArrayList<>();
    private final TreeSet<Node> withRoom =
            new TreeSet<>(Comparator.comparingInt((Node node) -> node.number));
    private int alive;

    /**
     * @param draws when in a period each host reports
     */
    Nodes(Timeline timeline, Draws draws, List<SimHost> hosts, int perHost, long periodMillis) {
        this.timeline = timeline;
        this.periodMillis = periodMillis;
        for (SimHost host : hosts) {
            long beat = draws.below(periodMillis, host.name() + " beats at");
            Node node = new Node(host, beat, all.size());
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

    boolean haveRoom() {
        return !withRoom.isEmpty();
    }

    /** Hosts with room; all that aren't lost if there is none. */
    List<SimHost> hosts() {
        Collection<Node> those = withRoom.isEmpty() ? all : withRoom;
        return those.stream().filter(node -> !node.lost).map(node -> node.host).toList();
    }

    /** Until it reports next; that may be now. */
    long millisUntil(Node node) {
        return Math.floorMod(node.beatMillis - timeline.getTime(), periodMillis);
    }

    /**
     * Offers each node that has room when its turn comes: one, those after it, and those before it.
     * As in CapacityScheduler's {@code schedule} the one that it begins with has another turn then.
     *
     * @param draws which one it begins with
     * @param offer whether to go on
     * @return whether it came to its end
     */
    boolean round(Draws draws, Predicate<Node> offer) {
        long begin = draws.below(all.size(), "round at " + timeline.getTime());
        Node first = all.get((int) begin);
        return goOn(withRoom.ceiling(first), all.size() - 1L, offer)
                && goOn(withRoom.isEmpty() ? null : withRoom.first(), begin, offer);
    }

    private boolean goOn(Node from, long last, Predicate<Node> offer) {
        for (Node node = from; node != null && node.number <= last; node = withRoom.higher(node)) {
            if (!offer.test(node)) {
                return false;
            }
        }
        return true;
    }
}
