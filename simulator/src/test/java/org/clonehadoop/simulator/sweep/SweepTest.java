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
package org.clonehadoop.simulator.sweep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Map;
import org.clonehadoop.simulator.Simulation;
import org.clonehadoop.simulator.figures.Interval;
import org.clonehadoop.simulator.mapreduce.JobSpec;
import org.clonehadoop.simulator.mapreduce.RunRecord;
import org.clonehadoop.simulator.regress.Scenarios;
import org.clonehadoop.simulator.speculators.Kind;
import org.junit.jupiter.api.Test;

class SweepTest {
    private static final long FIRST = 101;
    private static final int RUNS = 2;

    private static Sweep sweep(List<String> scenarios, String... axes) {
        return Sweep.of(
                Scenarios.named(scenarios),
                List.of(axes).stream().map(Axis::of).toList(),
                FIRST,
                RUNS);
    }

    @Test
    void valuesAreCrossed() {
        List<Point> points =
                Point.crossed(List.of(Axis.of("beta=1,2"), Axis.of("rule.lately=off,half,same")));

        assertThat(points).hasSize(6);
        assertThat(points.get(1).settings())
                .containsExactly(Map.entry("beta", "1"), Map.entry("rule.lately", "half"));
        assertThat(points.get(3).settings().get("beta")).isEqualTo("2");
    }

    @Test
    void anAxisIsAKeyAndItsValues() {
        assertThatThrownBy(() -> Axis.of("beta")).hasMessageContaining("KEY=VALUE");
        assertThatThrownBy(() -> Axis.of("beta=1,,2")).hasMessageContaining("KEY=VALUE");
    }

    @Test
    void eachCellIsWhatOneRunAfterAnotherGives() {
        Cell cell = sweep(List.of("small-job"), "beta=1.2").cells().get(0);
        JobSpec spec = Scenarios.all().get("small-job");

        assertThat(cell.ours())
                .containsExactly(
                        Simulation.run(spec, Kind.OURS, FIRST),
                        Simulation.run(spec, Kind.OURS, FIRST + 1));
        assertThat(cell.stocks())
                .containsExactly(
                        Simulation.run(spec, Kind.STOCK, FIRST),
                        Simulation.run(spec, Kind.STOCK, FIRST + 1));
        assertThat(cell.overStocks().value())
                .isEqualTo(
                        Cell.mean(cell.ours(), RunRecord::jobSeconds)
                                / Cell.mean(cell.stocks(), RunRecord::jobSeconds),
                        within(1e-9));
    }

    @Test
    void theSameSeedsGiveTheSame() {
        List<String> scenarios = List.of("slow-map", "small-job");

        Sweep once = sweep(scenarios, "vm-estimate=0.25,4");
        Sweep again = sweep(scenarios, "vm-estimate=0.25,4");

        assertThat(again).isEqualTo(once);
        assertThat(again.table().text()).isEqualTo(once.table().text());
        assertThat(again.picture()).isEqualTo(once.picture());
    }

    /** What clones cost, and whatever else is ours, is nothing to stock's. */
    @Test
    void stocksAreTheSameWhateverIsOurs() {
        List<Cell> cells =
                sweep(
                                List.of("log-normal-2"),
                                "mapreduce.clone.least-gain=0.1,1",
                                "vmMillis=1000,60000")
                        .cells();

        assertThat(cells).hasSize(4);
        assertThat(cells).extracting(Cell::stocks).containsOnly(cells.get(0).stocks());
        assertThat(cells).extracting(Cell::ours).doesNotHaveDuplicates();
    }

    @Test
    void whatIsVariedHasItsEffect() {
        List<Cell> cells = sweep(List.of("slow-host-cpu"), "factor=0.9,0.25").cells();

        assertThat(stocksSeconds(cells.get(1))).isGreaterThan(1.2 * stocksSeconds(cells.get(0)));
    }

    private static double stocksSeconds(Cell cell) {
        return Cell.mean(cell.stocks(), RunRecord::jobSeconds);
    }

    /** A clone that takes an hour is none. */
    @Test
    void clonesThatCostTooMuchAreNotMade() {
        List<Cell> cells = sweep(List.of("log-normal-2"), "vmMillis=1700,3600000").cells();

        assertThat(cells.get(0).ours()).anyMatch(run -> run.orderedClones() > 0);
        assertThat(cells.get(1).ours()).allMatch(run -> run.orderedClones() == 0);
    }

    /** Attempts that become slow: who goes by the pace of all the time sees that late. */
    @Test
    void aRuleThatIsOffIsOff() {
        List<Cell> cells = sweep(List.of("log-normal-2"), "rule.lately=same,off").cells();

        assertThat(Cell.mean(cells.get(1).ours(), RunRecord::jobSeconds))
                .isGreaterThan(1.04 * Cell.mean(cells.get(0).ours(), RunRecord::jobSeconds));
    }

    @Test
    void severalScenariosHaveTheirGeometricMean() {
        Sweep sweep = sweep(List.of("slow-map", "small-job"), "beta=1.2");
        Interval mean = sweep.mean(sweep.cells().get(0).point());
        double one = sweep.cells().get(0).overStocks().value();
        double other = sweep.cells().get(1).overStocks().value();

        assertThat(mean.value()).isEqualTo(Math.sqrt(one * other), within(1e-9));
        assertThat(mean.low()).isLessThanOrEqualTo(mean.value());
        assertThat(mean.high()).isGreaterThanOrEqualTo(mean.value());
        assertThat(sweep.table().text())
                .containsPattern("geometric mean +1\\.2 +" + Rows.text("%.3f", mean.value()));
    }

    @Test
    void theCurveOfARuleIsOverTodays() {
        RuleCurves curves =
                RuleCurves.of(
                        Scenarios.named(List.of("log-normal-2", "even")),
                        List.of(Rule.LATELY, Rule.MARKS),
                        List.of("off", "same"),
                        FIRST,
                        RUNS);

        RuleCurves.Effect off = curves.effects().get(Rule.LATELY).get(0);
        assertThat(off.worst()).isEqualTo("log-normal-2");
        assertThat(off.worstRatio()).isGreaterThan(1.04);
        assertThat(off.mean().value())
                .isEqualTo(Math.sqrt(off.worstRatio() * off.ratios().get("even")), within(1e-9));
        assertThat(curves.effects().get(Rule.LATELY).get(1).text()).isEqualTo("=");
        assertThat(curves.effects().get(Rule.MARKS).get(0).text()).isEqualTo("=");
        assertThat(curves.lines()).hasSize(4);
    }
}
