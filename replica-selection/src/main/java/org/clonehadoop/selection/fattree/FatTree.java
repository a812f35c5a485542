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
package org.clonehadoop.selection.fattree;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A fat-tree of k-port switches (Al-Fares et al., SIGCOMM 2008): k pods of k/2 top-of-rack and k/2
 * aggregation switches, k²/4 cores, k/2 hosts a rack.
 *
 * <p>Hosts are numbered rack by rack. Switches are numbered top-of-rack switches first (so a rack's
 * number is its switch's), then aggregation switches pod by pod, then cores. Core c is connected to
 * the aggregation switch {@code c / (k/2)} of each pod.
 *
 * @param ports k, even, 2 to 228: switches' numbers have two bytes in NetRS' packets
 */
public record FatTree(int ports) {
    private static final Pattern SPEC = Pattern.compile("fat-tree:(\\d{1,3})");
    private static final Pattern NAME =
            Pattern.compile("(?:(tor|aggregation)-(\\d{1,3})-|core-)(\\d{1,5})");

    public FatTree {
        if (ports < 2 || ports > 228 || ports % 2 != 0) {
            throw new IllegalArgumentException(
                    "a fat-tree's switches have an even number of ports from 2 to 228, not "
                            + ports);
        }
    }

    /**
     * @param spec fat-tree:K
     * @throws IllegalArgumentException in words for the user
     */
    public static FatTree parse(String spec) {
        Matcher matcher = SPEC.matcher(spec);
        if (!matcher.matches()) {
            throw new IllegalArgumentException(
                    "no topology '" + spec + "'; it is fat-tree:K, as fat-tree:16");
        }
        return new FatTree(Integer.parseInt(matcher.group(1)));
    }

    private int half() {
        return ports / 2;
    }

    public int pods() {
        return ports;
    }

    public int hostsPerRack() {
        return half();
    }

    public int racks() {
        return ports * half();
    }

    public int hosts() {
        return racks() * half();
    }

    public int cores() {
        return half() * half();
    }

    public int switches() {
        return 2 * racks() + cores();
    }

    /** The rack of a host, which is its top-of-rack switch. */
    public int rack(int host) {
        return host / half();
    }

    public int podOfRack(int rack) {
        return rack / half();
    }

    public Tier tier(int node) {
        if (node < racks()) {
            return Tier.TOR;
        }
        return node < 2 * racks() ? Tier.AGGREGATION : Tier.CORE;
    }

    /**
     * @return -1 of cores
     */
    public int pod(int node) {
        return tier(node) == Tier.CORE ? -1 : node % racks() / half();
    }

    public int aggregation(int pod, int index) {
        return racks() + pod * half() + index;
    }

    public int core(int index) {
        return 2 * racks() + index;
    }

    /** tor-POD-INDEX, aggregation-POD-INDEX or core-INDEX. */
    public String name(int node) {
        Tier tier = tier(node);
        return tier == Tier.CORE
                ? "core-" + (node - core(0))
                : tier.title() + "-" + pod(node) + "-" + node % half();
    }

    /**
     * The switch of a name.
     *
     * @throws IllegalArgumentException in words for the user
     */
    public int named(String name) {
        Matcher matcher = NAME.matcher(name);
        if (matcher.matches()) {
            int index = Integer.parseInt(matcher.group(3));
            if (matcher.group(1) == null && index < cores()) {
                return core(index);
            }
            if (matcher.group(1) != null && index < half()) {
                int pod = Integer.parseInt(matcher.group(2));
                if (pod < pods()) {
                    return pod * half()
                            + index
                            + (matcher.group(1).equals(Tier.TOR.title()) ? 0 : racks());
                }
            }
        }
        throw new IllegalArgumentException(
                "no switch '"
                        + name
                        + "' in a fat-tree of "
                        + ports
                        + " ports; there are tor-POD-I, aggregation-POD-I, core-I");
    }

    /**
     * Whether a switch is on default ways from the rack to other pods: NetRS' R_ij (its section
     * 3.2).
     */
    public boolean onWay(int rack, int node) {
        return switch (tier(node)) {
            case CORE -> true;
            case AGGREGATION -> pod(node) == podOfRack(rack);
            case TOR -> node == rack;
        };
    }

    /** The highest tier that packets between two racks come to. */
    public Tier between(int rack, int otherRack) {
        if (rack == otherRack) {
            return Tier.TOR;
        }
        return podOfRack(rack) == podOfRack(otherRack) ? Tier.AGGREGATION : Tier.CORE;
    }

    /** How many links a packet takes between two hosts. */
    public int links(int host, int otherHost) {
        return host == otherHost ? 0 : links(rack(host), rack(otherHost), 0) + 1;
    }

    /** How many links there are from a switch to any host of a rack. */
    private int links(int node, int rack, int choice) {
        return way(node, rack, choice).length + 1;
    }

    /**
     * The switches that a packet passes after one switch until, and with, a rack's own: none if
     * that is the one. Ways are as many in both directions.
     *
     * @param choice which of several ways of equal length; any number
     */
    public int[] way(int node, int rack, int choice) {
        int pod = podOfRack(rack);
        int up = Math.floorMod(choice, half());
        int across = Math.floorMod(choice / half(), half());
        return switch (tier(node)) {
            case CORE -> new int[] {aggregation(pod, (node - core(0)) / half()), rack};
            case AGGREGATION -> {
                int index = node % half();
                yield pod(node) == pod
                        ? new int[] {rack}
                        : new int[] {core(index * half() + across), aggregation(pod, index), rack};
            }
            case TOR ->
                    switch (between(node, rack)) {
                        case TOR -> new int[0];
                        case AGGREGATION -> new int[] {aggregation(pod, up), rack};
                        case CORE ->
                                new int[] {
                                    aggregation(pod(node), up),
                                    core(up * half() + across),
                                    aggregation(pod, up),
                                    rack
                                };
                    };
        };
    }
}
