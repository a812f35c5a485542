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

import java.util.Comparator;
import java.util.stream.IntStream;

/**
 * Degraded replica selection (NetRS, 4.1) of as many groups as a plan needs that doesn't satisfy
 * its limits any more: at once, without solving anything.
 */
public final class Degraded {
    private Degraded() {}

    /**
     * Those with the highest traffic first, at switches with too much, and of all for extra hops.
     */
    public static Plan untilWithin(Problem problem, Plan plan) {
        Assignment assignment = new Assignment(problem, plan);
        IntStream.range(0, plan.groups())
                .filter(group -> !plan.degraded(group))
                .boxed()
                .sorted(Comparator.comparingDouble(group -> -problem.groups().get(group).traffic()))
                .forEach(
                        group -> {
                            int node = assignment.node(group);
                            double hops =
                                    problem.groups()
                                            .get(group)
                                            .extraHops(problem.tree().tier(node));
                            if (assignment.overloaded(node)
                                    || assignment.tooManyHops() && hops > 0) {
                                assignment.move(group, Plan.DEGRADED);
                            }
                        });
        return assignment.plan();
    }
}
