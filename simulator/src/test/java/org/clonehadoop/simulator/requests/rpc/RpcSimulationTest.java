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
package org.clonehadoop.simulator.requests.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Collections;
import java.util.List;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class RpcSimulationTest {
    /** Host to switch to server, and back. */
    private static final double WIRE_MICROS = 10;

    private static RpcSpec spec(RpcScheme scheme, double load, long requests) {
        return RpcSpec.paper(scheme, Service.exp(25), load, requests);
    }

    /** Poisson arrivals that are split at random are Poisson: each server is an M/M/c queue. */
    @ParameterizedTest
    @CsvSource({"1, 0.5", "4, 0.7", "15, 0.9"})
    void waitsAsLongAsErlangSays(int workers, double load) {
        RpcResult result =
                RpcSimulation.run(
                        spec(RpcScheme.BASELINE, load, 600_000)
                                .withJitter(0)
                                .with(Collections.nCopies(2, workers)));
        double mean = 25 + 25 * erlangC(workers, load) / (workers * (1 - load));
        assertThat(result.mean() - WIRE_MICROS).isCloseTo(mean, Percentage.withPercentage(2.5));
        assertThat(result.cloned()).isZero();
    }

    /** The probability to wait. */
    private static double erlangC(int workers, double load) {
        double offered = workers * load;
        double term = 1;
        double sum = 0;
        for (int k = 0; k < workers; k++) {
            sum += term;
            term *= offered / (k + 1);
        }
        return term / (1 - load) / (sum + term / (1 - load));
    }

    /** Of two exponential times the shorter has half the mean. */
    @Test
    void clonesHalveTheMeanWhereNobodyWaits() {
        RpcResult result = RpcSimulation.run(spec(RpcScheme.NETCLONE, 0.05, 200_000).withJitter(0));
        assertThat(result.mean() - WIRE_MICROS).isCloseTo(12.5, within(0.3));
        assertThat(result.cloned()).isGreaterThan(0.99);
    }

    @ParameterizedTest
    @EnumSource(RpcScheme.class)
    void answersEveryRequestOnceAndTheSameWayForTheSameSeed(RpcScheme scheme) {
        RpcSpec spec = spec(scheme, scheme == RpcScheme.LAEDGE ? 0.05 : 0.4, 20_000);
        RpcResult result = RpcSimulation.run(spec);
        assertThat(result.lost()).isZero();
        assertThat(RpcSimulation.run(spec)).isEqualTo(result);
        assertThat(RpcSimulation.run(spec.withSeed(2)).mean()).isNotEqualTo(result.mean());
    }

    @Test
    void busyServersDropClonesAndOriginalsNever() {
        RpcResult result = RpcSimulation.run(spec(RpcScheme.NETCLONE, 0.7, 50_000));
        assertThat(result.dropped()).isBetween(0.2, 0.6);
        assertThat(result.lost()).isZero();
        assertThat(RpcSimulation.run(spec(RpcScheme.COUNTED, 0.7, 50_000)).dropped()).isZero();
    }

    @Test
    void cloneEverythingAndHalfTheLoadIsTooMuch() {
        RpcResult result = RpcSimulation.run(spec(RpcScheme.C_CLONE, 0.6, 50_000));
        assertThat(result.p99())
                .isGreaterThan(10 * RpcSimulation.run(spec(RpcScheme.BASELINE, 0.6, 50_000)).p99());
    }

    @Test
    void aCoordinatorsProcessorIsTheLimit() {
        RpcResult result = RpcSimulation.run(spec(RpcScheme.LAEDGE, 0.5, 50_000));
        assertThat(result.throughput()).isLessThan(result.spec().rate() / 2);
        assertThat(result.lost()).isZero();
    }

    @Test
    void theFilterSavesClientsWork() {
        RpcSpec loaded = spec(RpcScheme.NETCLONE, 0.6, 50_000).withClientMicros(0.7);
        RpcSpec without = spec(RpcScheme.UNFILTERED, 0.6, 50_000).withClientMicros(0.7);
        assertThat(RpcSimulation.run(without).p99()).isGreaterThan(RpcSimulation.run(loaded).p99());
    }

    @Test
    void suspectsGetOnlyClones() {
        RpcSpec ours = spec(RpcScheme.COUNTED, 0.3, 400_000).withStopped(2);
        RpcSpec baseline = spec(RpcScheme.BASELINE, 0.3, 400_000).withStopped(2);
        assertThat(RpcSimulation.run(baseline).lost()).isCloseTo(1 / 6.0, within(0.01));
        assertThat(RpcSimulation.run(ours).lost()).isLessThan(0.01);
    }

    @Test
    void shorterQueuesHelpServersOfUnequalSize() {
        List<Integer> mixed = List.of(15, 15, 15, 8, 8, 8);
        assertThat(RpcSimulation.run(spec(RpcScheme.RACKSCHED, 0.9, 60_000).with(mixed)).p99())
                .isLessThan(
                        RpcSimulation.run(spec(RpcScheme.BASELINE, 0.9, 60_000).with(mixed)).p99()
                                / 2);
    }

    @Test
    void loadCountsJitter() {
        RpcSpec spec = spec(RpcScheme.BASELINE, 0.5, 1);
        assertThat(spec.rate()).isCloseTo(0.5 * 90 / (25e-6 * 1.14), within(1.0));
    }
}
