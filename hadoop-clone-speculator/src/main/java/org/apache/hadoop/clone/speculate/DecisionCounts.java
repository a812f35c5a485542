package org.apache.hadoop.clone.speculate;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.apache.hadoop.clone.score.Outcome;

/** How often each outcome was reached for each reason. */
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
