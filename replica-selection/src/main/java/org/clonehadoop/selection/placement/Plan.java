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
package org.clonehadoop.selection.placement;

import java.util.Arrays;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * NetRS' Replica Selection Plan: at which switch each group's requests are selected for, if at any.
 */
public final class Plan {
    /** In a switch's place: degraded replica selection (NetRS, 4.1), the client's own choice. */
    public static final int DEGRADED = -1;

    private final int[] nodes;

    /**
     * @param nodes each group's switch, or {@link #DEGRADED}
     */
    public Plan(int[] nodes) {
        this.nodes = nodes.clone();
    }

    /** All choose for themselves. */
    public static Plan allDegraded(int groups) {
        int[] nodes = new int[groups];
        Arrays.fill(nodes, DEGRADED);
        return new Plan(nodes);
    }

    /** A group's switch, or {@link #DEGRADED}. */
    public int node(int group) {
        return nodes[group];
    }

    public boolean degraded(int group) {
        return nodes[group] == DEGRADED;
    }

    public boolean degradesAny() {
        return Arrays.stream(nodes).anyMatch(node -> node == DEGRADED);
    }

    public int groups() {
        return nodes.length;
    }

    /** The same with one group elsewhere. */
    public Plan with(int group, int node) {
        int[] others = nodes.clone();
        others[group] = node;
        return new Plan(others);
    }

    /** Switches at which anything is selected: merged RSNodes. */
    public SortedSet<Integer> nodes() {
        SortedSet<Integer> used = new TreeSet<>();
        for (int node : nodes) {
            if (node != DEGRADED) {
                used.add(node);
            }
        }
        return used;
    }

    public int[] toArray() {
        return nodes.clone();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Plan && Arrays.equals(nodes, ((Plan) other).nodes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(nodes);
    }

    @Override
    public String toString() {
        return Arrays.toString(nodes);
    }
}
