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

import org.clonehadoop.selection.fattree.Tier;

/**
 * A traffic group: requests of hosts of one rack, that are selected for at one place (NetRS, 3.1).
 *
 * @param name as the operator calls it: a rack's or a host's addresses
 * @param rack of its hosts
 * @param core requests per second to other pods (NetRS' tier-0 traffic)
 * @param aggregation to other racks of its pod (tier-1)
 * @param tor to its own rack (tier-2)
 */
public record Group(String name, int rack, double core, double aggregation, double tor) {
    public Group {
        if (!(core >= 0 && aggregation >= 0 && tor >= 0)
                || Double.isInfinite(core + aggregation + tor)) {
            throw new IllegalArgumentException(
                    "group " + name + ": traffic is a number of requests per second, 0 or more");
        }
    }

    /** All requests per second. */
    public double traffic() {
        return core + aggregation + tor;
    }

    /** Requests per second that pass a tier anyhow, wherever they are selected for. */
    public double passing(Tier tier) {
        return switch (tier) {
            case CORE -> core;
            case AGGREGATION -> core + aggregation;
            case TOR -> traffic();
        };
    }

    /**
     * Extra hops per second if the group's requests are selected for at a tier: constraint (7),
     * where a request that goes n tiers higher than it must is forwarded 2n times more.
     */
    public double extraHops(Tier tier) {
        return switch (tier) {
            case CORE -> 2 * aggregation + 4 * tor;
            case AGGREGATION -> 2 * tor;
            case TOR -> 0;
        };
    }
}
