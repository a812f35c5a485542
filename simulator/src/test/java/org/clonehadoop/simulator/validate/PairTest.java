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

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.clonehadoop.benchmarks.report.JobLine;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PairTest {
    @TempDir private Path directory;

    private Pair pair(String trouble, List<String> speculated) {
        String names = speculated.stream().collect(Collectors.joining("\",\"", "\"", "\""));
        JobLine line =
                Lines.read(
                                directory,
                                List.of(
                                        Lines.line(
                                                trouble,
                                                "all",
                                                1,
                                                40,
                                                ",\"speculated\":["
                                                        + (speculated.isEmpty() ? "" : names)
                                                        + "]")))
                        .get(0);
        Counterpart job = Counterpart.of(line).orElseThrow();
        return new Pair(line, Simulated.of(job, 1), job.namesAttempts());
    }

    private static List<String> maps(int from, int number) {
        return IntStream.range(from, from + number).mapToObj(n -> "m_00000" + n).toList();
    }

    /** Which maps begin on a slow host is luck, and no two runs have the same. */
    @Test
    void whereAHostIsSlowNumbersAreCompared() {
        Simulated slow = pair("slow-host", List.of()).simulated();
        assertThat(slow.speculated('m')).isBetween(1, 4);
        assertThat(slow.speculated('r')).isZero();
        int maps = slow.speculated('m');

        assertThat(pair("slow-host", maps(0, maps)).alike()).hasValue(1);
        assertThat(pair("slow-host", maps(2, maps)).alike()).hasValue(1);
        assertThat(pair("slow-host", maps(0, 2 * maps)).alike()).hasValue(0.5);
        assertThat(pair("slow-host", List.of("r_000000")).alike()).hasValue(0);
    }

    @Test
    void whereAnAttemptIsNamedNamesAreCompared() {
        assertThat(pair("late-reduce", List.of("r_000001")).alike()).hasValue(1);
        assertThat(pair("late-reduce", List.of("r_000002")).alike()).hasValue(0);
    }

    @Test
    void whereNeitherSpeculatedAnybodyThereIsNothingToAgreeOn() {
        Pair quiet = pair("even", List.of());
        assertThat(quiet.alike()).isEmpty();
        assertThat(quiet.isQuiet()).isTrue();

        Pair alarmed = pair("even", List.of("m_000003"));
        assertThat(alarmed.alike()).hasValue(0);
        assertThat(alarmed.isQuiet()).isFalse();
    }

    @Test
    void whereOnlyTheSimulationSpeculatedTheyDisagree() {
        Pair missed = pair("late-reduce", List.of());
        assertThat(missed.alike()).hasValue(0);
        assertThat(missed.isQuiet()).isTrue();
    }
}
