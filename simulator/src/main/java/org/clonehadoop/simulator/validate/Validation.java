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
package org.clonehadoop.simulator.validate;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.clonehadoop.benchmarks.harness.Series;
import org.clonehadoop.benchmarks.report.JobLine;

/**
 * Pairs of real and simulated jobs, and whether they are alike enough for figures of the simulation
 * to be believed.
 *
 * @param paces of each session whose machine's is known
 * @param leftOut lines that nothing is simulated for, and why
 */
record Validation(List<Pair> pairs, Map<String, Double> paces, List<String> leftOut) {
    private static final double MEDIAN_ERROR = 0.15;
    private static final double WORST_ERROR = 0.35;
    private static final double ALIKE = 0.7;
    private static final double TIMES_ERROR = 0.3;

    /**
     * @throws IllegalArgumentException if a line's round is none
     */
    static Validation of(List<JobLine> lines) {
        Map<String, List<JobLine>> sessions =
                lines.stream()
                        .collect(
                                Collectors.groupingBy(
                                        Counterpart::session,
                                        LinkedHashMap::new,
                                        Collectors.toList()));
        List<Pair> pairs = new ArrayList<>();
        Map<String, Double> paces = new LinkedHashMap<>();
        List<String> leftOut = new ArrayList<>();
        Paces known = new Paces(sessions);
        sessions.forEach(
                (session, some) -> {
                    OptionalDouble pace = known.of(session, some);
                    if (pace.isEmpty()) {
                        leftOut.add(
                                session
                                        + ": no even stock run on its machine tells that one's pace");
                        return;
                    }
                    paces.put(session, pace.getAsDouble());
                    for (JobLine line : some) {
                        Optional<Counterpart> job = Counterpart.of(line);
                        if (job.isPresent()) {
                            Simulated simulated = Simulated.of(job.get(), pace.getAsDouble());
                            pairs.add(new Pair(line, simulated, job.get().namesAttempts()));
                        } else {
                            leftOut.add(
                                    line.trouble()
                                            + ", "
                                            + line.variant()
                                            + ", "
                                            + line.round()
                                            + ": isn't simulated");
                        }
                    }
                });
        return new Validation(pairs, paces, leftOut);
    }

    /** Those that say something: the pace was fitted on the others. */
    private List<Pair> tested() {
        return pairs.stream().filter(pair -> !Pace.tells(pair.real())).toList();
    }

    List<Ratio> ratios() {
        return Ratio.of(pairs);
    }

    List<Bound> bounds() {
        double[] errors = tested().stream().mapToDouble(pair -> Math.abs(pair.error())).toArray();
        Series series = Series.of(errors);
        List<Ratio> ratios = ratios();
        return List.of(
                Bound.atMost(
                        "job_s_error_median",
                        "job time, error, median",
                        errors.length == 0 ? Double.NaN : series.median(),
                        MEDIAN_ERROR),
                Bound.atMost(
                        "job_s_error_max",
                        "job time, error, worst",
                        errors.length == 0 ? Double.NaN : series.max(),
                        WORST_ERROR),
                Bound.atLeast(
                        "ratios_within",
                        "ratios to stock's that are right, share",
                        ratios.stream()
                                .mapToDouble(ratio -> ratio.isWithin() ? 1 : 0)
                                .average()
                                .orElse(Double.NaN),
                        1),
                Bound.atLeast(
                        "speculated_alike",
                        "who was speculated, share that both did, mean of jobs with any",
                        tested().stream()
                                .map(Pair::alike)
                                .filter(OptionalDouble::isPresent)
                                .mapToDouble(OptionalDouble::getAsDouble)
                                .average()
                                .orElse(Double.NaN),
                        ALIKE),
                Bound.atMost(
                        "order_to_running_error",
                        "from a clone's order until it runs, error",
                        timesError(JobLine::orderToRunningMillis, Simulated::orderToRunningMillis),
                        TIMES_ERROR),
                Bound.atMost(
                        "freeze_error",
                        "an original's freeze, error",
                        timesError(JobLine::freezeMillis, Simulated::freezeMillis),
                        TIMES_ERROR));
    }

    /**
     * Tested jobs in which really nobody was speculated. They are counted apart, since in most of
     * them there was no decision to make, and the bound is about decisions.
     *
     * @param alike so many of them speculate nobody in the simulation either
     */
    record Quiet(long jobs, long alike) {}

    Quiet quiet() {
        List<Pair> quiet = tested().stream().filter(Pair::isQuiet).toList();
        return new Quiet(
                quiet.size(), quiet.stream().filter(pair -> pair.alike().isEmpty()).count());
    }

    /** Of medians, over jobs that had clones. */
    private double timesError(
            Function<JobLine, Double> real, Function<Simulated, Optional<Double>> simulated) {
        Series reals = new Series();
        Series simulateds = new Series();
        for (Pair pair : pairs) {
            Double one = real.apply(pair.real());
            if (one != null) {
                reals.add(one);
            }
            simulated.apply(pair.simulated()).ifPresent(simulateds::add);
        }
        return reals.size() == 0 || simulateds.size() == 0
                ? Double.NaN
                : Math.abs(simulateds.median() / reals.median() - 1);
    }

    /** Whether all is within its bound, and all bounds are known. */
    boolean isValidated() {
        return bounds().stream().allMatch(bound -> bound.isKnown() && bound.isWithin());
    }

    boolean isWithin(Pair pair) {
        return Math.abs(pair.error()) <= WORST_ERROR;
    }
}
