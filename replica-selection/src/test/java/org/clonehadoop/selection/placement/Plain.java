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

import com.google.ortools.linearsolver.MPConstraint;
import com.google.ortools.linearsolver.MPSolver;
import com.google.ortools.linearsolver.MPVariable;
import java.util.OptionalInt;

/**
 * NetRS' program letter by letter, (1) to (7), with a variable for each pair: for small trees only.
 */
final class Plain {
    private Plain() {}

    /** The least number of nodes; none if no plan satisfies all constraints. */
    static OptionalInt nodes(Problem problem) throws Deadline.PassedException {
        MPSolver model = Solver.model();
        int switches = problem.tree().switches();
        MPVariable[] used = new MPVariable[switches];
        MPConstraint[] load = new MPConstraint[switches];
        for (int j = 0; j < switches; j++) {
            used[j] = model.makeBoolVar("D" + j);
            model.objective().setCoefficient(used[j], 1);
            load[j] = model.makeConstraint(-MPSolver.infinity(), problem.limits().load()[j], "");
        }
        MPConstraint hops =
                model.makeConstraint(-MPSolver.infinity(), problem.limits().extraHops(), "");
        for (Group group : problem.groups()) {
            MPConstraint once = model.makeConstraint(1, 1, "");
            for (int j = 0; j < switches; j++) {
                if (problem.tree().onWay(group.rack(), j)) {
                    MPVariable here = model.makeBoolVar("P");
                    MPConstraint node = model.makeConstraint(0, MPSolver.infinity(), "");
                    node.setCoefficient(used[j], 1);
                    node.setCoefficient(here, -1);
                    once.setCoefficient(here, 1);
                    load[j].setCoefficient(here, group.traffic());
                    hops.setCoefficient(here, group.extraHops(problem.tree().tier(j)));
                }
            }
        }
        model.objective().setMinimization();
        return Solver.solve(model, Deadline.in(Counted.PATIENCE))
                ? OptionalInt.of((int) Math.round(model.objective().value()))
                : OptionalInt.empty();
    }
}
