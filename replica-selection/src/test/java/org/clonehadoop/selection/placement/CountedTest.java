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
package org.clonehadoop.selection.placement;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;
import java.util.SplittableRandom;
import org.clonehadoop.selection.fattree.FatTree;
import org.clonehadoop.selection.fattree.Tier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CountedTest {
    /** For a proof, on any machine, beside anything. */
    private static final Duration LONG = Duration.ofMinutes(5);

    private static Placement solve(Problem problem) {
        return Counted.solve(problem, LONG);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void placesThePapersSetUpProvenOptimalWithinAllLimits(long seed) {
        Problem problem = Racks.paper(seed);
        Placement placement = solve(problem);
        assertThat(placement.optimal()).isTrue();
        assertThat(placement.plan().nodes()).hasSizeBetween(4, 7);
        assertThat(problem.violations(placement.plan())).isEmpty();
        assertThat(placement.plan().toArray()).doesNotContain(Plan.DEGRADED);
    }

    /** U = 0.5 %: hardly more than one rack's requests, and less than some rack's. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void provesItWhereASwitchMayCarryHardlyMoreThanOneRack(long seed) {
        Problem racks = Racks.paper(seed);
        Problem problem = racks.with(Limits.uniform(racks.tree(), 0.005, 1, 5e-6, 9000));
        Placement placement = solve(problem);
        assertThat(placement.optimal()).isTrue();
        assertThat(problem.violations(placement.plan())).isEmpty();
        for (int group = 0; group < problem.groups().size(); group++) {
            assertThat(placement.plan().degraded(group))
                    .isEqualTo(problem.groups().get(group).traffic() > 1000);
        }
    }

    @Test
    void fallsBackToAlgorithm1WhereThereIsNoTime() {
        Problem problem = Racks.paper(1);
        Placement placement = Counted.solve(problem, Duration.ZERO);
        assertThat(placement.plan())
                .isEqualTo(
                        new Adaptive(problem, problem.atTors(), Adaptive.Patience.DEFAULT)
                                .settle());
        assertThat(placement.optimal()).isFalse();
        assertThat(placement.least()).isEqualTo(Placement.UNKNOWN);
    }

    /**
     * Groups of all sizes, each about as large as what a switch may carry: many seconds aren't
     * enough.
     */
    @Test
    void takesTheBestSoFarWhereThereIsNoTimeForTheProof() {
        Problem racks = Racks.paper(1);
        SplittableRandom random = new SplittableRandom(1);
        List<Group> uneven = new ArrayList<>();
        for (Group rack : racks.groups()) {
            double by = random.nextDouble(0.5, 1.5);
            uneven.add(
                    new Group(
                            rack.name(),
                            rack.rack(),
                            rack.core() * by,
                            rack.aggregation() * by,
                            rack.tor() * by));
        }
        Problem problem =
                new Problem(
                        racks.tree(), uneven, Limits.uniform(racks.tree(), 0.0075, 1, 5e-6, 9000));
        // As long as this machine needs to find any: without, the plan is Algorithm 1's.
        Placement placement = Counted.solve(problem, Duration.ofSeconds(1));
        for (int seconds = 2; placement.least() == Placement.UNKNOWN && seconds <= 16; ) {
            placement = Counted.solve(problem, Duration.ofSeconds(seconds));
            seconds *= 2;
        }
        assertThat(problem.violations(placement.plan())).isEmpty();
        assertThat(placement.least()).isBetween(1, placement.plan().nodes().size());
    }

    @Test
    void findsAsFewNodesAsTryingEverything() {
        for (long seed = 0; seed < 40; seed++) {
            Problem problem = Racks.random(2, 5, 90 + 20 * (seed % 5), 0.05 * (seed % 7), seed);
            OptionalInt fewest = fewest(problem, new int[problem.groups().size()], 0);
            Placement placement = solve(problem);
            assertThat(problem.violations(placement.plan())).isEmpty();
            if (fewest.isPresent()) {
                assertThat(placement.plan().nodes()).hasSize(fewest.getAsInt());
                assertThat(placement.optimal()).isTrue();
                assertThat(placement.plan().toArray()).doesNotContain(Plan.DEGRADED);
            } else {
                assertThat(placement.plan().toArray()).contains(Plan.DEGRADED);
            }
        }
    }

    private static OptionalInt fewest(Problem problem, int[] nodes, int group) {
        if (group == nodes.length) {
            Plan plan = new Plan(nodes);
            return problem.violations(plan).isEmpty()
                    ? OptionalInt.of(plan.nodes().size())
                    : OptionalInt.empty();
        }
        OptionalInt best = OptionalInt.empty();
        for (int node = 0; node < problem.tree().switches(); node++) {
            if (problem.tree().onWay(problem.groups().get(group).rack(), node)) {
                nodes[group] = node;
                OptionalInt found = fewest(problem, nodes, group + 1);
                if (found.isPresent() && (best.isEmpty() || found.getAsInt() < best.getAsInt())) {
                    best = found;
                }
            }
        }
        return best;
    }

    @ParameterizedTest
    @CsvSource({"8, 300, 0.2", "8, 160, 0.1", "12, 400, 0.02", "12, 250, 0.3", "16, 500, 0.15"})
    void findsAsFewNodesAsTheProgramThatNamesThem(int groups, double load, double hops)
            throws Deadline.PassedException {
        for (long seed = 0; seed < 4; seed++) {
            Problem problem = Racks.random(4, groups, load, hops, seed);
            OptionalInt plain = Plain.nodes(problem);
            Placement placement = solve(problem);
            assertThat(problem.violations(placement.plan())).isEmpty();
            assertThat(plain).hasValue(placement.plan().nodes().size());
            assertThat(placement.optimal()).isTrue();
        }
    }

    /**
     * Sums fit into two switches, but no packing does: that is where the relaxation must be cut.
     */
    @Test
    void takesAThirdNodeWhereTwoHaveRoomForTheSumOnly() {
        FatTree tree = new FatTree(4);
        List<Group> groups = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            groups.add(new Group("g" + i, 2 * i, 60, 0, 0));
        }
        Problem problem = new Problem(tree, groups, Limits.uniform(tree, 1, 1, 0.01, 0));
        Placement placement = solve(problem);
        assertThat(placement.plan().nodes()).hasSize(3);
        assertThat(placement.optimal()).isTrue();
    }

    @Test
    void degradesAsLittleTrafficAsItCanWhereNothingFits() {
        FatTree tree = new FatTree(2);
        List<Group> groups =
                List.of(
                        new Group("a", 0, 70, 0, 0),
                        new Group("b", 0, 50, 0, 0),
                        new Group("c", 1, 60, 0, 0));
        double[] load = new double[tree.switches()];
        load[tree.core(0)] = 120;
        Problem problem = new Problem(tree, groups, new Limits(load, 1000));
        Plan plan = solve(problem).plan();
        assertThat(plan.toArray()).containsExactly(tree.core(0), tree.core(0), Plan.DEGRADED);
        assertThat(plan.nodes()).containsExactly(tree.core(0));
    }

    @Test
    void leavesSwitchesAloneThatMustNotSelect() {
        Problem all = Racks.random(4, 8, 300, 0.2, 7);
        Problem problem = all.with(all.limits().without(List.of(all.tree().core(0), 3)));
        assertThat(solve(problem).plan().nodes()).doesNotContain(all.tree().core(0), 3);
    }

    @Test
    void placesHostsOneByOneToo() {
        Problem racks = Racks.paper(1);
        List<Group> hosts = new ArrayList<>();
        for (Group rack : racks.groups()) {
            for (int host = 0; host < 8; host++) {
                hosts.add(
                        new Group(
                                rack.name() + "-" + host,
                                rack.rack(),
                                rack.core() / 8,
                                rack.aggregation() / 8,
                                rack.tor() / 8));
            }
        }
        Problem problem = racks.with(hosts);
        Placement placement = solve(problem);
        assertThat(problem.violations(placement.plan())).isEmpty();
        assertThat(placement.optimal()).isTrue();
        assertThat(Arrays.stream(placement.plan().toArray()).mapToObj(racks.tree()::tier))
                .contains(Tier.CORE);
    }
}
