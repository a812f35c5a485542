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
package org.apache.hadoop.clone.speculate;

import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLongArray;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.clone.score.Outcome;

/** How often each outcome was reached for each reason. */
@InterfaceAudience.Private
public final class DecisionCounts {
    private static final Outcome[] OUTCOMES = Outcome.values();
    private static final Reason[] REASONS = Reason.values();

    /** One kind of decision. */
    public record Kind(Outcome outcome, Reason reason) {}

    private final AtomicLongArray counts = new AtomicLongArray(OUTCOMES.length * REASONS.length);

    void count(Decision decision) {
        count(decision.outcome(), decision.reason(), 1);
    }

    void count(Outcome outcome, Reason reason, int times) {
        counts.addAndGet(outcome.ordinal() * REASONS.length + reason.ordinal(), times);
    }

    /** A copy as of now; kinds that never occurred are missing. */
    public Map<Kind, Long> snapshot() {
        Map<Kind, Long> copy = new HashMap<>();
        for (int kind = 0; kind < counts.length(); kind++) {
            if (counts.get(kind) > 0) {
                copy.put(
                        new Kind(OUTCOMES[kind / REASONS.length], REASONS[kind % REASONS.length]),
                        counts.get(kind));
            }
        }
        return Map.copyOf(copy);
    }

    /** The same by outcome, then by reason. */
    public Map<String, Map<String, Long>> byName() {
        Map<String, Map<String, Long>> named = new TreeMap<>();
        snapshot()
                .forEach(
                        (kind, times) ->
                                named.computeIfAbsent(kind.outcome().name(), any -> new TreeMap<>())
                                        .put(kind.reason().name(), times));
        return named;
    }
}
