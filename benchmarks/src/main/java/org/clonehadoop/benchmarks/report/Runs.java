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
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;
import org.clonehadoop.benchmarks.harness.Series;

/** Runs of one trouble, variant and setup, in order. */
record Runs(List<Run> all) {
    int count() {
        return all.size();
    }

    Series seconds() {
        return Series.of(all.stream().mapToDouble(Run::seconds).toArray());
    }

    List<Double> times() {
        return all.stream().map(Run::seconds).toList();
    }

    /** Each session's geometric mean: runs of one have its hour and its cluster in common. */
    List<Double> timesBySession() {
        return all.stream()
                .collect(
                        Collectors.groupingBy(
                                run -> run.round().session(),
                                TreeMap::new,
                                Collectors.mapping(Run::seconds, Collectors.toList())))
                .values()
                .stream()
                .map(session -> MeanRatio.of(session).mean())
                .toList();
    }

    /** Container time of attempts that didn't win, of one run in the mean. */
    double thrownAwaySeconds() {
        return all.stream().mapToDouble(run -> run.job().thrownAwaySeconds()).average().orElse(0);
    }

    /** Container time of all attempts, of one run in the mean; empty if a line doesn't tell. */
    Optional<Double> containersSeconds() {
        return all.stream().anyMatch(run -> run.job().containersSeconds() == null)
                ? Optional.empty()
                : Optional.of(
                        all.stream()
                                .mapToDouble(run -> run.job().containersSeconds())
                                .average()
                                .orElse(0));
    }

    int sum(ToIntFunction<JobLine> of) {
        return all.stream().map(Run::job).mapToInt(of).sum();
    }

    /**
     * Such as "9 clones, 1 from zero, 3 begun elsewhere": these ran beside no other attempt of
     * their task, as it was killed or gave its container back, and couldn't lose. If a line doesn't
     * tell which they are: "9 clones, 4 others".
     */
    String winners() {
        int clones = sum(JobLine::clonesWon);
        int others = sum(JobLine::extraAttemptsWon) - clones;
        if (others > 0 && !all.stream().map(Run::job).allMatch(JobLine::tellsOfWinners)) {
            return clones + " clones, " + others + " others";
        }
        int elsewhere = sum(JobLine::winnersBesideNobody);
        return clones
                + " clones, "
                + (others - elsewhere)
                + " from zero"
                + (elsewhere == 0 ? "" : ", " + elsewhere + " begun elsewhere");
    }

    /** Such as "3 of 5": in how many a task had two attempts at once; empty if no line tells. */
    Optional<String> triedIn(String task) {
        List<List<String>> speculated = speculated();
        return speculated.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        speculated.stream().filter(tasks -> tasks.contains(task)).count()
                                + " of "
                                + speculated.size());
    }

    /** How often another task than that one had two attempts at once; empty if no line tells. */
    Optional<Long> othersTried(String task) {
        List<List<String>> speculated = speculated();
        return speculated.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        speculated.stream()
                                .flatMap(List::stream)
                                .filter(other -> !other.equals(task))
                                .count());
    }

    /** Such as 4: in how many another attempt of a task won; empty if a line doesn't tell. */
    Optional<Long> wonIn(String task) {
        return all.stream().anyMatch(run -> run.job().winners() == null)
                ? Optional.empty()
                : Optional.of(
                        all.stream().filter(run -> run.job().winners().contains(task)).count());
    }

    /** Of those whose lines tell. */
    private List<List<String>> speculated() {
        return all.stream().map(run -> run.job().speculated()).filter(Objects::nonNull).toList();
    }

    /** In the middle, of runs of which it is known. */
    Optional<Double> median(Function<Run, Double> of) {
        return known(of).map(Series::median);
    }

    /** Of runs of which it is known; empty if there is none. */
    Optional<Series> known(Function<Run, Double> of) {
        double[] known =
                all.stream()
                        .map(of)
                        .filter(Objects::nonNull)
                        .mapToDouble(Double::doubleValue)
                        .toArray();
        return known.length == 0 ? Optional.empty() : Optional.of(Series.of(known));
    }

    /** Such as 51.4 s (41.7–54.8): in the middle, the least, the greatest. */
    @Override
    public String toString() {
        Series seconds = seconds();
        return String.format(
                Locale.ROOT, "%.1f s (%.1f–%.1f)", seconds.median(), seconds.min(), seconds.max());
    }
}
