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
import java.util.Set;
import org.clonehadoop.selection.fattree.Tier;
import org.junit.jupiter.api.Test;

class FailureTest {
    @Test
    void degradesOnlyGroupsOfWhatFailed() {
        Problem problem = Racks.paper(1);
        Plan plan = Counted.solve(problem).plan();
        int failed = plan.nodes().last();
        Plan meanwhile = Failure.degrade(plan, Set.of(failed));
        for (int group = 0; group < plan.groups(); group++) {
            assertThat(meanwhile.node(group))
                    .isEqualTo(plan.node(group) == failed ? Plan.DEGRADED : plan.node(group));
        }
    }

    @Test
    void movesAsideAndViolatesNothing() {
        for (long seed = 1; seed <= 3; seed++) {
            Problem problem = Racks.paper(seed);
            Plan plan = Counted.solve(problem).plan();
            for (int failed : plan.nodes()) {
                Plan other = Failure.replan(problem, plan, Set.of(failed));
                Problem rest = problem.with(problem.limits().without(Set.of(failed)));
                assertThat(rest.violations(other)).isEmpty();
                assertThat(other.nodes()).doesNotContain(failed);
                // A rack's own switch is alone in its tier, and there is none below.
                Tier tier = problem.tree().tier(failed);
                int moved = other.node(group(plan, failed));
                if (tier == Tier.TOR) {
                    assertThat(moved).isEqualTo(Plan.DEGRADED);
                } else {
                    assertThat(other.toArray()).doesNotContain(Plan.DEGRADED);
                    assertThat(problem.tree().tier(moved)).isEqualTo(tier);
                }
            }
        }
    }

    private static int group(Plan plan, int node) {
        for (int group = 0; group < plan.groups(); group++) {
            if (plan.node(group) == node) {
                return group;
            }
        }
        throw new IllegalArgumentException("nothing at " + node);
    }

    @Test
    void goesDownWhereNothingAsideIsLeftAndNeverUp() {
        Problem problem = Racks.random(4, 8, 1000, 0.5, 1);
        int aggregation = problem.tree().aggregation(0, 0);
        Plan plan = problem.atTors();
        for (int group = 0; group < plan.groups(); group++) {
            if (problem.tree().podOfRack(problem.groups().get(group).rack()) == 0) {
                plan = plan.with(group, aggregation);
            }
        }
        Plan other =
                Failure.replan(
                        problem, plan, List.of(aggregation, problem.tree().aggregation(0, 1)));
        assertThat(other).isEqualTo(problem.atTors());
        assertThat(other.nodes()).allMatch(node -> problem.tree().tier(node) == Tier.TOR);
    }

    @Test
    void leavesThoseDegradedThatNothingMayCarry() {
        Problem problem = Racks.random(2, 4, 1000, 0, 1);
        Plan plan = problem.atTors();
        int failed = plan.node(0);
        assertThat(Failure.replan(problem, plan, Set.of(failed)).degraded(0)).isTrue();
    }
}
