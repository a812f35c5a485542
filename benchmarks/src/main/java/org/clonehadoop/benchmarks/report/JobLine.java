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
package org.clonehadoop.benchmarks.report;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * One job of {@code benchmarks/whole-jobs/run}.
 *
 * @param commit what was built
 * @param round jobs with the same took turns, and are compared with each other; see {@link Round}
 * @param seconds from submission to the end
 * @param thrownAwaySeconds container time of attempts that didn't win
 * @param speculated tasks of which two attempts ran at once, by name; null if the line doesn't tell
 * @param winners tasks that another attempt than the first one won, by name; null if the line
 *     doesn't tell
 * @param begunElsewhere winners among the extra attempts that ran beside no other one of their
 *     task; null if the line doesn't tell
 * @param mapSeconds what a map took, in the middle; null if the line doesn't tell
 * @param mapsPhaseSeconds from the first attempt's start to the last map's end; null if the line
 *     doesn't tell
 * @param containersSeconds container time of all attempts; null if the line doesn't tell
 * @param slowHostMaps maps of which the first attempt began on the host that is slowed down in some
 *     troubles; null if the line doesn't tell
 * @param slowHostReduces the same of reduces
 * @param seed of delays that are drawn; null if none are, or the line doesn't tell
 * @param isFailed whether it didn't end well, or its output wasn't stock Hadoop's: then nothing
 *     else is known of it
 * @param environment of the machine, and how busy it was
 */
public record JobLine(
        @JsonProperty(value = "commit", required = true) String commit,
        @JsonProperty(value = "trouble", required = true) String trouble,
        @JsonProperty(value = "variant", required = true) String variant,
        @JsonProperty(value = "round", required = true) String round,
        @JsonProperty("job_s") double seconds,
        @JsonProperty("thrown_away_s") double thrownAwaySeconds,
        @JsonProperty("extra_attempts") int extraAttempts,
        @JsonProperty("extra_attempts_won") int extraAttemptsWon,
        @JsonProperty("clones_launched") int clonesLaunched,
        @JsonProperty("clones_won") int clonesWon,
        @JsonProperty("freeze_ms") Double freezeMillis,
        @JsonProperty("order_to_running_ms") Double orderToRunningMillis,
        @JsonProperty("speculated") List<String> speculated,
        @JsonProperty("winners") List<String> winners,
        @JsonProperty("begun_elsewhere") Integer begunElsewhere,
        @JsonProperty("map_s") Double mapSeconds,
        @JsonProperty("maps_phase_s") Double mapsPhaseSeconds,
        @JsonProperty("containers_s") Double containersSeconds,
        @JsonProperty("slow_host_maps") Integer slowHostMaps,
        @JsonProperty("slow_host_reduces") Integer slowHostReduces,
        @JsonProperty("seed") Long seed,
        @JsonProperty("failed") boolean isFailed,
        @JsonProperty("megabytes") int megabytes,
        @JsonProperty("environment") Map<String, Object> environment) {
    /** One that failed, or whose output wasn't stock Hadoop's. */
    static JobLine ofFailure(
            String commit,
            String trouble,
            String variant,
            String round,
            Map<String, Object> environment) {
        return bare(commit, trouble, variant, round, 0, 0, 0, 0, 0, 0, true, 0, environment);
    }

    /** One that tells its counts, and nothing of single attempts. */
    static JobLine ofCounts(
            String commit,
            String trouble,
            String variant,
            String round,
            double seconds,
            double thrownAwaySeconds,
            int extraAttempts,
            int extraAttemptsWon,
            int clonesLaunched,
            int clonesWon,
            int megabytes,
            Map<String, Object> environment) {
        return bare(
                commit,
                trouble,
                variant,
                round,
                seconds,
                thrownAwaySeconds,
                extraAttempts,
                extraAttemptsWon,
                clonesLaunched,
                clonesWon,
                false,
                megabytes,
                environment);
    }

    private static JobLine bare(
            String commit,
            String trouble,
            String variant,
            String round,
            double seconds,
            double thrownAwaySeconds,
            int extraAttempts,
            int extraAttemptsWon,
            int clonesLaunched,
            int clonesWon,
            boolean isFailed,
            int megabytes,
            Map<String, Object> environment) {
        return new JobLine(
                commit,
                trouble,
                variant,
                round,
                seconds,
                thrownAwaySeconds,
                extraAttempts,
                extraAttemptsWon,
                clonesLaunched,
                clonesWon,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                isFailed,
                megabytes,
                environment);
    }

    public JobLine {
        if (!isFailed && !(seconds > 0)) {
            throw new IllegalArgumentException("a job that ended well takes time");
        }
        environment = environment == null ? Map.of() : environment;
    }

    /** Whether it is known of winners that are no clones if they ran beside another attempt. */
    boolean tellsOfWinners() {
        return begunElsewhere != null || speculated != null || extraAttemptsWon == clonesWon;
    }

    /** Winners among the extra attempts that ran beside no other one of their task. */
    int winnersBesideNobody() {
        if (begunElsewhere != null) {
            return begunElsewhere;
        }
        // At least so many: of a task that had two at once one alone can have won.
        return speculated == null ? 0 : Math.max(0, extraAttemptsWon - speculated.size());
    }

    /** What its delays were drawn by: older lines tell by the round's number. */
    public long drawnBy() {
        return seed == null ? Round.of(round).number() : seed;
    }

    /**
     * Those that ended well.
     *
     * @throws IOException if the file can't be read, or a line isn't one
     */
    public static List<JobLine> read(Path file) throws IOException {
        return all(file).stream().filter(job -> !job.isFailed()).toList();
    }

    /**
     * Those that failed as well.
     *
     * @throws IOException as {@link #read}
     */
    static List<JobLine> all(Path file) throws IOException {
        return Lines.read(file, JobLine.class, "job");
    }
}
