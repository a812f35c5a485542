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
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.clonehadoop.simulator.yarn.Application.Request;

/**
 * What an application asks for with one priority, as YARN's CapacityScheduler sees it: so many
 * containers, so many of these on each host and on its rack, and all of them anywhere. Whose
 * container it is, only the AppMaster knows. All hosts are of one rack.
 */
final class Asks {
    /**
     * So many nodes may have been offered in vain before another one of the rack will do: {@code
     * yarn.scheduler.capacity.node-locality-delay}.
     */
    private static final int NODE_LOCALITY_DELAY = 40;

    private final Map<String, Request> all = new LinkedHashMap<>();
    private final Map<String, Map<String, Request>> byHost = new HashMap<>();

    /** Hosts that were asked for since last there was nothing to ask for. */
    private final Set<String> hosts = new HashSet<>();

    private int withHosts;
    private int offers;

    void add(Request request) {
        all.put(request.name(), request);
        for (String host : request.hosts()) {
            byHost.computeIfAbsent(host, none -> new LinkedHashMap<>())
                    .put(request.name(), request);
        }
        hosts.addAll(request.hosts());
        withHosts += request.hosts().isEmpty() ? 0 : 1;
    }

    /**
     * @return empty if there is none of that name
     */
    Optional<Request> named(String name) {
        return Optional.ofNullable(all.get(name));
    }

    void remove(Request request) {
        all.remove(request.name());
        for (String host : request.hosts()) {
            byHost.computeIfPresent(
                    host,
                    (same, those) -> {
                        those.remove(request.name());
                        return those.isEmpty() ? null : those;
                    });
        }
        withHosts -= request.hosts().isEmpty() ? 0 : 1;
        if (all.isEmpty()) {
            hosts.clear();
        }
    }

    boolean isEmpty() {
        return all.isEmpty();
    }

    /**
     * A node has room. As {@code RegularContainerAllocator}: offers count from the last one on that
     * was local.
     *
     * @param nodes of the cluster
     * @return empty if a better node is awaited
     */
    Optional<Request> offer(String host, int nodes) {
        offers++;
        boolean rack = withHosts > 0 && offers > Math.min(nodes, NODE_LOCALITY_DELAY);
        if (byHost.containsKey(host) || rack) {
            offers = 0;
            return Optional.of(whose(host));
        }
        return isEnough(nodes) ? Optional.of(whose(host)) : Optional.empty();
    }

    /** Whether so many offers were no use that any node will do. */
    private boolean isEnough(int nodes) {
        if (hosts.isEmpty()) {
            return true;
        }
        double share = Math.min(1, (hosts.size() + 1.0) / nodes); // these, and their rack
        return offers > Math.min(nodes, all.size() * share);
    }

    /** As {@code RMContainerAllocator}, whatever it was that the container was asked for. */
    private Request whose(String host) {
        Request first = all.values().iterator().next();
        Map<String, Request> here = byHost.get(host);
        return first.handedOut() == HandingOut.BY_TURN || here == null
                ? first
                : here.values().iterator().next();
    }
}
