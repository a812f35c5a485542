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
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Rounds of one trouble, and but for {@link WholeJobs#ever} one setup, in which both Hadoop's run
 * and another variant's are known: all that a row says is of these.
 *
 * @param rounds in order, at least one
 */
record Pairs(String trouble, List<Pair> rounds) {
    private static final double MUCH_STOLEN = 1;

    /** Both of one round. */
    record Pair(Run stock, Run other) {}

    Setup setup() {
        return rounds.get(0).stock().setup();
    }

    int count() {
        return rounds.size();
    }

    /** Such as "5 runs". */
    String countText() {
        return count() + (count() == 1 ? " run" : " runs");
    }

    /** Rounds of one session share its cluster, its input and its hour. */
    long sessions() {
        return rounds.stream().map(pair -> pair.stock().round().session()).distinct().count();
    }

    /** Commits of what was built; one, unless they are of several setups. */
    long versions() {
        return rounds.stream().map(pair -> pair.stock().setup().version()).distinct().count();
    }

    /** The greatest share of the processors' time that others had in a session, in percent. */
    double stolenPercent() {
        return greatest("stolen_percent");
    }

    /** Of a number of the environments of both, such as the load before them. */
    double greatest(String key) {
        return Stream.concat(stock().all().stream(), other().all().stream())
                .mapToDouble(run -> run.environment(key))
                .max()
                .orElse(0);
    }

    /** Whether that is so much that their times are to be distrusted. */
    boolean isDistrusted() {
        return stolenPercent() > MUCH_STOLEN;
    }

    /** Behind a row's name: that it is so, or nothing. */
    String mark() {
        return isDistrusted() ? " †" : "";
    }

    /** Those of which that isn't so; empty if there is none. */
    Optional<Pairs> trusted() {
        return only(pair -> !new Pairs(trouble, List.of(pair)).isDistrusted());
    }

    /** Of how many rounds that is so. */
    long distrusted() {
        return count() - trusted().map(Pairs::count).orElse(0);
    }

    /**
     * Rounds in which a second attempt of Hadoop's has won, where one task is made late one of that
     * task; or none has. Those of which that isn't known are none of these.
     */
    Optional<Pairs> whereHadoops(boolean won) {
        Optional<String> late = Experiment.of(trouble).lateTask();
        return only(pair -> isWon(pair.stock().job(), late).filter(is -> is == won).isPresent());
    }

    /** Empty if there is no such round. */
    Optional<Pairs> only(Predicate<Pair> such) {
        List<Pair> some = rounds.stream().filter(such).toList();
        return some.isEmpty() ? Optional.empty() : Optional.of(new Pairs(trouble, some));
    }

    /**
     * Empty if its line doesn't tell of which task another attempt has won, as older ones don't.
     */
    private static Optional<Boolean> isWon(JobLine job, Optional<String> late) {
        if (late.isEmpty() || job.extraAttemptsWon() == 0) {
            return Optional.of(job.extraAttemptsWon() > 0);
        }
        if (job.winners() != null) {
            return Optional.of(job.winners().contains(late.get()));
        }
        boolean isOneTasks = job.extraAttempts() == 1 && job.speculated() != null;
        return isOneTasks ? Optional.of(job.speculated().contains(late.get())) : Optional.empty();
    }

    /** Such as "1, 2, 1": what each round's delays were drawn by. */
    String seeds() {
        return rounds.stream()
                .map(pair -> String.valueOf(pair.stock().job().drawnBy()))
                .collect(Collectors.joining(", "));
    }

    Round firstRound() {
        return rounds.get(0).stock().round();
    }

    Round lastRound() {
        return rounds.get(count() - 1).stock().round();
    }

    /**
     * The first of them alone: how many there are mustn't depend on what was seen in them.
     *
     * @param most how many
     */
    Pairs first(int most) {
        return new Pairs(trouble, rounds.stream().limit(most).toList());
    }

    Runs stock() {
        return new Runs(rounds.stream().map(Pair::stock).toList());
    }

    /** The other variant's. */
    Runs other() {
        return new Runs(rounds.stream().map(Pair::other).toList());
    }

    /** Whether a verdict may be passed on them. */
    boolean isEnough() {
        return Verdict.isEnough(count(), sessions());
    }

    /** The other's time over Hadoop's, round by round. */
    Ratios roundsOverStock() {
        return Ratios.ofRounds(overStock(rounds, Run::seconds));
    }

    /** The same, session by session where there are enough of them. */
    Ratios overStock() {
        return bySession(rounds, overStock(rounds, Run::seconds));
    }

    private static Ratios bySession(List<Pair> some, List<Double> ratios) {
        return Ratios.bySession(some.stream().map(pair -> pair.stock().round()).toList(), ratios);
    }

    /**
     * The other's time over another variant's, as {@link #overStock}.
     *
     * @param that of the same rounds
     * @throws IllegalArgumentException if it isn't
     */
    Ratios over(Pairs that) {
        if (!stock().equals(that.stock())) {
            throw new IllegalArgumentException("other rounds of " + that.trouble);
        }
        List<Double> ratios = new ArrayList<>();
        for (int number = 0; number < count(); number++) {
            ratios.add(
                    rounds.get(number).other().seconds()
                            / that.rounds.get(number).other().seconds());
        }
        return bySession(rounds, ratios);
    }

    /** The same of the maps' phase; empty if no round of them tells. */
    Optional<Ratios> mapsOverStock() {
        List<Pair> telling =
                rounds.stream()
                        .filter(
                                pair ->
                                        pair.stock().mapsPhaseSeconds().isPresent()
                                                && pair.other().mapsPhaseSeconds().isPresent())
                        .toList();
        return telling.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        bySession(
                                telling,
                                overStock(telling, run -> run.mapsPhaseSeconds().orElseThrow())));
    }

    private static List<Double> overStock(List<Pair> some, ToDoubleFunction<Run> seconds) {
        return some.stream()
                .map(
                        pair ->
                                seconds.applyAsDouble(pair.other())
                                        / seconds.applyAsDouble(pair.stock()))
                .toList();
    }
}
