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
package org.apache.hadoop.clone.placement;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * Slow hosts that the ResourceManager is told not to offer to a job for a while: an attempt has
 * given a container there back, and for as long others would, too. Not thread-safe.
 */
@InterfaceAudience.Private
public final class WithheldHosts {
    private record Term(long untilMillis, boolean sinceLastMap) {}

    private final PlacementRules rules;
    private final Map<String, Term> terms = new HashMap<>();

    public WithheldHosts(PlacementRules rules) {
        this.rules = rules;
    }

    /**
     * From now on. It ends with the last map, after which attempts decide otherwise.
     *
     * @param millis for how long, or less, if that is more than a host may be withheld; not at all
     *     if it is 0 or less
     * @param haveMapsEnded whether that was before
     */
    public void withhold(String host, double millis, boolean haveMapsEnded, long now) {
        terms.put(
                host,
                new Term(now + (long) Math.min(rules.askLaterMillis(), millis), haveMapsEnded));
    }

    /** It may be offered again. */
    public void lift(String host) {
        terms.remove(host);
    }

    /** All may. */
    public void liftAll() {
        terms.clear();
    }

    /** Those that aren't to be offered. */
    public Set<String> at(long now, boolean haveMapsEnded) {
        terms.values()
                .removeIf(
                        term ->
                                rules.isOver(term.untilMillis, now)
                                        || term.sinceLastMap != haveMapsEnded);
        return Set.copyOf(terms.keySet());
    }
}
