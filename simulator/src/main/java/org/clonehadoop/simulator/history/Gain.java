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
package org.clonehadoop.simulator.history;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import java.util.stream.LongStream;
import org.clonehadoop.simulator.Simulation;
import org.clonehadoop.simulator.mapreduce.JobSpec;
import org.clonehadoop.simulator.speculators.Kind;

/**
 * What clones would have gained for a job that is over, by simulation.
 *
 * @param jobSeconds that it took
 * @param workSeconds of that, from its first attempt's start on
 * @param simulatedSeconds what the simulation makes of the work as it was
 * @param simulatedAloneSeconds and without any second attempt
 * @param simulatedWithClonesSeconds and with clones
 * @param backups second attempts beside a running one, in truth
 * @param backupsWon tasks that they won
 * @param thrownAwaySeconds containers' time of attempts that won nothing, in truth
 * @param stragglers the slowest first
 */
record Gain(
        String job,
        String name,
        @JsonProperty("job_s") double jobSeconds,
        @JsonProperty("work_s") double workSeconds,
        @JsonProperty("simulated_s") double simulatedSeconds,
        @JsonProperty("simulated_alone_s") double simulatedAloneSeconds,
        @JsonProperty("simulated_with_clones_s") double simulatedWithClonesSeconds,
        int backups,
        @JsonProperty("backups_won") int backupsWon,
        @JsonProperty("thrown_away_s") double thrownAwaySeconds,
        List<Straggler> stragglers) {
    /** Half as long again as usual. */
    private static final double STRAGGLES = 1.5;

    /**
     * A task's first attempt that took long.
     *
     * @param timesUsual its time over the usual one of its kind
     * @param timesInput its input over the usual one; what that explains, no second attempt cures
     * @param overtaken whether a later attempt won its task
     */
    record Straggler(
            String attempt,
            String host,
            @JsonProperty("took_s") double seconds,
            @JsonProperty("times_usual") double timesUsual,
            @JsonProperty("times_input") double timesInput,
            boolean overtaken) {}

    static Gain of(PastJob job, int seeds) {
        Hindsight hindsight = new Hindsight(job);
        JobSpec spec = hindsight.spec();
        List<PastAttempt> backups = job.backups();
        double alone = mean(spec, Kind.NONE, seeds);
        return new Gain(
                job.id(),
                job.name(),
                job.seconds(),
                job.workSeconds(),
                backups.isEmpty() ? alone : mean(spec, Kind.STOCK, seeds),
                alone,
                mean(spec, Kind.OURS, seeds),
                backups.size(),
                (int) backups.stream().filter(PastAttempt::won).count(),
                job.attempts().stream()
                                .filter(attempt -> !attempt.won())
                                .mapToLong(one -> one.finishMillis() - one.startMillis())
                                .sum()
                        / 1e3,
                job.attempts().stream()
                        .filter(PastAttempt::isFirst)
                        .filter(one -> hindsight.pace(one).times(one) >= STRAGGLES)
                        .map(one -> straggler(one, hindsight.pace(one)))
                        .sorted((one, other) -> Double.compare(other.seconds, one.seconds))
                        .toList());
    }

    private static Straggler straggler(PastAttempt attempt, Pace pace) {
        return new Straggler(
                attempt.id(),
                attempt.host(),
                attempt.workMillis() / 1e3,
                pace.times(attempt),
                pace.size(attempt),
                !attempt.won());
    }

    private static double mean(JobSpec spec, Kind kind, int seeds) {
        return LongStream.rangeClosed(1, seeds)
                .mapToDouble(seed -> Simulation.run(spec, kind, seed).jobSeconds())
                .average()
                .orElseThrow();
    }

    /** What the job would have taken with clones: its work in the simulation's proportion. */
    @JsonProperty("with_clones_s")
    double withClonesSeconds() {
        return inProportion(simulatedWithClonesSeconds);
    }

    /** What it would have taken without any second attempt. */
    @JsonProperty("alone_s")
    double aloneSeconds() {
        return inProportion(simulatedAloneSeconds);
    }

    private double inProportion(double simulated) {
        return jobSeconds - workSeconds + workSeconds * simulated / simulatedSeconds;
    }

    /** Nobody has compared such estimates with real runs. */
    @JsonProperty("validated")
    boolean isValidated() {
        return false;
    }
}
