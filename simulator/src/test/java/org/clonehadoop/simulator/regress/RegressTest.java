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
package org.clonehadoop.simulator.regress;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RegressTest {
    private static final Path EXPECTED = Path.of("src/test/expected.json");

    @Test
    void todaysRulesAreAsGoodAsThoseThatWereAcceptedLast() throws IOException {
        Comparison comparison = new Comparison(Results.read(EXPECTED), Results.simulate());

        System.out.print(comparison.table());
        assertThat(comparison.failures()).isEmpty();
    }

    @Test
    void inTheFurtherScenariosTheyAreAsGood() throws IOException {
        FurtherRatios now = FurtherRatios.simulate();
        FurtherRatios before = FurtherRatios.read(Path.of("src/test/further.json"));

        System.out.print(now.table(before));
        assertThat(now.failures(before)).isEmpty();
    }

    @Test
    void aFurtherScenarioMayBeWorseByThreePercentThanItWas() {
        FurtherRatios before = new FurtherRatios(Map.of("hosts-become-well", 1.0));

        assertThat(new FurtherRatios(Map.of("hosts-become-well", 1.029)).failures(before))
                .isEmpty();
        assertThat(new FurtherRatios(Map.of("hosts-become-well", 1.04)).failures(before))
                .containsExactly(
                        "hosts-become-well: ours takes 1.040 times stock's time, and may take 1.030");
        assertThat(new FurtherRatios(Map.of("earthquake", 0.5)).failures(before))
                .containsExactly(
                        "other further scenarios than those that were accepted: run with --accept,"
                                + " and say why in the commit");
    }

    @Test
    void oursMayTakeTwoPercentMoreThanStocksAndNoMore() {
        assertThat(new Comparison(ours(100), ours(102)).failures()).isEmpty();
        assertThat(new Comparison(ours(100), ours(103)).failures())
                .anyMatch(failure -> failure.startsWith("even: ours takes 1.030"));
    }

    @Test
    void whatWasAcceptedLastIsNoExcuseForALoss() {
        assertThat(new Comparison(ours(150), ours(150)).failures())
                .containsExactly("even: ours takes 1.5000 times stock's time, and may take 1.0200");
    }

    /** It is far below stock's time, and hardly moves the mean of all. */
    @Test
    void noScenarioMayBecomeWorseByMoreThanThreePercent() {
        assertThat(new Comparison(ours(40), ours(41)).failures()).isEmpty();
        assertThat(new Comparison(ours(40), ours(50)).failures())
                .containsExactly("even: ours takes 0.5000 times stock's time, and may take 0.4120");
    }

    @Test
    void theMeanOfAllMayGrowByAPercent() {
        assertThat(new Comparison(all("ours", 50), all("ours", 50.5)).failures()).isEmpty();
        assertThat(new Comparison(all("ours", 50), all("ours", 51)).failures())
                .containsExactly("the geometric mean of ours over stock's is 0.510, and was 0.500");
    }

    /** By the ratios alone ours would have gained. */
    @ParameterizedTest
    @ValueSource(strings = {"stock", "paper", "oracle"})
    void anotherModelHasToBeAccepted(String other) {
        int scenarios = Scenarios.all().size();

        assertThat(new Comparison(all(other, 100), all(other, 110)).failures())
                .containsExactly(
                        String.format(
                                "the model has changed: with %s even takes 110.0 s instead of 100.0"
                                        + " (%d of %d scenarios differ): run with --accept, and say"
                                        + " why in the commit",
                                other, scenarios, scenarios));
        assertThat(new Comparison(all(other, 100), all(other, 99.9)).failures()).hasSize(1);
    }

    /** Else a new one's low ratio would hide in the mean what others have lost. */
    @Test
    void scenariosThatOneSideLacksAreNamedAndNotInTheMean() {
        Results old = all("ours", 50);
        Map<String, Double> more = new HashMap<>(all("ours", 51).seconds());
        put(more, "earthquake", 1);

        assertThat(new Comparison(old, new Results(more)).failures())
                .containsExactly(
                        "earthquake: is in the catalogue and wasn't accepted: run with --accept,"
                                + " and say why in the commit",
                        "the geometric mean of ours over stock's is 0.510, and was 0.500");
        assertThat(new Comparison(new Results(more), old).failures())
                .containsExactly(
                        "earthquake: was accepted and isn't in the catalogue now: run with"
                                + " --accept, and say why in the commit");
    }

    @Test
    void aScenarioWithoutOneOfTheSpeculatorsIsLacking() {
        Map<String, Double> less = new HashMap<>(ours(40).seconds());
        less.remove("even paper");

        assertThat(new Comparison(new Results(less), ours(40)).failures())
                .singleElement()
                .satisfies(failure -> assertThat(failure).startsWith("even: "));
    }

    /** All scenarios alike but for one, in which ours takes so long where stock's takes 100 s. */
    private static Results ours(double seconds) {
        Map<String, Double> all = new HashMap<>(all("ours", 80).seconds());
        put(all, "even", seconds);
        return new Results(all);
    }

    /** All scenarios alike, with so long a time of one speculator. */
    private static Results all(String speculator, double seconds) {
        Map<String, Double> all = new HashMap<>();
        for (String scenario : Scenarios.all().keySet()) {
            put(all, scenario, 80);
            all.put(scenario + " " + speculator, seconds);
        }
        return new Results(all);
    }

    private static void put(Map<String, Double> all, String scenario, double seconds) {
        all.put(scenario + " stock", 100.0);
        all.put(scenario + " paper", 100.0);
        all.put(scenario + " ours", seconds);
        all.put(scenario + " oracle", 50.0);
    }
}
