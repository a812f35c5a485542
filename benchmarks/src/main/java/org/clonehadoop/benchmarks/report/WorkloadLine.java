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

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.Map;

/**
 * One run of {@code benchmarks/workloads/run} or {@code scripts/hibench}: a workload of one or
 * several jobs.
 *
 * @param slowHostPercent of a core, that one of three hosts has; null if all have theirs
 * @param stragglers what the straggler agent was told; null if there was none
 * @param seconds of all its jobs
 */
@JsonIgnoreProperties(ignoreUnknown = true)
record WorkloadLine(
        @JsonProperty(value = "commit", required = true) String commit,
        @JsonProperty(value = "workload", required = true) String workload,
        @JsonProperty(value = "variant", required = true) String variant,
        @JsonProperty(value = "round", required = true) String round,
        @JsonProperty("slow_host_percent") Integer slowHostPercent,
        @JsonProperty("stragglers") String stragglers,
        @JsonProperty(value = "jobs_s", required = true) double seconds,
        @JsonProperty("thrown_away_s") double thrownAwaySeconds,
        @JsonProperty("extra_attempts") int extraAttempts,
        @JsonProperty("extra_attempts_won") int extraAttemptsWon,
        @JsonProperty("clones_launched") int clonesLaunched,
        @JsonProperty("clones_won") int clonesWon,
        @JsonProperty("identical") Boolean identical,
        @JsonProperty("environment") Map<String, Object> environment) {
    private static final String SLOW = ", ";

    /**
     * Its jobs as one, with the workload and what was made slow as its trouble.
     *
     * @throws IllegalStateException if its output wasn't Hadoop's
     */
    JobLine asJob() {
        if (Boolean.FALSE.equals(identical)) {
            throw new IllegalStateException(
                    "the output of " + trouble() + " in round " + round + " isn't Hadoop's");
        }
        return new JobLine(
                commit,
                trouble(),
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
                0,
                environment == null ? Map.of() : environment);
    }

    /**
     * @return what a trouble of {@link #asJob} is without anything slow; itself if it is that
     */
    static String even(String trouble) {
        return trouble.replaceFirst(SLOW + ".*", "");
    }

    private String trouble() {
        String trouble = workload;
        if (slowHostPercent != null) {
            trouble += SLOW + "a host at " + slowHostPercent + " %";
        }
        if (stragglers != null) {
            trouble += SLOW + stragglers;
        }
        return trouble;
    }
}
