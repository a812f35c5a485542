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

import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Jobs of {@code benchmarks/whole-jobs/run}'s troubles {@code onset-P-F}, all of one setup: one map
 * goes on at 1/F of its speed after P % of its records.
 *
 * @param points pairs of CloneHadoop's and Hadoop's
 */
record OnsetSweep(Map<Point, Pairs> points) {
    static final Pattern TROUBLE = Pattern.compile("onset-(\\d+)-(\\d+)");

    /**
     * @param percent of the map's records, that are done
     * @param factor times slower
     */
    record Point(int percent, int factor) {}

    /**
     * Of the setup that has enough pairs of the most points, the last of several.
     *
     * @return empty if there is no such trouble
     */
    static Optional<OnsetSweep> of(WholeJobs jobs) {
        Map<Setup, Map<Point, Pairs>> setups = new LinkedHashMap<>();
        for (String trouble : jobs.troubles()) {
            Matcher of = TROUBLE.matcher(trouble);
            if (of.matches()) {
                Point point =
                        new Point(Integer.parseInt(of.group(1)), Integer.parseInt(of.group(2)));
                jobs.pairsBySetup(trouble)
                        .forEach(
                                (setup, pairs) ->
                                        setups.computeIfAbsent(setup, some -> new LinkedHashMap<>())
                                                .put(point, pairs));
            }
        }
        return setups.values().stream()
                .max(
                        Comparator.<Map<Point, Pairs>>comparingLong(
                                        points ->
                                                points.values().stream()
                                                        .filter(Pairs::isEnough)
                                                        .count())
                                .thenComparing(points -> last(points.values())))
                .map(OnsetSweep::new);
    }

    private static Round last(Collection<Pairs> all) {
        return all.stream().map(Pairs::lastRound).max(Comparator.naturalOrder()).orElseThrow();
    }

    /** What all of it is of. */
    Setup setup() {
        return points.values().iterator().next().setup();
    }

    /** In order. */
    List<Integer> percents() {
        return percents(points.keySet());
    }

    /** In order. */
    List<Integer> factors() {
        return factors(points.keySet());
    }

    static List<Integer> percents(Collection<Point> points) {
        return points.stream().map(Point::percent).distinct().sorted().toList();
    }

    static List<Integer> factors(Collection<Point> points) {
        return points.stream().map(Point::factor).distinct().sorted().toList();
    }

    /** Empty if there is no such point. */
    Optional<Pairs> pairs(int percent, int factor) {
        return Optional.ofNullable(points.get(new Point(percent, factor)));
    }

    /** CloneHadoop's job time over Hadoop's. */
    Optional<MeanRatio> overStock(int percent, int factor) {
        return pairs(percent, factor).map(pairs -> pairs.overStock().mean());
    }

    /**
     * What a clone takes over what a map usually takes, t_clone / t̄, in the middle of those jobs;
     * empty if no clone ran.
     */
    Optional<Double> cloneShare() {
        Runs clones =
                new Runs(
                        points.values().stream()
                                .flatMap(pairs -> pairs.other().all().stream())
                                .toList());
        Optional<Double> cloneMillis = clones.median(run -> run.job().orderToRunningMillis());
        return clones.median(run -> run.job().mapSeconds())
                .flatMap(seconds -> cloneMillis.map(millis -> millis / 1000 / seconds));
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
