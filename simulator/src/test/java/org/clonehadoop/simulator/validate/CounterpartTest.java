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
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import org.clonehadoop.benchmarks.report.JobLine;
import org.clonehadoop.simulator.mapreduce.RunRecord;
import org.clonehadoop.simulator.speculators.Kind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CounterpartTest {
    @TempDir private Path directory;

    private JobLine line(String trouble, String variant, int run) {
        return Lines.read(directory, List.of(Lines.line(trouble, variant, run, 40))).get(0);
    }

    private Counterpart job(String trouble, String variant) {
        return Counterpart.of(line(trouble, variant, 1)).orElseThrow();
    }

    /** Of a job that is long enough for each trouble, and in which nobody mends it. */
    private double seconds(String trouble, int run) {
        String line =
                Lines.line(trouble, "stock", run, 40)
                        .replace("\"megabytes\":500", "\"megabytes\":4000");
        return alone(line);
    }

    /**
     * Where attempts are delayed others have the processors meanwhile, which hides short delays: of
     * the log-normal ones those of runs 5 and 7 are long.
     */
    @ParameterizedTest
    @CsvSource({
        "late-map,1,even",
        "late-reduce,1,even",
        "log-normal,5,even",
        "log-normal-10,7,even",
        "lone-reduce,1,even",
        "slow-host,1,even",
        "slow-host-full,1,even-full",
        "slow-link,1,even",
        "fading-host,1,even",
        "onset-50-300,1,even",
        "long-late-map,1,even",
        "paced-late-map,1,paced-even"
    })
    void eachTroubleOfTheBenchmarkMakesJobsLonger(String trouble, int run, String without) {
        assertThat(seconds(trouble, run)).isGreaterThan(1.2 * seconds(without, run));
    }

    @ParameterizedTest
    @CsvSource({
        "stock,STOCK,false",
        "stock-eager,STOCK,false",
        "stock-smoothed,STOCK,false",
        "spill,STOCK,true",
        "clone,OURS,false",
        "all,OURS,true"
    })
    void eachVariantIsSimulated(String variant, Kind kind, boolean perSpill) {
        Counterpart job = job("late-map", variant);

        assertThat(job.kind()).isEqualTo(kind);
        assertThat(job.spec().perSpill()).isEqualTo(perSpill);
        assertThat(job.simulate(1, 1).ends()).hasSize(9);
    }

    /** Six maps and six reduces, of which each waits for 40 s. */
    @Test
    void pacedTasksTakeAboutWhatTheyWait() {
        Counterpart paced = job("paced-even", "stock");
        assertThat(paced.simulate(1, 1).ends()).hasSize(12);
        assertThat(
                        paced.simulate(1, 1).jobSeconds()
                                - job("even", "stock").simulate(1, 1).jobSeconds())
                .isBetween(60.0, 85.0);
    }

    @Test
    void whatIsntKnownIsntSimulated() {
        assertThat(Counterpart.of(line("earthquake", "stock", 1))).isEmpty();
        assertThat(Counterpart.of(line("even", "speculator", 1))).isEmpty();
    }

    /**
     * One of four times the usual length; of shorter ones it is known too late, as of real ones.
     */
    @Test
    void aLateMapIsSpeculatedAndItsNameIsTold() {
        String line =
                Lines.line("long-late-map", "all", 1, 40)
                        .replace("\"megabytes\":500", "\"megabytes\":2000");
        Counterpart job = Counterpart.of(Lines.read(directory, List.of(line)).get(0)).orElseThrow();

        assertThat(job.simulate(1, 1).speculated()).contains("m_000001");
    }

    @Test
    void theRunIsTheSeedOfDelaysAndNothingElse() {
        Counterpart first = Counterpart.of(line("log-normal", "stock", 1)).orElseThrow();
        Counterpart second = Counterpart.of(line("log-normal", "stock", 2)).orElseThrow();

        assertThat(first.simulate(1, 1)).isNotEqualTo(second.simulate(1, 1));
        assertThat(Counterpart.of(line("even", "stock", 1)).orElseThrow().simulate(1, 1))
                .isEqualTo(Counterpart.of(line("even", "stock", 2)).orElseThrow().simulate(1, 1));
    }

    /** As the benchmark's, of which none is longer than five times the attempt's own time. */
    @Test
    void delaysOfAShapeHaveAMost() {
        double unbounded = 0;
        double bounded = 0;
        for (int run = 1; run <= 20; run++) {
            unbounded = Math.max(unbounded, seconds("log-normal", run));
            bounded = Math.max(bounded, seconds("log-normal-2", run));
        }

        assertThat(bounded).isLessThan(6 * seconds("even", 1)).isLessThan(unbounded);
    }

    @Test
    void aLoneReduceIsItsJobsOnlyOne() {
        assertThat(job("lone-reduce", "stock").simulate(1, 1).ends()).hasSize(7);
    }

    /** Hosts of 30 % of a processor leave more than half of the machine to nobody. */
    @ParameterizedTest
    @CsvSource({"even", "slow-host", "fading-host"})
    void aHostHasNoMoreThanItsPart(String trouble) {
        String shared = Lines.line(trouble, "stock", 1, 40);
        String parted = shared.replace("\"cores\":2", "\"cores\":2,\"host_cpu_percent\":30");

        assertThat(alone(parted)).isGreaterThan(1.3 * alone(shared));
    }

    /** Three maps on one host end when two on another do. */
    @Test
    void containersHaveEqualSharesWhereLinesSaySo() {
        String hosts = Lines.line("even", "stock", 1, 40);
        String containers =
                hosts.replace("\"cores\":2", "\"cores\":2,\"equal_shares\":\"containers\"");

        assertThat(lastMapAfterTheFirst(containers)).isLessThan(2);
        assertThat(lastMapAfterTheFirst(hosts)).isGreaterThan(5);
    }

    /** In seconds. */
    private double lastMapAfterTheFirst(String line) {
        DoubleSummaryStatistics ends =
                job(line).simulate(1, 1).ends().stream()
                        .filter(RunRecord.End::map)
                        .mapToDouble(RunRecord.End::seconds)
                        .summaryStatistics();
        return ends.getMax() - ends.getMin();
    }

    private Counterpart job(String line) {
        return Counterpart.of(Lines.read(directory, List.of(line)).get(0)).orElseThrow();
    }

    private double alone(String line) {
        Counterpart job = job(line);
        return new Counterpart(job.spec(), Kind.NONE, job.processors(), job.equalHosts())
                .simulate(1, 1)
                .jobSeconds();
    }

    /** Six maps at once on two processors: as one after the other on two. */
    @Test
    void allHostsShareTheMachine() {
        double quick = job("even", "stock").simulate(4, 1).jobSeconds();
        double slow = job("even", "stock").simulate(0.25, 1).jobSeconds();

        assertThat(slow).isGreaterThan(3 * quick);
    }

    @Test
    void aRoundTellsTheSessionAndOfOlderLinesTheSeed() {
        JobLine line = line("even", "stock", 3);

        assertThat(Counterpart.session(line)).isEqualTo("20261124T120000Z");
        assertThat(line.drawnBy()).isEqualTo(3);
        JobLine none =
                Lines.read(
                                directory,
                                List.of(Lines.line("even", "stock", 3, 40).replace("Z-3", "Z")))
                        .get(0);
        assertThatThrownBy(() -> Counterpart.session(none))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
