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
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.ToDoubleBiFunction;
import java.util.stream.Stream;

/**
 * What became of whole jobs. Of each trouble one setup is shown and no other: of those with enough
 * pairs of Hadoop's run and CloneHadoop's the one that was measured last, so that one of which
 * rounds are still to come doesn't displace another; if none has enough, the last with a pair.
 * Times are compared within a round only, since the machine's own speed changes from hour to hour.
 */
final class WholeJobs {
    static final String STOCK = "stock";
    static final String ALL = "all";

    /** By trouble, setup, round and variant; troubles in the order in which they were first run. */
    private final Map<String, Map<Setup, SortedMap<Round, Map<String, Run>>>> runs =
            new LinkedHashMap<>();

    /**
     * @throws IllegalArgumentException if a run is there twice
     */
    WholeJobs(Collection<Run> all) {
        all.stream().sorted(Comparator.comparing(Run::round)).forEach(this::add);
    }

    static WholeJobs of(Collection<JobLine> lines) {
        return new WholeJobs(lines.stream().map(Run::of).toList());
    }

    private void add(Run run) {
        Run same =
                runs.computeIfAbsent(run.job().trouble(), some -> new LinkedHashMap<>())
                        .computeIfAbsent(run.setup(), some -> new TreeMap<>())
                        .computeIfAbsent(run.round(), some -> new LinkedHashMap<>())
                        .put(run.job().variant(), run);
        if (same != null) {
            throw new IllegalArgumentException(
                    String.format(
                            "%s, %s, round %s is there twice",
                            run.job().trouble(), run.job().variant(), run.job().round()));
        }
    }

    /** In the order in which they were first run. */
    List<String> troubles() {
        return List.copyOf(runs.keySet());
    }

    /** All that a trouble was run with, in any setup, stock first. */
    List<String> variants(String trouble) {
        return rounds(trouble)
                .flatMap(round -> round.keySet().stream())
                .distinct()
                .sorted(
                        Comparator.<String, Boolean>comparing(variant -> !variant.equals(STOCK))
                                .thenComparing(Comparator.naturalOrder()))
                .toList();
    }

    /** All runs, of every setup. */
    List<Run> all() {
        return runs.keySet().stream()
                .flatMap(this::rounds)
                .flatMap(round -> round.values().stream())
                .toList();
    }

    private Stream<Map<String, Run>> rounds(String trouble) {
        return runs.getOrDefault(trouble, Map.of()).values().stream()
                .flatMap(rounds -> rounds.values().stream());
    }

    /** CloneHadoop's with Hadoop's, of the setup that is shown; empty if there is no pair. */
    Optional<Pairs> pairs(String trouble) {
        return pairs(trouble, ALL);
    }

    /** The same; empty as well if they are too few for a verdict. */
    Optional<Pairs> enoughPairs(String trouble) {
        return pairs(trouble).filter(Pairs::isEnough);
    }

    /** Another variant's with Hadoop's, of the setup that has enough of them and was last. */
    Optional<Pairs> pairs(String trouble, String variant) {
        return shown(pairsBySetup(trouble, variant).values(), Function.identity());
    }

    /** CloneHadoop's with Hadoop's of each setup that has a pair. */
    Map<Setup, Pairs> pairsBySetup(String trouble) {
        return pairsBySetup(trouble, ALL);
    }

    /** Another variant's. */
    Map<Setup, Pairs> pairsBySetup(String trouble, String variant) {
        Map<Setup, Pairs> found = new LinkedHashMap<>();
        bySetup(trouble, List.of(variant))
                .forEach((setup, pairs) -> found.put(setup, pairs.get(variant)));
        return found;
    }

    /**
     * Of rounds in which Hadoop ran and all these variants did: each one's with Hadoop's, by
     * variant, of the setup that has enough such rounds and was last.
     */
    Optional<Map<String, Pairs>> together(String trouble, List<String> variants) {
        return shown(bySetup(trouble, variants).values(), pairs -> pairs.get(variants.get(0)));
    }

    private Map<Setup, Map<String, Pairs>> bySetup(String trouble, List<String> variants) {
        Map<Setup, Map<String, Pairs>> found = new LinkedHashMap<>();
        runs.getOrDefault(trouble, Map.of())
                .forEach(
                        (setup, rounds) -> {
                            List<Map<String, Run>> whole =
                                    rounds.values().stream()
                                            .filter(round -> round.containsKey(STOCK))
                                            .filter(round -> round.keySet().containsAll(variants))
                                            .toList();
                            if (!whole.isEmpty()) {
                                found.put(setup, pairs(trouble, whole, variants));
                            }
                        });
        return found;
    }

    private static Map<String, Pairs> pairs(
            String trouble, List<Map<String, Run>> rounds, List<String> variants) {
        Map<String, Pairs> pairs = new LinkedHashMap<>();
        for (String variant : variants) {
            pairs.put(
                    variant,
                    new Pairs(
                            trouble,
                            rounds.stream()
                                    .map(
                                            round ->
                                                    new Pairs.Pair(
                                                            round.get(STOCK), round.get(variant)))
                                    .toList()));
        }
        return pairs;
    }

    private <T> Optional<T> shown(Collection<T> candidates, Function<T, Pairs> pairs) {
        return candidates.stream()
                .max(
                        Comparator.<T, Boolean>comparing(one -> pairs.apply(one).isEnough())
                                .thenComparing(one -> pairs.apply(one).lastRound()));
    }

    /**
     * The setup in which all these troubles have enough pairs, the last if there are several; if
     * there is none, the last in which all have one. So that rows beside each other are of one
     * version.
     */
    Optional<Setup> common(List<String> troubles) {
        List<Map<Setup, Pairs>> of = troubles.stream().map(this::pairsBySetup).toList();
        return of.get(0).keySet().stream()
                .filter(setup -> of.stream().allMatch(pairs -> pairs.containsKey(setup)))
                .max(
                        Comparator.<Setup, Boolean>comparing(
                                        setup ->
                                                of.stream()
                                                        .map(pairs -> pairs.get(setup))
                                                        .allMatch(Pairs::isEnough))
                                .thenComparing(
                                        setup ->
                                                of.stream()
                                                        .map(pairs -> pairs.get(setup).lastRound())
                                                        .max(Comparator.naturalOrder())
                                                        .orElseThrow()));
    }

    /** CloneHadoop's with Hadoop's of one trouble and setup. */
    Optional<Pairs> pairs(String trouble, Setup setup) {
        return Optional.ofNullable(pairsBySetup(trouble).get(setup));
    }

    /** Of setups that were measured later than what is shown, with too few pairs; by time. */
    List<Pairs> newer() {
        List<Pairs> newer = new ArrayList<>();
        for (String trouble : runs.keySet()) {
            pairs(trouble)
                    .ifPresent(
                            shown ->
                                    pairsBySetup(trouble).values().stream()
                                            .filter(
                                                    pairs ->
                                                            pairs.lastRound()
                                                                            .compareTo(
                                                                                    shown
                                                                                            .lastRound())
                                                                    > 0)
                                            .forEach(newer::add));
        }
        newer.sort(Comparator.comparing(Pairs::lastRound));
        return newer;
    }

    /**
     * Runs that have no partner in their round, of every setup: Hadoop's where CloneHadoop's lacks,
     * and a variant's where Hadoop's does; each setup's of one variant.
     */
    List<Runs> alone(String trouble) {
        List<Runs> alone = new ArrayList<>();
        for (SortedMap<Round, Map<String, Run>> rounds :
                runs.getOrDefault(trouble, Map.of()).values()) {
            Map<String, List<Run>> byVariant = new LinkedHashMap<>();
            for (Map<String, Run> round : rounds.values()) {
                round.forEach(
                        (variant, run) -> {
                            if (!round.containsKey(variant.equals(STOCK) ? ALL : STOCK)) {
                                byVariant
                                        .computeIfAbsent(variant, first -> new ArrayList<>())
                                        .add(run);
                            }
                        });
            }
            byVariant.values().forEach(some -> alone.add(new Runs(some)));
        }
        return alone;
    }

    /** CloneHadoop's with Hadoop's of all setups; empty if there is no pair. */
    Optional<Pairs> ever(String trouble) {
        return ever(trouble, ALL);
    }

    /** Another variant's. */
    Optional<Pairs> ever(String trouble, String variant) {
        return ever(trouble, STOCK, variant);
    }

    /**
     * Another variant's with one that stands in Hadoop's place, whatever else their rounds have.
     */
    Optional<Pairs> ever(String trouble, String base, String variant) {
        List<Pairs.Pair> all =
                rounds(trouble)
                        .filter(round -> round.keySet().containsAll(List.of(base, variant)))
                        .map(round -> new Pairs.Pair(round.get(base), round.get(variant)))
                        .sorted(Comparator.comparing(pair -> pair.stock().round()))
                        .toList();
        return all.isEmpty() ? Optional.empty() : Optional.of(new Pairs(trouble, all));
    }

    /** A variant's runs in a setup, with or without Hadoop's in their rounds. */
    Optional<Runs> runs(String trouble, Setup setup, String variant) {
        List<Run> all =
                rounds(trouble, setup).values().stream()
                        .flatMap(round -> Stream.ofNullable(round.get(variant)))
                        .toList();
        return all.isEmpty() ? Optional.empty() : Optional.of(new Runs(all));
    }

    /** A variant's runs of every setup, with or without partners, by time. */
    List<Run> all(String trouble, String variant) {
        return rounds(trouble)
                .flatMap(round -> Stream.ofNullable(round.get(variant)))
                .sorted(Comparator.comparing(Run::round))
                .toList();
    }

    private SortedMap<Round, Map<String, Run>> rounds(String trouble, Setup setup) {
        return runs.getOrDefault(trouble, Map.of()).getOrDefault(setup, new TreeMap<>());
    }

    /** Hadoop's jobs without trouble, as full and as long, of the rounds of these. */
    Optional<Runs> even(Pairs of) {
        List<Run> evens =
                of.stock().all().stream().flatMap(run -> even(run, STOCK).stream()).toList();
        return evens.isEmpty() ? Optional.empty() : Optional.of(new Runs(evens));
    }

    private Optional<Run> even(Run of, String variant) {
        return Experiment.evenOf(of.job().trouble())
                .map(even -> rounds(even, of.setup()).getOrDefault(of.round(), Map.of()))
                .map(round -> round.get(variant));
    }

    /**
     * Time over that of Hadoop's job without trouble, as full and as long as its own, in the same
     * round and setup.
     *
     * @return empty if there is no such job
     */
    Optional<Ratios> overEven(Runs of) {
        return withEven(of, STOCK, (run, even) -> run.seconds() / even.seconds());
    }

    /** CloneHadoop's time without trouble over these, in the same round and setup. */
    Optional<Ratios> evenOver(Runs of) {
        return withEven(of, ALL, (run, even) -> even.seconds() / run.seconds());
    }

    private Optional<Ratios> withEven(Runs of, String variant, ToDoubleBiFunction<Run, Run> ratio) {
        List<Round> rounds = new ArrayList<>();
        List<Double> ratios = new ArrayList<>();
        for (Run run : of.all()) {
            even(run, variant)
                    .ifPresent(
                            even -> {
                                rounds.add(run.round());
                                ratios.add(ratio.applyAsDouble(run, even));
                            });
        }
        return ratios.isEmpty() ? Optional.empty() : Optional.of(Ratios.bySession(rounds, ratios));
    }

    /**
     * Time over that of Hadoop's runs with another trouble, in whatever round.
     *
     * @return empty if there are none of the same setup
     */
    Optional<MeanRatio> overAny(Runs of, String trouble) {
        return runs(trouble, of.all().get(0).setup(), STOCK)
                .map(bases -> MeanRatio.ofMeans(of.timesBySession(), bases.timesBySession()));
    }

    /**
     * A variant's runs of the setup that was measured last, with or without Hadoop's.
     *
     * @throws java.util.NoSuchElementException if it was never run
     */
    Runs last(String trouble, String variant) {
        List<Run> all = all(trouble, variant);
        Setup last = all.stream().reduce((one, next) -> next).orElseThrow().setup();
        return new Runs(all.stream().filter(run -> run.setup().equals(last)).toList());
    }
}
