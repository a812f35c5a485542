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
import java.util.Optional;
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * How many attempts run on each host, of whatever kind and however they began: each takes its share
 * of the host. The counts are kept as attempts change. Not thread-safe.
 *
 * @param <A> what names an attempt
 */
@InterfaceAudience.Private
public final class RunningAttempts<A> {
    private final Map<A, String> hosts = new HashMap<>();
    private final Map<String, Integer> counts = new HashMap<>();

    /** The attempt runs on that host, and no more where it was said to run before. */
    public void runs(A attempt, String host) {
        String before = hosts.put(attempt, host);
        if (!host.equals(before)) {
            leaves(before);
            counts.merge(host, 1, Integer::sum);
        }
    }

    /**
     * The attempt doesn't run.
     *
     * @return where it ran until now; empty if it didn't
     */
    public Optional<String> ended(A attempt) {
        String host = hosts.remove(attempt);
        leaves(host);
        return Optional.ofNullable(host);
    }

    private void leaves(String host) {
        if (host != null) {
            counts.computeIfPresent(host, (same, count) -> count > 1 ? count - 1 : null);
        }
    }

    /** How many run there. */
    public int on(String host) {
        return counts.getOrDefault(host, 0);
    }

    /** As of now; hosts on which none runs are missing. */
    public Map<String, Integer> byHost() {
        return Map.copyOf(counts);
    }
}
