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
package org.clonehadoop.check;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A node that can't connect to a port of another, though its processes could go on there, or that
 * couldn't try. Pure.
 *
 * @param from the one that would pull a clone, and so connects
 * @param to where its original would be; null if nothing could be tried
 * @param why in a few words
 */
record Unreachable(String from, String to, int port, String why) {
    private static final int NAMED = 5;

    private record Target(String to, int port, String why) {
        Finding finding(String sources) {
            return to == null
                    ? Finding.fail(
                            "network",
                            "%s couldn't try to connect: %s".formatted(sources, why),
                            NodeRules.TRY_VIA)
                    : Finding.fail(
                            "network",
                            "%s can't connect to %s:%d: %s".formatted(sources, to, port, why),
                            fix());
        }

        private String fix() {
            return why.contains("not known") || why.contains("name resolution")
                    ? "have the nodes know each other by these names"
                    : "open "
                            + to
                            + "'s firewall to the other nodes, for the ports of"
                            + " CRIU_REMOTE_CLONE_PORT";
        }
    }

    static Unreachable notTried(String from, String why) {
        return new Unreachable(from, null, 0, why);
    }

    /** One for each port that can't be reached, whatever the number of nodes that can't. */
    static List<Finding> findings(Collection<Unreachable> all) {
        Map<Target, List<String>> sources = new LinkedHashMap<>();
        all.forEach(
                one ->
                        sources.computeIfAbsent(
                                        new Target(one.to, one.port, one.why),
                                        target -> new ArrayList<>())
                                .add(one.from));
        return sources.entrySet().stream()
                .map(entry -> entry.getKey().finding(names(entry.getValue())))
                .toList();
    }

    private static String names(List<String> hosts) {
        String first = String.join(" ", hosts.subList(0, Math.min(NAMED, hosts.size())));
        return hosts.size() <= NAMED ? first : first + " and " + (hosts.size() - NAMED) + " more";
    }
}
