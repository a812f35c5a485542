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
package org.clonehadoop.simulator.validate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.DoubleUnaryOperator;
import org.clonehadoop.benchmarks.report.JobLine;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ValidationTest {
    private static final double PACE = 1.4;
    private static final List<String> TROUBLES = List.of("late-map", "late-reduce", "slow-host");

    @TempDir private Path directory;

    /** What a job that is as the simulation says takes on a machine of that pace. */
    private double truth(String trouble, String variant) {
        JobLine line = Lines.read(directory, List.of(Lines.line(trouble, variant, 1, 1))).get(0);
        return Simulated.of(Counterpart.of(line).orElseThrow(), PACE).seconds();
    }

    private List<String> lines(DoubleUnaryOperator stock, DoubleUnaryOperator all) {
        List<String> lines = new ArrayList<>();
        lines.add(Lines.line("even", "stock", 1, truth("even", "stock")));
        for (String trouble : TROUBLES) {
            lines.add(
                    Lines.line(trouble, "stock", 1, stock.applyAsDouble(truth(trouble, "stock"))));
            lines.add(Lines.line(trouble, "all", 1, all.applyAsDouble(truth(trouble, "all"))));
        }
        return lines;
    }

    private Validation validate(List<String> lines) {
        return Validation.of(Lines.read(directory, lines));
    }

    private static Bound bound(Validation validation, String key) {
        return validation.bounds().stream()
                .filter(bound -> bound.key().equals(key))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void aMachineThatIsAsItsSimulationIsWithinAllThatIsTold() {
        Validation validation = validate(lines(s -> s, s -> s));

        assertThat(validation.paces().values())
                .singleElement()
                .satisfies(pace -> assertThat(pace).isCloseTo(PACE, within(0.05)));
        assertThat(bound(validation, "job_s_error_median").isWithin()).isTrue();
        assertThat(bound(validation, "job_s_error_max").value()).isLessThan(0.05);
        assertThat(bound(validation, "ratios_within").isWithin()).isTrue();
        assertThat(validation.ratios()).hasSize(3);
        assertThat(bound(validation, "speculated_alike").isKnown()).isFalse();
        assertThat(validation.isValidated()).isFalse(); // not all bounds are told
        assertThat(new ValidationReport(validation).text())
                .contains("not told by these runs: not validated");
    }

    @Test
    void jobsThatTakeLongerThanTheSimulationSaysAreOutside() {
        Validation validation = validate(lines(s -> 1.8 * s, s -> 1.8 * s));

        assertThat(bound(validation, "job_s_error_median").isWithin()).isFalse();
        assertThat(bound(validation, "job_s_error_max").isWithin()).isFalse();
        assertThat(bound(validation, "ratios_within").isWithin()).isTrue();
        assertThat(new ValidationReport(validation).text().lines())
                .anySatisfy(
                        line ->
                                assertThat(line)
                                        .contains("late-map, stock")
                                        .endsWith("not validated"));
    }

    @Test
    void aRatioThatIsOffByMoreThanATenthIsOutside() {
        Validation validation = validate(lines(s -> s, s -> 1.3 * s));

        assertThat(bound(validation, "ratios_within").value()).isLessThan(1);
        assertThat(bound(validation, "ratios_within").isWithin()).isFalse();
    }

    @Test
    void aSessionWithoutAnEvenStockRunIsLeftOut() {
        List<String> lines = lines(s -> s, s -> s);

        Validation validation = validate(lines.subList(1, lines.size()));

        assertThat(validation.pairs()).isEmpty();
        assertThat(validation.leftOut())
                .singleElement()
                .satisfies(one -> assertThat(one).contains("20261124T120000Z"));
        assertThat(validation.isValidated()).isFalse();
        assertThat(new ValidationReport(validation).text()).endsWith("not validated\n");
    }

    @Test
    void aSessionWithoutAnEvenStockRunHasThePaceOfItsMachine() {
        List<String> lines = lines(s -> s, s -> s);
        String later = lines.get(1).replace("20261124", "20261125");
        lines.add(later);
        lines.add(later.replace("20261125", "20261126").replace("some", "another"));

        Validation validation = validate(lines);

        assertThat(validation.paces().get("20261125T120000Z"))
                .isEqualTo(validation.paces().get("20261124T120000Z"));
        assertThat(validation.leftOut())
                .singleElement()
                .satisfies(one -> assertThat(one).contains("20261126T120000Z"));
    }

    @Test
    void whatIsntSimulatedIsLeftOutAndSaid() {
        List<String> lines = lines(s -> s, s -> s);
        lines.add(Lines.line("even", "speculator", 1, 30));

        Validation validation = validate(lines);

        assertThat(validation.leftOut())
                .containsExactly("even, speculator, 20261124T120000Z-1: isn't simulated");
    }

    @Test
    void whoWasSpeculatedIsComparedWhereTheLinesTell() {
        List<String> lines = new ArrayList<>();
        lines.add(Lines.line("even", "stock", 1, truth("even", "stock")));
        double late = truth("late-reduce", "all");
        lines.add(Lines.line("late-reduce", "all", 1, late, ",\"speculated\":[\"r_000001\"]"));
        double same = bound(validate(lines), "speculated_alike").value();
        lines.add(
                Lines.line(
                        "late-reduce",
                        "all",
                        2,
                        late,
                        ",\"speculated\":[\"r_000002\",\"m_000004\",\"r_000000\"]"));
        double other = bound(validate(lines), "speculated_alike").value();

        assertThat(same).isGreaterThan(0.3);
        assertThat(other).isCloseTo(same / 2, within(1e-9));
    }

    /** Nine jobs that need no decision don't make up for one whose decision is wrong. */
    @Test
    void jobsInWhichNobodyWasSpeculatedAreNoAgreement() {
        List<String> lines = new ArrayList<>();
        lines.add(fitted(",\"speculated\":[]"));
        double even = truth("even", "all");
        for (int run = 1; run <= 9; run++) {
            lines.add(Lines.line("even", "all", run, even, ",\"speculated\":[]"));
        }
        lines.add(
                Lines.line(
                        "late-reduce",
                        "all",
                        1,
                        truth("late-reduce", "all"),
                        ",\"speculated\":[\"m_000004\"]"));

        Validation validation = validate(lines);

        assertThat(bound(validation, "speculated_alike").isWithin()).isFalse();
        assertThat(validation.quiet()).isEqualTo(new Validation.Quiet(9, 9));
        assertThat(new ValidationReport(validation).text())
                .contains("jobs in which nobody was speculated: 9, of them simulated alike: 9\n");
    }

    @Test
    void jobsThatThePaceWasFittedOnAreNoAgreementEither() {
        Validation validation = validate(List.of(fitted(",\"speculated\":[\"m_000004\"]")));

        assertThat(bound(validation, "speculated_alike").isKnown()).isFalse();
        assertThat(validation.quiet()).isEqualTo(new Validation.Quiet(0, 0));
    }

    private String fitted(String more) {
        return Lines.line("even", "stock", 1, truth("even", "stock"), more);
    }

    @Test
    void freezesAndOrdersAreComparedWhereThereWereClones() {
        List<String> lines = new ArrayList<>();
        lines.add(Lines.line("even", "stock", 1, truth("even", "stock")));
        lines.add(
                Lines.line(
                        "late-reduce",
                        "all",
                        1,
                        truth("late-reduce", "all"),
                        ",\"freeze_ms\":1e6,\"order_to_running_ms\":1e6"));

        Validation validation = validate(lines);

        assertThat(bound(validation, "freeze_error").value()).isCloseTo(1, within(0.01));
        assertThat(bound(validation, "order_to_running_error").isWithin()).isFalse();
    }
}
