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

import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Jobs of {@code benchmarks/whole-jobs/run}'s troubles {@code onset-P-F}: one map goes on at 1/F of
 * its speed after P % of its records.
 *
 * @param jobs those troubles and others
 * @param percents P of the sweep's points, in order
 * @param factors as percents
 */
record OnsetSweep(WholeJobs jobs, List<Integer> percents, List<Integer> factors) {
    private static final Pattern TROUBLE = Pattern.compile("onset-(\\d+)-(\\d+)");

    /** Empty if there is no such trouble. */
    static Optional<OnsetSweep> of(WholeJobs jobs) {
        OnsetSweep sweep = new OnsetSweep(jobs, numbers(jobs, 1), numbers(jobs, 2));
        return sweep.percents.isEmpty() ? Optional.empty() : Optional.of(sweep);
    }

    private static List<Integer> numbers(WholeJobs jobs, int group) {
        return jobs.troubles().stream()
                .map(TROUBLE::matcher)
                .filter(Matcher::matches)
                .map(of -> Integer.valueOf(of.group(group)))
                .distinct()
                .sorted()
                .toList();
    }

    /** CloneHadoop's jobs; empty if there is no such point. */
    Optional<WholeJobs.Cell> cell(int percent, int factor) {
        return jobs.cell("onset-" + percent + "-" + factor, WholeJobs.ALL);
    }

    /** CloneHadoop's job time over Hadoop's. */
    Optional<MeanRatio> overStock(int percent, int factor) {
        return cell(percent, factor).flatMap(jobs::overStock);
    }

    /**
     * What a clone takes over what a map usually takes, t_clone / t̄, in the middle of those jobs;
     * empty if no clone ran.
     */
    Optional<Double> cloneShare() {
        Optional<Double> cloneMillis = median(JobLine::orderToRunningMillis);
        return median(JobLine::mapSeconds)
                .flatMap(seconds -> cloneMillis.map(millis -> millis / 1000 / seconds));
    }

    private Optional<Double> median(Function<JobLine, Double> of) {
        return WholeJobs.median(
                percents.stream()
                        .flatMap(p -> factors.stream().flatMap(f -> cell(p, f).stream()))
                        .flatMap(cell -> cell.jobs().stream()),
                of);
    }

    /**
     * By the paper's Algorithm 1: how long that map still takes when it has just become slow, with
     * the best of itself, a clone and an attempt from zero, over that without clones. It is of the
     * task, not of the job.
     *
     * @param percent of its records, that are done
     * @param factor times slower
     * @param cloneShare t_clone / t̄
     * @return at most 1: a clone is no gain
     */
    static double byFormula(int percent, int factor, double cloneShare) {
        double left = 1 - percent / 100.0;
        double withoutClones = Math.min(factor * left, 1);
        return Math.min(withoutClones, cloneShare + left) / withoutClones;
    }
}
