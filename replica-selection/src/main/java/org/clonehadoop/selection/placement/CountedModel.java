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
import com.google.ortools.linearsolver.MPObjective;
import com.google.ortools.linearsolver.MPSolver;
import com.google.ortools.linearsolver.MPVariable;
import java.util.List;
import java.util.stream.IntStream;
import org.clonehadoop.selection.fattree.Tier;

/**
 * The counted program, built anew for each solution:
 *
 * <pre>
 *   minimise  Σ n_c                                   or  Σ d_i T_i
 *   for each group i    Σ_c x_ic + d_i = 1            constraint 1
 *   for each class c    Σ_i x_ic T_i ≤ n_c T^max_c    constraint 2
 *                       x_ic ≤ n_c               below the cores: it is implied, but tightens
 *                       Σ_i x_ic w_ick ≤ k n_c   the same: Weights, for each k
 *   Σ x_ic hops_ic ≤ E                                constraint 3
 *   for each cut        n_c ≥ b − b (|S| − Σ_{i in S} x_ic)
 * </pre>
 */
final class CountedModel implements AutoCloseable {
    /**
     * @param of class
     * @param groups that need more switches of it, if all are there
     * @param needed that many
     */
    record Cut(int of, int[] groups, int needed) {}

    /**
     * @param counts of switches of each class
     * @param classes each group's, -1 if degraded
     */
    record Choice(int[] counts, int[] classes) {
        int nodes() {
            return IntStream.of(counts).sum();
        }

        int[] groups(int of) {
            return IntStream.range(0, classes.length).filter(i -> classes[i] == of).toArray();
        }
    }

    private final Problem problem;
    private final List<SwitchClass> classes;
    private final Deadline deadline;
    private final MPSolver model = Solver.model();
    private final MPVariable[] count;
    private final MPVariable[][] chosen;
    private final MPVariable[] degraded;

    CountedModel(Problem problem, List<SwitchClass> classes, List<Cut> cuts, Deadline deadline) {
        this.problem = problem;
        this.deadline = deadline;
        this.classes = classes;
        int groups = problem.groups().size();
        count = new MPVariable[classes.size()];
        chosen = new MPVariable[groups][classes.size()];
        degraded = new MPVariable[groups];
        for (int c = 0; c < count.length; c++) {
            count[c] = model.makeIntVar(0, classes.get(c).switches().size(), "");
        }
        for (int i = 0; i < groups; i++) {
            degraded[i] = model.makeBoolVar("");
            choose(i);
        }
        limit();
        cuts.forEach(this::cut);
    }

    /** Its memory is native: collectors of garbage don't see how much it is. */
    @Override
    public void close() {
        model.delete();
    }

    private void choose(int group) {
        Group of = problem.groups().get(group);
        MPConstraint once = model.makeConstraint(1, 1, "");
        once.setCoefficient(degraded[group], 1);
        for (int c = 0; c < count.length; c++) {
            if (classes.get(c).takes(problem, of)) {
                chosen[group][c] = model.makeBoolVar("");
                once.setCoefficient(chosen[group][c], 1);
                if (classes.get(c).tier() != Tier.CORE) {
                    MPConstraint some = model.makeConstraint(-MPSolver.infinity(), 0, "");
                    some.setCoefficient(chosen[group][c], 1);
                    some.setCoefficient(count[c], -1);
                }
            }
        }
    }

    private void limit() {
        MPConstraint hops =
                model.makeConstraint(-MPSolver.infinity(), problem.limits().extraHops(), "");
        for (int c = 0; c < count.length; c++) {
            SwitchClass of = classes.get(c);
            MPConstraint load = model.makeConstraint(-MPSolver.infinity(), 0, "");
            load.setCoefficient(count[c], -of.limit());
            for (int i = 0; i < chosen.length; i++) {
                if (chosen[i][c] != null) {
                    Group group = problem.groups().get(i);
                    load.setCoefficient(chosen[i][c], group.traffic());
                    hops.setCoefficient(chosen[i][c], group.extraHops(of.tier()));
                }
            }
            for (int k = 1; k <= Weights.MOST; k++) {
                weigh(c, k);
            }
        }
    }

    /** Left out where constraint 2 says as much. */
    private void weigh(int c, int k) {
        double capacity = classes.get(c).limit();
        int[] weights = new int[chosen.length];
        boolean more = false;
        for (int i = 0; i < weights.length; i++) {
            double traffic = problem.groups().get(i).traffic();
            weights[i] = chosen[i][c] == null ? 0 : Weights.of(traffic, capacity, k);
            more |= weights[i] * capacity > k * traffic;
        }
        if (more) {
            MPConstraint weighed = model.makeConstraint(-MPSolver.infinity(), 0, "");
            weighed.setCoefficient(count[c], -k);
            for (int i = 0; i < weights.length; i++) {
                if (weights[i] > 0) {
                    weighed.setCoefficient(chosen[i][c], weights[i]);
                }
            }
        }
    }

    private void cut(Cut cut) {
        int needed = cut.needed();
        MPConstraint more =
                model.makeConstraint(
                        needed - (double) needed * cut.groups().length, MPSolver.infinity(), "");
        more.setCoefficient(count[cut.of()], 1);
        for (int group : cut.groups()) {
            more.setCoefficient(chosen[group][cut.of()], -needed);
        }
    }

    /**
     * As few nodes as possible.
     *
     * @param which groups are degraded
     * @return null if there is no choice
     */
    Choice fewestNodes(boolean[] which) throws Deadline.PassedException {
        for (int i = 0; i < degraded.length; i++) {
            degraded[i].setBounds(which[i] ? 1 : 0, which[i] ? 1 : 0);
        }
        MPObjective nodes = model.objective();
        for (MPVariable one : count) {
            nodes.setCoefficient(one, 1);
        }
        nodes.setMinimization();
        return Solver.solve(model, deadline) ? choice() : null;
    }

    private Choice choice() {
        int[] counts = new int[count.length];
        for (int c = 0; c < counts.length; c++) {
            counts[c] = (int) Math.round(count[c].solutionValue());
        }
        int[] of = new int[chosen.length];
        for (int i = 0; i < of.length; i++) {
            of[i] = -1;
            for (int c = 0; c < counts.length; c++) {
                if (chosen[i][c] != null && chosen[i][c].solutionValue() > 0.5) {
                    of[i] = c;
                }
            }
        }
        return new Choice(counts, of);
    }

    /**
     * Which groups to degrade so that as little traffic as possible is.
     *
     * @param already those that are, whatever happens
     */
    boolean[] leastDegraded(boolean[] already) throws Deadline.PassedException {
        MPObjective traffic = model.objective();
        for (int i = 0; i < degraded.length; i++) {
            degraded[i].setBounds(already[i] ? 1 : 0, 1);
            traffic.setCoefficient(degraded[i], problem.groups().get(i).traffic());
        }
        traffic.setMinimization();
        if (!Solver.solve(model, deadline)) {
            throw new IllegalStateException("no plan, although all groups may be degraded");
        }
        boolean[] must = new boolean[degraded.length];
        for (int i = 0; i < must.length; i++) {
            must[i] = degraded[i].solutionValue() > 0.5;
        }
        return must;
    }
}
