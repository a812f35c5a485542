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
package org.clonehadoop.report;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * A job that has ended, and all attempts of its tasks: maps first, by id.
 *
 * @param state {@code SUCCEEDED}, or how else it ended
 * @param counters of tasks and file systems, all attempts that won together, by name
 * @param cpuSeconds processor time of all attempts that won
 * @param clones CloneHadoop's counters of the job, by name
 */
public record Job(
        String id,
        String name,
        String state,
        long submitMillis,
        long finishMillis,
        Map<String, Long> clones,
        Map<String, Long> counters,
        @JsonProperty("cpu_s") double cpuSeconds,
        List<Attempt> attempts) {

    /** From submission to the end, with the queue and the AppMaster's start. */
    @JsonProperty("job_s")
    public double seconds() {
        return (finishMillis - submitMillis) / 1000.0;
    }

    /** Attempts beyond the first of their tasks, failed ones' successors too. */
    @JsonProperty("extra_attempts")
    public long extraAttempts() {
        return attempts.size() - attempts.stream().map(Attempt::task).distinct().count();
    }

    /** Extra attempts that beat the first. */
    @JsonProperty("extra_attempts_won")
    public long extraAttemptsWon() {
        return attempts.stream().filter(a -> a.won() && !a.id().endsWith("_0")).count();
    }

    /** Tasks of which two attempts ran at once, such as {@code m_000003}. */
    @JsonProperty("speculated")
    public List<String> speculated() {
        return attempts.stream()
                .filter(a -> attempts.stream().anyMatch(a::ranBeside))
                .map(Attempt::shortTask)
                .distinct()
                .sorted()
                .toList();
    }

    /** Clones that were first; as {@link #clonesLaunched}, by counters and attempts. */
    @JsonProperty("clones_won")
    public long clonesWon() {
        return Math.max(
                counted("CLONES_WON"),
                attempts.stream().filter(a -> a.won() && a.clonedFrom() != null).count());
    }

    /**
     * Container time of attempts that didn't win. What one had done before the launch of a clone
     * that won isn't thrown away: the clone has it.
     */
    @JsonProperty("thrown_away_s")
    public double thrownAwaySeconds() {
        Map<String, Attempt> byId =
                attempts.stream().collect(Collectors.toMap(Attempt::id, Function.identity()));
        Map<String, Long> continuedSince = new HashMap<>();
        for (Attempt winner : attempts.stream().filter(Attempt::won).toList()) {
            for (Attempt later = winner;
                    later != null && later.clonedFrom() != null;
                    later = byId.get(later.clonedFrom())) {
                continuedSince.put(later.clonedFrom(), later.startMillis());
            }
        }
        return attempts.stream()
                        .filter(a -> !a.won())
                        .mapToLong(
                                a ->
                                        a.finishMillis()
                                                - Math.max(
                                                        a.startMillis(),
                                                        continuedSince.getOrDefault(a.id(), 0L)))
                        .sum()
                / 1000.0;
    }

    /**
     * Clones that came to run. The job's counters and its attempts may each lack some: a job has
     * room for so many counters only, and an attempt that dies at once has none.
     */
    @JsonProperty("clones_launched")
    public long clonesLaunched() {
        return Math.max(
                counted("CLONES_RUNNING"),
                attempts.stream().filter(a -> a.clonedFrom() != null).count());
    }

    /** How long an original was frozen, on average; null if none was. */
    @JsonProperty("freeze_ms")
    public Double freezeMillis() {
        return average("FROZEN_MILLIS", "CLONES_SENT");
    }

    /** How long an original did nothing because of its clone; as {@link #freezeMillis}. */
    @JsonProperty("gate_closed_ms")
    public Double gateClosedMillis() {
        return average("GATE_CLOSED_MILLIS", "CLONES_SENT");
    }

    /** From the decision until the clone ran, on average; null if none did. */
    @JsonProperty("order_to_running_ms")
    public Double orderToRunningMillis() {
        return average("ORDER_TO_RUNNING_MILLIS", "CLONES_RUNNING");
    }

    private Double average(String sum, String number) {
        return counted(number) == 0 ? null : (double) counted(sum) / counted(number);
    }

    private long counted(String counter) {
        return clones.getOrDefault(counter, 0L);
    }
}
