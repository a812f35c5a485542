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
import org.apache.hadoop.clone.placement.HostRates.Stint;
import org.junit.jupiter.api.Test;

class HostRatesTest {
    private final HostRates<Integer> rates = new HostRates<>();

    @Test
    void aHostsRateIsAllOfItsWorkOverAllOfItsTime() {
        rates.put(0, new Stint("b", 100, 200, 1)); // 100 ms
        rates.put(1, new Stint("b", 140, 0, 0.5)); // 60 ms by 200
        rates.put(2, new Stint("c", 150, 0, 0.25));
        assertThat(rates.rates(200)).containsOnly(entry("b", 1.5 / 160), entry("c", 0.25 / 50));
        assertThat(rates.rates(240)).containsOnly(entry("b", 1.5 / 200), entry("c", 0.25 / 90));
    }

    @Test
    void whatIsSaidOfAnAttemptTakesThePlaceOfWhatWasSaidBefore() {
        rates.put(0, new Stint("a", 100, 0, 0.5));
        rates.put(0, new Stint("a", 100, 0, 0.75));
        assertThat(rates.rates(200)).containsOnly(entry("a", 0.75 / 100));
        rates.put(0, new Stint("a", 100, 150, 1));
        assertThat(rates.rates(200)).containsOnly(entry("a", 1.0 / 50));
        rates.remove(0);
        assertThat(rates.rates(200)).isEmpty();
    }

    @Test
    void anAttemptOfUnknownProgressIsNoWork() {
        rates.put(0, new Stint("a", 100, 0, Double.NaN));
        rates.put(1, new Stint("b", 100, 0, -1));
        assertThat(rates.rates(200)).isEmpty();
        rates.put(0, new Stint("a", 100, 0, 0.5));
        assertThat(rates.rates(200)).containsOnlyKeys("a");
    }

    @Test
    void timeBeforeTheMapsEndedDoesNotCount() {
        rates.put(0, new Stint("ended before", 100, 190, 1));
        rates.put(1, new Stint("ended", 100, 300, 1));
        rates.put(2, new Stint("runs", 100, 0, 0.5));
        rates.countFrom(200);
        rates.put(3, new Stint("late", 250, 0, 0.5));
        assertThat(rates.rates(300))
                .containsOnly(
                        entry("ended", 1.0 / 100), entry("runs", 0.5 / 100), entry("late", 0.01));
        rates.countFrom(0);
        assertThat(rates.rates(300)).containsEntry("ended before", 1.0 / 90);
    }

    @Test
    void theLastEndIsKnown() {
        assertThat(rates.lastEnd()).isZero();
        rates.put(0, new Stint("a", 100, 300, 1));
        rates.put(1, new Stint("a", 100, 200, 1));
        rates.put(2, new Stint("a", 400, 0, 0.1));
        assertThat(rates.lastEnd()).isEqualTo(300);
    }

    /** Whatever came before, what counts is what is true now. */
    @Test
    void sumsThatAreKeptAreThoseOfAllStints() {
        Random random = new Random(1);
        Map<Integer, Stint> all = new HashMap<>();
        for (int i = 0; i < 20_000; i++) {
            int attempt = random.nextInt(500);
            if (random.nextInt(5) == 0) {
                all.remove(attempt);
                rates.remove(attempt);
            } else {
                long start = random.nextInt(1000);
                long end = random.nextBoolean() ? 0 : start + 1 + random.nextInt(100);
                Stint stint = new Stint("h" + random.nextInt(20), start, end, random.nextDouble());
                all.put(attempt, stint);
                rates.put(attempt, stint);
            }
        }
        HostRates<Integer> fresh = new HostRates<>();
        all.forEach(fresh::put);
        Map<String, Double> kept = rates.rates(2000);
        assertThat(kept).hasSize(20).hasSameSizeAs(fresh.rates(2000));
        fresh.rates(2000)
                .forEach((host, rate) -> assertThat(kept.get(host)).isEqualTo(rate, within(1e-9)));
    }
}
