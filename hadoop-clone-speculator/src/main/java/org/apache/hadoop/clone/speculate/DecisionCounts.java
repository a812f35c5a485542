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
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.clone.score.Outcome;

/** How often each outcome was reached for each reason. */
@InterfaceAudience.Private
public final class DecisionCounts {
    /** One kind of decision. */
    public record Kind(Outcome outcome, Reason reason) {}

    private final Map<Kind, LongAdder> counts = new ConcurrentHashMap<>();

    void count(Decision decision) {
        counts.computeIfAbsent(
                        new Kind(decision.outcome(), decision.reason()), kind -> new LongAdder())
                .increment();
    }

    /** A copy as of now; kinds that never occurred are missing. */
    public Map<Kind, Long> snapshot() {
        Map<Kind, Long> copy = new HashMap<>();
        counts.forEach((kind, count) -> copy.put(kind, count.sum()));
        return Map.copyOf(copy);
    }
}
