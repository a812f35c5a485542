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

class RegressTest {
    private static final Path EXPECTED = Path.of("src/test/expected.json");

    @Test
    void todaysRulesAreAsGoodAsThoseThatWereAcceptedLast() throws IOException {
        Comparison comparison = new Comparison(Results.read(EXPECTED), Results.simulate());

        System.out.print(comparison.table());
        assertThat(comparison.failures()).isEmpty();
    }

    @Test
    void oursMayTakeTwoPercentMoreThanStocksAndNoMore() {
        assertThat(new Comparison(ours(100), ours(102)).failures()).isEmpty();
        assertThat(new Comparison(ours(100), ours(103)).failures())
                .anyMatch(failure -> failure.startsWith("even: ours takes 1.030"));
    }

    @Test
    void whatWasAcceptedAsWorseMayStaySo() {
        assertThat(new Comparison(ours(150), ours(151)).failures()).isEmpty();
        assertThat(new Comparison(ours(150), ours(153)).failures()).isNotEmpty();
    }

    @Test
    void theMeanOfAllMayGrowByAPercent() {
        Map<String, Double> slower = new HashMap<>();
        Map<String, Double> before = new HashMap<>();
        for (String scenario : Scenarios.all().keySet()) {
            put(before, scenario, 50);
            put(slower, scenario, 51);
        }

        assertThat(new Comparison(new Results(before), new Results(slower)).failures())
                .singleElement()
                .satisfies(failure -> assertThat(failure).startsWith("the geometric mean"));
    }

    /** All scenarios alike but for one, in which ours takes so long where stock's takes 100 s. */
    private static Results ours(double seconds) {
        Map<String, Double> all = new HashMap<>();
        Scenarios.all().keySet().forEach(scenario -> put(all, scenario, 80));
        put(all, "even", seconds);
        return new Results(all);
    }

    private static void put(Map<String, Double> all, String scenario, double seconds) {
        all.put(scenario + " stock", 100.0);
        all.put(scenario + " paper", 100.0);
        all.put(scenario + " ours", seconds);
        all.put(scenario + " oracle", 50.0);
    }
}
