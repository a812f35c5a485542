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

import java.util.List;
import org.clonehadoop.selection.fattree.FatTree;
import org.junit.jupiter.api.Test;

class DegradedTest {
    private final FatTree tree = new FatTree(4);

    @Test
    void takesTheHighestTrafficFirstAndNoMoreThanNeeded() {
        Problem problem =
                new Problem(
                        tree,
                        List.of(
                                new Group("a", 0, 30, 0, 0),
                                new Group("b", 1, 60, 0, 0),
                                new Group("c", 2, 50, 0, 0),
                                new Group("d", 7, 90, 0, 0)),
                        Limits.uniform(tree, 1, 1, 0.01, 0));
        int core = tree.core(1);
        Plan plan = new Plan(new int[] {core, core, core, 7});
        assertThat(Degraded.untilWithin(problem, plan).toArray())
                .containsExactly(core, Plan.DEGRADED, core, 7);
    }

    @Test
    void leavesAPlanWithinItsLimitsAlone() {
        Problem problem = Racks.paper(2);
        Plan plan = Counted.solve(problem).plan();
        assertThat(Degraded.untilWithin(problem, plan)).isEqualTo(plan);
    }

    @Test
    void endsWithinTheLimitsOfTrafficThatGrew() {
        Problem problem = Racks.paper(3);
        Plan plan = Counted.solve(problem).plan();
        Problem grown =
                problem.with(
                        problem.groups().stream()
                                .map(
                                        g ->
                                                new Group(
                                                        g.name(),
                                                        g.rack(),
                                                        g.core() * 1.8,
                                                        g.aggregation() * 1.8,
                                                        g.tor() * 1.8))
                                .toList());
        assertThat(grown.violations(plan)).isNotEmpty();
        assertThat(grown.violations(Degraded.untilWithin(grown, plan))).isEmpty();
    }
}
