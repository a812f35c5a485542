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

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import org.clonehadoop.simulator.platform.SimHost;

/** On which hosts how many containers are free. Of thousands of hosts none is looked at in vain. */
final class FreeRoom {
    private final List<SimHost> hosts;
    private final Map<String, Integer> numbers = new HashMap<>();
    private final int[] free;
    private final boolean[] lost;
    private final TreeMap<Integer, TreeSet<Integer>> byRoom = new TreeMap<>();
    private int alive;

    FreeRoom(List<SimHost> hosts, int perHost) {
        this.hosts = hosts;
        free = new int[hosts.size()];
        lost = new boolean[hosts.size()];
        alive = hosts.size();
        for (int i = 0; i < hosts.size(); i++) {
            numbers.put(hosts.get(i).name(), i);
            change(hosts.get(i), perHost);
        }
    }

    /** There is room for so many more, or less. */
    void change(SimHost host, int by) {
        int number = number(host);
        if (!lost[number]) {
            leave(number);
            free[number] += by;
            enter(number);
        }
    }

    void lose(SimHost host) {
        int number = number(host);
        if (!lost[number]) {
            leave(number);
            lost[number] = true;
            alive--;
        }
    }

    boolean isLost(SimHost host) {
        return lost[number(host)];
    }

    /** How many hosts aren't lost. */
    int alive() {
        return alive;
    }

    private int number(SimHost host) {
        return numbers.get(host.name());
    }

    private void enter(int number) {
        if (free[number] > 0) {
            byRoom.computeIfAbsent(free[number], room -> new TreeSet<>()).add(number);
        }
    }

    private void leave(int number) {
        TreeSet<Integer> those = byRoom.get(free[number]);
        if (those != null && those.remove(number) && those.isEmpty()) {
            byRoom.remove(free[number]);
        }
    }

    /** The first of these that has room; empty if none has. */
    Optional<SimHost> among(List<String> names) {
        return names.stream()
                .map(numbers::get)
                .filter(Objects::nonNull)
                .filter(number -> !lost[number] && free[number] > 0)
                .min(Integer::compare)
                .map(hosts::get);
    }

    /**
     * One of those with most room.
     *
     * @param from the first of them from this number on, or else the first of all
     * @return empty if there is no room at all
     */
    Optional<SimHost> most(int from) {
        if (byRoom.isEmpty()) {
            return Optional.empty();
        }
        TreeSet<Integer> those = byRoom.lastEntry().getValue();
        Integer next = those.ceiling(from);
        return Optional.of(hosts.get(next == null ? those.first() : next));
    }

    /** Hosts with room, in their order; all that aren't lost if there is none. */
    List<SimHost> hosts() {
        return hosts.stream()
                .filter(host -> !isLost(host))
                .filter(host -> byRoom.isEmpty() || free[number(host)] > 0)
                .toList();
    }
}
