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

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * NetRS' integer linear program, solved exactly and fast, for interchangeable switches are counted
 * instead of named.
 *
 * <p>NetRS names a variable for each pair of group and switch; a solver then tries every
 * permutation of equal switches, and the paper speaks of hours. Here a {@link SwitchClass} has one
 * integer, how many of its switches select, and a group chooses among classes. That is a
 * relaxation: groups of a class together fit into n switches if their sum does. So its optimum is a
 * lower bound. {@link Packing} then names switches; if no class needs more than was counted, the
 * plan is proven to be optimal. Else what was seen becomes a cut (these groups, or more, need one
 * switch more), and the model is solved again.
 *
 * <p>Where nothing satisfies all constraints, groups with as little traffic as possible are
 * degraded; and the largest, one by one, where only packing fails. (NetRS degrades those with the
 * highest traffic, until a plan exists.) What is proven then is of plans that degrade the same
 * ones.
 *
 * <p>Where groups are about as large as what a switch may carry, cuts are many. After a time the
 * best plan so far is taken, beside what is proven; if there is none, Algorithm 1's.
 */
public final class Counted {
    private static final int ROUNDS = 50;

    /** Proofs that take longer were never seen to end soon. */
    public static final Duration PATIENCE = Duration.ofSeconds(10);

    private final Problem problem;
    private final Deadline deadline;
    private final List<SwitchClass> classes;
    private final List<CountedModel.Cut> cuts = new ArrayList<>();
    private boolean[] degraded;
    private Plan best;
    private int least;

    private Counted(Problem problem, Duration patience) {
        this.problem = problem;
        deadline = Deadline.in(patience);
        classes = SwitchClass.of(problem.tree(), problem.limits());
        degraded = new boolean[problem.groups().size()];
    }

    /**
     * @throws IllegalStateException if the solver isn't there or gives up
     */
    public static Placement solve(Problem problem) {
        return solve(problem, PATIENCE);
    }

    /**
     * @param patience after which the best so far is taken, soon if not at once
     * @throws IllegalStateException if the solver isn't there or gives up
     */
    public static Placement solve(Problem problem, Duration patience) {
        Solver.load();
        long begin = System.nanoTime();
        Counted counted = new Counted(problem, patience);
        counted.run();
        return new Placement(counted.best, counted.least, (System.nanoTime() - begin) / 1e9);
    }

    private void run() {
        try {
            while (!improve()) {
                degrade();
            }
        } catch (Deadline.PassedException late) {
            if (best == null) {
                best = new Adaptive(problem, problem.atTors(), Adaptive.Patience.DEFAULT).settle();
                least = Placement.UNKNOWN; // it may degrade more
            }
        }
    }

    /** Solves and cuts until the best is proven, or no cut follows; false if there is no plan. */
    private boolean improve() throws Deadline.PassedException {
        for (int round = 0; round < ROUNDS; round++) {
            CountedModel.Choice choice;
            try (CountedModel model = model()) {
                choice = model.fewestNodes(degraded);
            }
            if (choice == null) {
                return best != null;
            }
            least = choice.nodes();
            boolean cut = name(choice);
            if (best != null && best.nodes().size() <= least || !cut) {
                break;
            }
        }
        return best != null;
    }

    private CountedModel model() {
        return new CountedModel(problem, classes, cuts, deadline);
    }

    /**
     * Makes a plan of a choice, which becomes the best if it is.
     *
     * @return whether a cut forbids the choice from now on
     */
    private boolean name(CountedModel.Choice choice) {
        int[] nodes = Plan.allDegraded(degraded.length).toArray();
        boolean fits = true;
        boolean cut = false;
        for (int c = 0; c < classes.size(); c++) {
            SwitchClass of = classes.get(c);
            int[] groups = choice.groups(c);
            Packing packing = pack(groups, of);
            if (packing.least() > choice.counts()[c]) {
                cuts.add(new CountedModel.Cut(c, groups, packing.least()));
                cut = true;
            }
            if (packing.count() > of.switches().size()) {
                fits = false;
            } else {
                for (int i = 0; i < groups.length; i++) {
                    nodes[groups[i]] = of.switches().get(packing.bins()[i]);
                }
            }
        }
        Plan plan = new Plan(nodes);
        if (fits && (best == null || plan.nodes().size() < best.nodes().size())) {
            best = plan;
        }
        return cut;
    }

    private Packing pack(int[] groups, SwitchClass into) {
        return Packing.of(IntStream.of(groups).mapToDouble(this::traffic).toArray(), into.limit());
    }

    private double traffic(int group) {
        return problem.groups().get(group).traffic();
    }

    /** First what the relaxation can't carry; then, should packing fail, the largest left. */
    private void degrade() throws Deadline.PassedException {
        boolean[] must;
        try (CountedModel model = model()) {
            must = model.leastDegraded(degraded);
        }
        if (Arrays.equals(must, degraded)) {
            int largest =
                    IntStream.range(0, must.length)
                            .filter(group -> !degraded[group])
                            .boxed()
                            .max(Comparator.comparingDouble(this::traffic))
                            .orElseThrow();
            must[largest] = true;
        }
        degraded = must;
    }
}
