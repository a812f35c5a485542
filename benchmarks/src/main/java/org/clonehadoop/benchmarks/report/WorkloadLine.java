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
 * @param megabytes that were asked for; null if the line doesn't tell
 * @param scale HiBench's profile; null for one of our own
 * @param tasks maps that made the input, and reduces; null if the line doesn't tell
 * @param inputBytes as HiBench reports them; null if it doesn't
 * @param hibenchSeconds as HiBench reports them; null if it doesn't
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
        @JsonProperty("megabytes") Integer megabytes,
        @JsonProperty("scale") String scale,
        @JsonProperty("tasks") Integer tasks,
        @JsonProperty("input_bytes") Long inputBytes,
        @JsonProperty("hibench_s") Double hibenchSeconds,
        @JsonProperty(value = "jobs_s", required = true) double seconds,
        @JsonProperty("thrown_away_s") double thrownAwaySeconds,
        @JsonProperty("extra_attempts") int extraAttempts,
        @JsonProperty("extra_attempts_won") int extraAttemptsWon,
        @JsonProperty("clones_launched") int clonesLaunched,
        @JsonProperty("clones_won") int clonesWon,
        @JsonProperty("identical") Boolean identical,
        @JsonProperty("environment") Map<String, Object> environment) {
    private static final String SLOW = ", ";
    private static final String SLOW_HOST = SLOW + "a host at ";
    private static final int USUAL_PERCENT = 25;

    /** Its jobs as one, with the workload and what was made slow as its trouble. */
    Run asRun() {
        return Run.of(asJob(), size(), hibenchSeconds);
    }

    private JobLine asJob() {
        if (Boolean.FALSE.equals(identical)) {
            return JobLine.ofFailure(commit, trouble(), variant, round, environment);
        }
        return JobLine.ofCounts(
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
                0,
                environment);
    }

    private String size() {
        String size = "";
        if (scale != null) {
            size = "HiBench's " + scale;
        } else if (megabytes != null) {
            size = megabytes + " MB";
        } else if (inputBytes != null) {
            size = Math.round(inputBytes / 1e6) + " MB";
        }
        return tasks == null ? size : size + ", " + tasks + " tasks";
    }

    /**
     * @return what a trouble of {@link #asJob} is without anything slow; itself if it is that
     */
    static String even(String trouble) {
        return trouble.replaceFirst(SLOW + ".*", "");
    }

    /** That workload's trouble with one host at what is usual. */
    static String withSlowHost(String workload) {
        return workload + SLOW_HOST + USUAL_PERCENT + " %";
    }

    /** What is aimed at. */
    static Aim aim(String trouble) {
        if (even(trouble).equals(trouble)) {
            return Aim.ofHadoops(1.01);
        }
        return trouble.contains(SLOW_HOST)
                ? new Aim(1.5, Aim.Base.EVEN)
                : Aim.ofHadoops(NeverAbove.BOUND);
    }

    private String trouble() {
        String trouble = workload;
        if (slowHostPercent != null) {
            trouble += SLOW_HOST + slowHostPercent + " %";
        }
        if (stragglers != null) {
            trouble += SLOW + stragglers;
        }
        return trouble;
    }
}
