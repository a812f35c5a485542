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
package org.clonehadoop.simulator.figures;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.clonehadoop.simulator.mapreduce.RunRecord;
import org.clonehadoop.simulator.mapreduce.RunRecord.Order;
import org.clonehadoop.simulator.mapreduce.ThrownAway;
import org.clonehadoop.simulator.mapreduce.ThrownAway.Share;
import org.junit.jupiter.api.Test;

class ObservationTest {
    private static final Share NOTHING = new Share(0, 0);

    private static RunRecord run(double maps, double job, Order... orders) {
        return new RunRecord(
                job,
                maps,
                maps / 2,
                maps,
                4,
                0,
                1,
                0,
                0,
                new ThrownAway(new Share(70, 1), NOTHING, NOTHING, new Share(30, 1)),
                1000,
                0,
                0,
                0,
                List.of(orders),
                List.of(),
                Collections.emptySortedSet());
    }

    private static RunRecord taking(double job) {
        return run(job / 2, job);
    }

    private static Grid grid(RunRecord hadoop, RunRecord late, RunRecord paper) {
        return new Grid(Map.of("128 GB", variants(hadoop, late, paper)));
    }

    private static Map<Variant, Outcome> variants(
            RunRecord hadoop, RunRecord late, RunRecord paper) {
        Map<Variant, Outcome> variants = new EnumMap<>(Variant.class);
        variants.put(Variant.HADOOP, new Outcome(List.of(hadoop)));
        variants.put(Variant.LATE, new Outcome(List.of(late)));
        variants.put(Variant.PAPER, new Outcome(List.of(paper)));
        return variants;
    }

    /** The paper's algorithm over LATE, point by point. */
    private static Grid ratios(double... ratios) {
        Map<String, Map<Variant, Outcome>> points = new LinkedHashMap<>();
        for (double ratio : ratios) {
            points.put(
                    "point " + points.size(),
                    variants(taking(1000), taking(1000), taking(1000 * ratio)));
        }
        return new Grid(points);
    }

    @Test
    void elevenPercentOffBothPhasesIsWhatThePaperSays() {
        RunRecord late = run(1000, 2000);

        Verdict both = Observation.CLONES_OVER_LATE.of(grid(late, late, run(890, 1780)));
        Verdict maps = Observation.CLONES_OVER_LATE.of(grid(late, late, run(890, 1890)));

        assertThat(both.holds()).isTrue();
        assertThat(maps.holds()).isFalse();
        assertThat(maps.numbers()).contains("0.890").contains("1.000");
    }

    @Test
    void aGainOfMapsCascadesIfTheJobGainsMore() {
        RunRecord hadoop = run(1000, 2000);

        RunRecord passedOn = run(950, 1900);
        assertThat(Observation.CASCADE.of(grid(hadoop, passedOn, run(900, 1800))).holds()).isTrue();
        assertThat(Observation.CASCADE.of(grid(hadoop, passedOn, run(900, 1950))).holds())
                .isFalse();
        // What is gained after the maps' end is gained by clones of reduces.
        assertThat(Observation.CASCADE.of(grid(hadoop, run(950, 1960), run(900, 1800))).holds())
                .isFalse();
    }

    @Test
    void clonesComeAfterNewAttemptsInBothPhasesOrItDoesntHold() {
        RunRecord late = run(1000, 2000);
        Order newMap = new Order(400, false, true, 0.1);
        Order cloneOfMap = new Order(800, true, true, 0.7);
        Order newReduce = new Order(1400, false, false, 0.1);
        Order cloneOfReduce = new Order(1800, true, false, 0.7);

        Verdict all =
                Observation.NEW_THEN_CLONES.of(
                        grid(
                                late,
                                late,
                                run(1000, 2000, newMap, cloneOfMap, newReduce, cloneOfReduce)));
        Verdict none =
                Observation.NEW_THEN_CLONES.of(
                        grid(late, late, run(1000, 2000, cloneOfMap, newReduce, cloneOfReduce)));

        assertThat(all.holds()).isTrue();
        assertThat(all.numbers()).contains("new 0.20, clones 0.40").contains("new 0.70");
        assertThat(none.holds()).isFalse();
        assertThat(none.numbers()).contains("new never");
    }

    @Test
    void theValleyOfFigure8MustBeInItsMiddle() {
        assertThat(Observation.SHORT_TAILS.of(ratios(1, 0.8, 1)).holds()).isTrue();
        assertThat(Observation.SHORT_TAILS.of(ratios(0.8, 0.8, 1)).holds()).isFalse();
    }

    /** The paper: nearly no improvement at shapes 1 and 10. */
    @Test
    void besideTheValleyThereMustBeNextToNothing() {
        assertThat(Observation.SHORT_TAILS.of(ratios(0.96, 0.8, 1.04)).holds()).isTrue();
        assertThat(Observation.SHORT_TAILS.of(ratios(0.94, 0.8, 1)).holds()).isFalse();
        assertThat(Observation.SHORT_TAILS.of(ratios(1, 0.8, 0.94)).holds()).isFalse();
        assertThat(Observation.SHORT_TAILS.of(ratios(1, 0.8, 1.06)).holds()).isFalse();
    }

    @Test
    void smallMapsMustLoseAndLargerOnesGainMoreAndMore() {
        assertThat(Observation.SMALL_MAPS.of(ratios(1.02, 1, 0.95, 0.9)).holds()).isTrue();
        assertThat(Observation.SMALL_MAPS.of(ratios(0.99, 0.97, 0.95, 0.9)).holds()).isFalse();
        assertThat(Observation.SMALL_MAPS.of(ratios(1.02, 0.9, 0.95, 0.9)).holds()).isFalse();
    }

    @Test
    void whatDoesNotHoldHasACauseBesideItsNumbers() {
        Verdict fails = Observation.SHORT_TAILS.of(ratios(0.9, 0.8, 1));

        assertThat(fails.words("of the weather"))
                .startsWith("doesn't, because of the weather: clones take 0.900")
                .endsWith("of LATE's time");
        assertThat(fails.words()).startsWith("doesn't: clones take 0.900");
        assertThat(Observation.SHORT_TAILS.of(ratios(1, 0.8, 1)).words("of the weather"))
                .startsWith("holds: clones take 1.000");
    }
}
