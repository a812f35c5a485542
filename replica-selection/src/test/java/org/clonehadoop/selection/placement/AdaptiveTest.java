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

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.clonehadoop.selection.fattree.FatTree;
import org.clonehadoop.selection.fattree.Tier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AdaptiveTest {
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void comesNearTheOptimumInThePapersSetUp(long seed) {
        Problem problem = Racks.paper(seed);
        Adaptive adaptive = new Adaptive(problem, problem.atTors(), Adaptive.Patience.DEFAULT);
        Plan plan = adaptive.settle();
        assertThat(problem.violations(plan)).isEmpty();
        int optimum = Counted.solve(problem).plan().nodes().size();
        assertThat(plan.nodes().size()).isBetween(optimum, optimum + 2);
    }

    @Test
    void violatesNoConstraintOnItsWayWhileTrafficStays() {
        for (long seed = 0; seed < 30; seed++) {
            Problem problem = Racks.random(4, 20, 150 + 40 * (seed % 6), 0.03 * (seed % 8), seed);
            Adaptive adaptive = new Adaptive(problem, problem.atTors(), Adaptive.Patience.DEFAULT);
            for (int i = 0; i < 400; i++) {
                int group = i % problem.groups().size();
                adaptive.report(group, problem.groups().get(group));
                assertThat(problem.violations(adaptive.plan())).isEmpty();
            }
            assertThat(adaptive.plan().nodes().size())
                    .isLessThanOrEqualTo(problem.atTors().nodes().size());
        }
    }

    /** Then it can't but be violated at first; what is reported must mend it. */
    @Test
    void mendsWhatOtherTrafficHasViolated() {
        SplittableRandom random = new SplittableRandom(5);
        for (long seed = 0; seed < 20; seed++) {
            Problem before = Racks.random(4, 20, 300, 0.15, seed);
            Adaptive adaptive = new Adaptive(before, before.atTors(), Adaptive.Patience.DEFAULT);
            adaptive.settle();
            List<Group> groups = new ArrayList<>();
            for (Group group : before.groups()) {
                double factor = random.nextDouble(0.5, 2.2);
                groups.add(
                        new Group(
                                group.name(),
                                group.rack(),
                                group.core() * factor,
                                group.aggregation() * factor,
                                group.tor() * factor));
            }
            Problem after = before.with(groups);
            for (int round = 0; round < 3; round++) {
                for (int group = 0; group < groups.size(); group++) {
                    adaptive.report(group, groups.get(group));
                }
            }
            assertThat(after.violations(adaptive.plan())).isEmpty();
        }
    }

    @Test
    void mergesARackPairIntoOneNodeAndStaysThere() {
        FatTree tree = new FatTree(4);
        Problem problem =
                new Problem(
                        tree,
                        List.of(new Group("a", 0, 10, 0, 0), new Group("b", 1, 10, 0, 0)),
                        Limits.uniform(tree, 1, 1, 0.01, 0));
        Adaptive adaptive = new Adaptive(problem, problem.atTors(), Adaptive.Patience.DEFAULT);
        Plan settled = adaptive.settle();
        assertThat(settled.nodes()).hasSize(1);
        assertThat(adaptive.settle()).isEqualTo(settled);
    }

    @Test
    void postponesWhatGainsLittleUntilItWasDecidedOnOftenEnough() {
        FatTree tree = new FatTree(4);
        Problem problem =
                new Problem(
                        tree,
                        List.of(new Group("a", 0, 1, 0, 9), new Group("b", 1, 1, 0, 9)),
                        Limits.uniform(tree, 1, 1, 0.01, 100));
        Adaptive adaptive = new Adaptive(problem, problem.atTors(), new Adaptive.Patience(0.5, 3));
        List<Tier> tiers = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            tiers.add(tree.tier(adaptive.report(0, problem.groups().get(0))));
        }
        assertThat(tiers).containsExactly(Tier.TOR, Tier.TOR, Tier.AGGREGATION, Tier.AGGREGATION);
    }
}
