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
package org.clonehadoop.simulator.requests.store;

import org.clonehadoop.selection.fattree.FatTree;
import org.clonehadoop.selection.fattree.Tier;

/**
 * How long packets take: 30 µs a link (the paper's, between switches; it doesn't say what hosts'
 * links take), and 3 ms more in each switch that is congested. A tenth of all switches is, drawn
 * anew every 50 ms; the paper doesn't say how many are, nor for how long.
 */
final class Ways {
    private static final long LINK = 30_000;
    private static final long CONGESTED = 3_000_000;
    private static final long EPOCH = 50_000_000;
    private static final double SHARE = 0.1;

    private final FatTree tree;
    private final boolean congestion;
    private final long seed;

    Ways(FatTree tree, boolean congestion, long seed) {
        this.tree = tree;
        this.congestion = congestion;
        this.seed = seed;
    }

    /**
     * Between two hosts, in nanoseconds.
     *
     * @param choice of one of several ways
     */
    long hosts(int from, int to, long now, int choice) {
        return LINK + rest(tree.rack(from), tree.rack(to), now, choice);
    }

    /**
     * Between a host and a switch that is on its way, or a switch and any host: the same in both
     * directions.
     */
    long toSwitch(int host, int node, long now, int choice) {
        return rest(node, tree.rack(host), now, choice);
    }

    /** From a switch, with it, to a host of a rack. */
    private long rest(int node, int rack, long now, int choice) {
        long time = LINK * links(node, rack);
        if (congestion) {
            time += delay(node, now);
            for (int passed : tree.way(node, rack, choice)) {
                time += delay(passed, now);
            }
        }
        return time;
    }

    /** As many as {@link FatTree#way} has, and one. */
    int links(int node, int rack) {
        Tier tier = tree.tier(node);
        if (tier == Tier.CORE) {
            return 3;
        }
        boolean pod = tree.pod(node) == tree.podOfRack(rack);
        if (tier == Tier.AGGREGATION) {
            return pod ? 2 : 4;
        }
        if (node == rack) {
            return 1;
        }
        return pod ? 3 : 5;
    }

    private long delay(int node, long now) {
        long bits = mix(seed + mix(now / EPOCH * tree.switches() + node));
        return (bits >>> 11) * 0x1p-53 < SHARE ? CONGESTED : 0;
    }

    /** SplitMix64's finaliser. */
    private static long mix(long value) {
        long bits = (value ^ value >>> 30) * 0xBF58476D1CE4E5B9L;
        bits = (bits ^ bits >>> 27) * 0x94D049BB133111EBL;
        return bits ^ bits >>> 31;
    }
}
