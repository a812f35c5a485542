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

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.clonehadoop.benchmarks.harness.Series;

/**
 * What became of whole jobs: of each trouble one version and no other, the last of those that were
 * measured often enough, so that one of which rounds are still to come doesn't displace another.
 * Times are compared within a round only, since the machine's own speed changes from hour to hour.
 */
final class WholeJobs {
    static final String STOCK = "stock";
    static final String ALL = "all";
    static final String EVEN = "even";
    private static final String FULL = "-full";
    private static final String LONG = "long-";

    /** Jobs of one trouble and variant. */
    record Cell(String trouble, String variant, List<JobLine> jobs) {
        /** What was measured. */
        String version() {
            return jobs.get(0).commit();
        }

        private String lastRound() {
            return jobs.stream().map(JobLine::round).max(Comparator.naturalOrder()).orElseThrow();
        }

        Series seconds() {
            return Series.of(times().stream().mapToDouble(Double::doubleValue).toArray());
        }

        private List<Double> times() {
            return jobs.stream().map(JobLine::seconds).toList();
        }

        double thrownAwaySeconds() {
            return jobs.stream().mapToDouble(JobLine::thrownAwaySeconds).average().orElse(0);
        }

        int sum(Function<JobLine, Integer> of) {
            return jobs.stream().mapToInt(of::apply).sum();
        }

        /** In the middle, of jobs of which it is known. */
        Optional<Double> median(Function<JobLine, Double> of) {
            return WholeJobs.median(jobs.stream(), of);
        }
    }

    private final Map<String, Map<String, Cell>> cells = new LinkedHashMap<>();
    private final Collection<JobLine> lines;

    /**
     * @param enough rounds of a trouble; where no version has as many the last one counts
     */
    WholeJobs(Collection<JobLine> lines, int enough) {
        this.lines = lines;
        Map<String, String> versions = new LinkedHashMap<>();
        lines.stream()
                .collect(Collectors.groupingBy(JobLine::trouble))
                .forEach((trouble, of) -> versions.put(trouble, version(of, enough)));
        lines.stream()
                .filter(line -> line.commit().equals(versions.get(line.trouble())))
                .sorted(Comparator.comparing(JobLine::round))
                .collect(
                        Collectors.groupingBy(
                                JobLine::trouble,
                                LinkedHashMap::new,
                                Collectors.groupingBy(
                                        JobLine::variant, LinkedHashMap::new, Collectors.toList())))
                .forEach(
                        (trouble, variants) ->
                                variants.forEach(
                                        (variant, jobs) ->
                                                cells.computeIfAbsent(
                                                                trouble,
                                                                some -> new LinkedHashMap<>())
                                                        .put(
                                                                variant,
                                                                new Cell(trouble, variant, jobs))));
    }

    /**
     * The first rounds of each trouble alone: how many there are mustn't depend on what was seen in
     * them.
     */
    static WholeJobs ofFirst(Collection<JobLine> lines, int rounds) {
        WholeJobs all = new WholeJobs(lines, rounds);
        List<JobLine> first = new ArrayList<>();
        for (String trouble : all.troubles()) {
            List<JobLine> jobs =
                    all.cells(trouble).stream().flatMap(cell -> cell.jobs().stream()).toList();
            List<String> kept =
                    jobs.stream().map(JobLine::round).distinct().sorted().limit(rounds).toList();
            jobs.stream().filter(job -> kept.contains(job.round())).forEach(first::add);
        }
        return new WholeJobs(first, rounds);
    }

    /** Rounds of a version that is newer than the one that counts. */
    record Newer(Cell cell, MeanRatio overStock) {}

    /** What there is of CloneHadoop's jobs of newer versions, with too few rounds yet. */
    List<Newer> newer() {
        return lines.stream()
                .collect(Collectors.groupingBy(JobLine::commit, TreeMap::new, Collectors.toList()))
                .values()
                .stream()
                .map(ofVersion -> new WholeJobs(ofVersion, 1))
                .flatMap(this::newerOf)
                .toList();
    }

    private Stream<Newer> newerOf(WholeJobs version) {
        return version.troubles().stream()
                .flatMap(trouble -> version.cell(trouble, ALL).stream())
                .filter(this::isNewer)
                .flatMap(cell -> version.overStock(cell).map(of -> new Newer(cell, of)).stream());
    }

    private boolean isNewer(Cell cell) {
        return cell(cell.trouble(), ALL)
                .filter(shown -> !shown.version().equals(cell.version()))
                .filter(shown -> shown.lastRound().compareTo(cell.lastRound()) < 0)
                .isPresent();
    }

    private static String version(Collection<JobLine> ofTrouble, int enough) {
        Map<String, SortedSet<String>> rounds =
                ofTrouble.stream()
                        .collect(
                                Collectors.groupingBy(
                                        JobLine::commit,
                                        Collectors.mapping(
                                                JobLine::round,
                                                Collectors.toCollection(TreeSet::new))));
        return Collections.max(
                        rounds.entrySet(),
                        Comparator.<Map.Entry<String, SortedSet<String>>, Boolean>comparing(
                                        of -> of.getValue().size() >= enough)
                                .thenComparing(of -> of.getValue().last()))
                .getKey();
    }

    /** In the middle, of jobs of which it is known. */
    static Optional<Double> median(Stream<JobLine> jobs, Function<JobLine, Double> of) {
        double[] known =
                jobs.map(of)
                        .filter(value -> value != null)
                        .mapToDouble(Double::doubleValue)
                        .toArray();
        return known.length == 0 ? Optional.empty() : Optional.of(Series.of(known).median());
    }

    /** In the order in which they were first run. */
    Collection<String> troubles() {
        return cells.keySet();
    }

    /** All that any trouble was run with, stock first. */
    List<String> variants() {
        return Stream.concat(
                        Stream.of(STOCK),
                        cells.values().stream().flatMap(of -> of.keySet().stream()))
                .distinct()
                .toList();
    }

    /** Stock's first. */
    Collection<Cell> cells(String trouble) {
        return cells.get(trouble).values().stream()
                .sorted(Comparator.comparing(cell -> !cell.variant().equals(STOCK)))
                .toList();
    }

    Optional<Cell> cell(String trouble, String variant) {
        return Optional.ofNullable(cells.getOrDefault(trouble, Map.of()).get(variant));
    }

    /** Its time over stock's in the same round; empty if there is no such pair. */
    Optional<MeanRatio> overStock(Cell cell) {
        return over(cell, cell.trouble());
    }

    /**
     * Its time over that of stock's job without trouble, as full and as long as its own, in the
     * same round and version.
     */
    Optional<MeanRatio> overEven(Cell cell) {
        String trouble = cell.trouble();
        return over(
                cell,
                (trouble.startsWith(LONG) ? LONG : "")
                        + EVEN
                        + (trouble.endsWith(FULL) ? FULL : ""));
    }

    /**
     * Its time over that of stock's jobs with another trouble, in whatever round.
     *
     * @return empty if there are none of its version
     */
    Optional<MeanRatio> overAny(Cell cell, String trouble) {
        return cell(trouble, STOCK)
                .filter(base -> base.version().equals(cell.version()))
                .map(base -> MeanRatio.ofMeans(cell.times(), base.times()));
    }

    private Optional<MeanRatio> over(Cell cell, String trouble) {
        Map<String, JobLine> bases =
                cell(trouble, STOCK).stream()
                        .flatMap(stock -> stock.jobs().stream())
                        .collect(Collectors.toMap(JobLine::round, Function.identity()));
        List<Double> ratios =
                cell.jobs().stream()
                        .filter(job -> bases.containsKey(job.round()))
                        .filter(job -> bases.get(job.round()).commit().equals(job.commit()))
                        .map(job -> job.seconds() / bases.get(job.round()).seconds())
                        .toList();
        return ratios.isEmpty() ? Optional.empty() : Optional.of(MeanRatio.of(ratios));
    }
}
