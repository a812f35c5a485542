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
package org.clonehadoop.simulator.requests.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import org.assertj.core.data.Percentage;
import org.clonehadoop.selection.fattree.FatTree;
import org.clonehadoop.selection.placement.Problem;
import org.clonehadoop.simulator.requests.engine.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class StoreSimulationTest {
    private static final long REQUESTS = 30_000;

    private static StoreResult run(Scheme scheme) {
        return StoreSimulation.run(StoreSpec.paper(scheme, REQUESTS, 1));
    }

    @ParameterizedTest
    @EnumSource(value = Scheme.class, mode = EnumSource.Mode.EXCLUDE, names = "CLIENTS_R95")
    void answersAsManyAsAreAskedAndTheSameForTheSameSeed(Scheme scheme) {
        StoreResult result = run(scheme);
        // A run ends with its slowest answer, so a short one has less than was sent in a second.
        assertThat(result.throughput())
                .isBetween(0.5 * Deployment.rate(0.9), 1.05 * Deployment.rate(0.9));
        assertThat(result.mean()).isBetween(1.0, 20.0);
        assertThat(result.p95()).isLessThan(result.p99());
        assertThat(run(scheme)).isEqualTo(result);
    }

    @Test
    void seedsDiffer() {
        StoreResult other = StoreSimulation.run(StoreSpec.paper(Scheme.CLIENTS, REQUESTS, 2));
        assertThat(other.mean()).isNotEqualTo(run(Scheme.CLIENTS).mean());
    }

    @Test
    void fewerNodesSelectBetter() {
        StoreResult clients = run(Scheme.CLIENTS);
        StoreResult tors = run(Scheme.TOR);
        StoreResult plan = run(Scheme.ILP);
        assertThat(clients.nodes()).isEqualTo(500);
        assertThat(tors.nodes()).isBetween(100, 128);
        assertThat(plan.nodes()).isLessThan(10);
        assertThat(tors.mean()).isLessThan(clients.mean());
        assertThat(plan.mean()).isLessThan(tors.mean());
        assertThat(run(Scheme.ORACLE).mean()).isLessThan(plan.mean());
    }

    @Test
    void withNoAcceleratorClientsSelect() {
        StoreResult none =
                StoreSimulation.run(
                        StoreSpec.paper(Scheme.ADAPTIVE, REQUESTS, 1).withAccelerator(0));
        assertThat(none.nodes()).isEqualTo(500);
        assertThat(none.degraded()).isEqualTo(1);
        assertThat(none.mean()).isEqualTo(run(Scheme.CLIENTS).mean());
    }

    @Test
    void aSecondRequestHelpsWhereUtilisationIsLow() {
        StoreSpec low = StoreSpec.paper(Scheme.CLIENTS, 60_000, 1).withUtilisation(0.3);
        StoreSpec repeated = StoreSpec.paper(Scheme.CLIENTS_R95, 60_000, 1).withUtilisation(0.3);
        assertThat(StoreSimulation.run(repeated).p99()).isLessThan(StoreSimulation.run(low).p99());
    }

    @Test
    void failuresDegradeOrMove() {
        StoreSpec spec = StoreSpec.paper(Scheme.ILP, REQUESTS, 1);
        StoreResult degraded = StoreSimulation.run(spec.with(Incident.FAILURE_DEGRADED));
        StoreResult moved = StoreSimulation.run(spec.with(Incident.FAILURE_REPLANNED));
        assertThat(degraded.degraded()).isBetween(0.3, 0.7);
        assertThat(moved.degraded()).isZero();
        assertThat(moved.mean()).isLessThan(degraded.mean());
    }

    @Test
    void aSurgeDegradesWhatTheOldPlanCantBearUnlessItIsSolvedAgain() {
        StoreSpec spec = StoreSpec.paper(Scheme.ILP, REQUESTS, 1);
        assertThat(StoreSimulation.run(spec.with(Incident.SURGE)).degraded()).isGreaterThan(0.05);
        assertThat(StoreSimulation.run(spec.with(Incident.SURGE_SOLVED)).degraded()).isZero();
    }

    @Test
    void congestionCostsTime() {
        StoreSpec spec = StoreSpec.paper(Scheme.ORACLE, REQUESTS, 1);
        assertThat(StoreSimulation.run(spec.congested()).mean())
                .isGreaterThan(StoreSimulation.run(spec).mean() + 1);
    }

    @Test
    void aClosedLoopHasMoreThroughputTheMoreRequestsAreOut() {
        StoreSpec spec = StoreSpec.paper(Scheme.ORACLE, REQUESTS, 1);
        assertThat(StoreSimulation.run(spec.withConcurrency(400)).throughput())
                .isGreaterThan(StoreSimulation.run(spec.withConcurrency(200)).throughput());
    }

    @Test
    void waysAreAsLongAsTheTreesAre() {
        FatTree tree = new FatTree(16);
        Ways ways = new Ways(tree, false, 1);
        for (int node = 0; node < tree.switches(); node++) {
            for (int rack = 0; rack < tree.racks(); rack++) {
                assertThat(ways.links(node, rack)).isEqualTo(tree.way(node, rack, 3).length + 1);
            }
        }
        assertThat(ways.hosts(0, 1023, 0, 0)).isEqualTo(6 * 30_000);
    }

    @Test
    void aTenthOfTheSwitchesIsCongested() {
        FatTree tree = new FatTree(16);
        Ways ways = new Ways(tree, true, 1);
        int congested = 0;
        for (int epoch = 0; epoch < 20; epoch++) {
            for (int rack = 0; rack < tree.racks(); rack++) {
                int host = rack * tree.hostsPerRack();
                congested += ways.toSwitch(host, rack, epoch * 50_000_000L, 0) > 30_000 ? 1 : 0;
            }
        }
        assertThat(congested / (20.0 * tree.racks())).isBetween(0.07, 0.13);
    }

    @Test
    void keysArePopularByZipfAndOnThreeServersEach() {
        Keys keys = new Keys(100, 1, new Random(1, "keys"));
        Map<Integer, Integer> asked = new HashMap<>();
        for (int i = 0; i < 50_000; i++) {
            int[] replicas = keys.next();
            assertThat(replicas).doesNotHaveDuplicates().hasSize(3);
            asked.merge(replicas[0], 1, Integer::sum);
        }
        assertThat(asked).hasSize(100);
        // The first of 10^8 keys alone has 1 in 20.8.
        assertThat(asked.values().stream().max(Integer::compare).orElseThrow())
                .isBetween(2_300, 4_500);
    }

    @Test
    void thePlannedTrafficIsAllOfIt() {
        Problem problem =
                new Deployment(StoreSpec.paper(Scheme.ILP, 1, 1)).problem(Deployment.rate(0.9));
        assertThat(problem.traffic()).isCloseTo(90_000, Percentage.withPercentage(0.001));
        assertThat(problem.limits().extraHops()).isCloseTo(9_000, Percentage.withPercentage(0.001));
        assertThat(problem.limits().load()[0]).isCloseTo(50_000, Percentage.withPercentage(0.001));
    }
}
