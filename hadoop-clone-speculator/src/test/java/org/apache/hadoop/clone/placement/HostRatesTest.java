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
package org.apache.hadoop.clone.placement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;
import static org.assertj.core.api.Assertions.within;

import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import org.apache.hadoop.clone.placement.HostRates.Stint;
import org.junit.jupiter.api.Test;

class HostRatesTest {
    private final Memory memory = new Memory();
    private final HostRates<Integer> rates = new HostRates<>(PlacementRules.PRESET, memory);

    /** An attempt of which no bytes are known. */
    private static Stint stint(String host, long start, long asOf, double done) {
        return new Stint(host, start, asOf, done, 0);
    }

    private void runs(int attempt, Stint... stints) {
        for (Stint stint : stints) {
            rates.reported(attempt, stint);
        }
    }

    private Map<String, Double> rates(long now) {
        return rates.rates(now).entrySet().stream()
                .collect(Collectors.toMap(Map.Entry::getKey, host -> host.getValue().work()));
    }

    private void ran(int attempt, String host, long start, long end) {
        runs(attempt, stint(host, start, start, 0));
        rates.ended(attempt, stint(host, start, end, 1));
    }

    @Test
    void aHostsRateIsAllOfItsWorkOverAllOfItsTime() {
        ran(0, "b", 100, 200);
        runs(1, stint("b", 140, 170, 0.25), stint("b", 140, 200, 0.5));
        runs(2, stint("c", 150, 200, 0.25));
        assertThat(rates(200)).containsOnly(entry("b", 1.5 / 160), entry("c", 0.25 / 50));
        assertThat(rates(240)).containsOnly(entry("b", 1.5 / 200), entry("c", 0.25 / 90));
        assertThat(rates.rates(240).get("b").millis()).isEqualTo(200);
    }

    @Test
    void whereBytesAreKnownASmallAttemptIsLittleWork() {
        runs(0, new Stint("large", 100, 200, 0.5, 4000));
        runs(1, new Stint("small", 100, 200, 0.5, 1000));
        runs(2, stint("generates", 100, 200, 0.5));
        assertThat(rates(200))
                .containsOnly(entry("large", 20.0), entry("small", 5.0), entry("generates", 0.0));
    }

    /** Four have begun at once on a node that was empty, and report for the first time later. */
    @Test
    void aHostThatHasNotHadTheTimeToTellIsNotSlow() {
        ran(0, "a", 0, 60_000);
        for (int attempt = 1; attempt <= 4; attempt++) {
            runs(attempt, stint("new", 60_000, 60_000, 0));
        }
        assertThat(rates(64_000)).containsOnlyKeys("a");
        assertThat(rates(75_001)).containsEntry("new", 0.0); // so long takes a whole one
    }

    @Test
    void anAttemptThatOnlyLaterTellsItsBytesHasDoneThemFromItsBeginning() {
        runs(0, stint("a", 100, 150, 0.25), new Stint("a", 100, 200, 0.5, 4000));
        assertThat(rates(200)).containsOnly(entry("a", 20.0));
    }

    @Test
    void anAttemptThatWasCutShortHasDoneWhatItReportedInTheTimeUntilThen() {
        runs(0, stint("a", 100, 180, 0.25));
        rates.stopped(0);
        rates.stopped(1);
        assertThat(rates(500)).containsOnly(entry("a", 0.25 / 80));
    }

    @Test
    void whatIsSaidOfAnAttemptThatHasEndedIsNothingNew() {
        ran(0, "a", 100, 200);
        rates.ended(0, stint("a", 100, 200, 1));
        assertThat(rates(300)).containsOnly(entry("a", 0.01));
    }

    @Test
    void unknownProgressIsNone() {
        runs(0, stint("a", 100, 150, Double.NaN));
        runs(1, stint("b", 100, 150, -1));
        assertThat(rates(200)).containsOnly(entry("a", 0.0), entry("b", 0.0));
        runs(0, stint("a", 100, 200, 0.5));
        assertThat(rates(200)).containsEntry("a", 0.5 / 100);
    }

    /** At first 20 parts in 2000 ms, and then 1 part in 1000 ms. */
    @Test
    void aHostThatHasBecomeSlowIsOne() {
        memory.lasts(500);
        for (int i = 0; i < 20; i++) {
            ran(i, "a", 100 * i, 100 * (i + 1));
        }
        assertThat(rates(2000).get("a")).isEqualTo(0.01, within(1e-9));
        runs(20, stint("a", 2000, 2500, 0.5), stint("a", 2000, 3000, 1));
        // Of the fast time 541.6 ms were remembered, now 73.3; of the slow 183.9 and 500.
        assertThat(rates(3000).get("a")).isEqualTo((0.733 + 0.684) / 757.2, within(1e-5));
    }

    @Test
    void aHostThatWasLeftAloneIsNotKnownAnyMore() {
        memory.lasts(100);
        ran(0, "a", 0, 100);
        ran(1, "b", 200, 300);
        assertThat(rates(300)).containsOnlyKeys("a", "b");
        assertThat(rates(331)).as("a tenth of 100 ms").containsOnlyKeys("b");
    }

    @Test
    void timeBeforeTheMapsEndedDoesNotCount() {
        ran(0, "ended before", 100, 190);
        runs(1, stint("ended", 100, 180, 0.2));
        runs(2, stint("runs", 100, 180, 0.2));
        rates.countFrom(200);
        rates.ended(1, stint("ended", 100, 300, 0.4));
        runs(2, stint("runs", 100, 300, 0.8));
        runs(3, stint("late", 250, 300, 0.5));
        Map<String, Double> counted = rates(300);
        assertThat(counted).containsOnlyKeys("ended", "runs", "late");
        assertThat(counted.get("ended")).isEqualTo(0.2 / 100, within(1e-9));
        assertThat(counted.get("runs")).isEqualTo(0.6 / 100, within(1e-9));
        assertThat(counted.get("late")).isEqualTo(0.5 / 50, within(1e-9));
    }

    @Test
    void theUsualTimeIsThatOfAllWork() {
        assertThat(rates.usualMillis(0)).isZero();
        runs(2, stint("c", 100, 100, 0));
        assertThat(rates.usualMillis(150)).as("nothing was done").isZero();
        rates.stopped(2);
        runs(1, stint("b", 100, 200, 0.25));
        assertThat(rates.usualMillis(200)).as("it may have more to tell").isZero();
        ran(0, "a", 100, 200);
        assertThat(rates.usualMillis(200)).isEqualTo(200 / 1.25);
        assertThat(rates.usualMillis(250)).isEqualTo(250 / 1.25);
    }

    @Test
    void theLastEndIsKnown() {
        assertThat(rates.lastEnd()).isZero();
        ran(0, "a", 100, 300);
        ran(1, "a", 100, 200);
        runs(2, stint("a", 400, 450, 0.1));
        assertThat(rates.lastEnd()).isEqualTo(300);
    }

    /** However often they report, and in whatever order they do. */
    @Test
    void sumsThatAreKeptAreThoseOfAllStints() {
        Random random = new Random(1);
        Map<Integer, Stint> all = new HashMap<>();
        for (int i = 0; i < 20_000; i++) {
            int attempt = random.nextInt(500);
            Stint before = all.get(attempt);
            Stint next =
                    before == null
                            ? new Stint("h" + random.nextInt(20), i, i, 0, 1 + random.nextInt(9))
                            : new Stint(
                                    before.host(),
                                    before.start(),
                                    i,
                                    (1 + before.done()) / 2,
                                    before.bytes());
            all.put(attempt, next);
            rates.reported(attempt, next);
        }
        HostRates<Integer> fresh = new HostRates<>(PlacementRules.PRESET, memory);
        all.forEach(fresh::reported);
        Map<String, Double> kept = rates(20_000);
        assertThat(kept).hasSize(20).hasSameSizeAs(fresh.rates(20_000));
        fresh.rates(20_000)
                .forEach(
                        (host, rate) ->
                                assertThat(kept.get(host)).isEqualTo(rate.work(), within(1e-9)));
    }
}
