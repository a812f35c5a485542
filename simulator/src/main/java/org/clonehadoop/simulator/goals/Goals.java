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
package org.clonehadoop.simulator.goals;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.LongStream;
import org.clonehadoop.simulator.figures.Interval;
import org.clonehadoop.simulator.figures.Reading;
import org.clonehadoop.simulator.mapreduce.JobSpec;
import org.clonehadoop.simulator.mapreduce.RunRecord;
import org.clonehadoop.simulator.platform.CostBook;
import org.clonehadoop.simulator.speculators.Kind;
import org.clonehadoop.simulator.sweep.Asked;

/**
 * All that is to be reached with one cost book: by the paper's base job on 64 nodes, with delays of
 * three shapes, and by the catalogue.
 */
final class Goals {
    private static final double[] SHAPES = {2, 1, 10};
    private static final double[] WASTEFUL_SHAPES = {2, 10};
    private static final int USUAL_SHAPE = 2;
    private static final double OVER_STOCKS = 0.70;
    private static final double OVER_STOCKS_OTHERWISE = 1.00;
    private static final double OVER_ORACLES = 1.15;
    private static final double CLONES_WON = 0.80;
    private static final double THROWN_AWAY = 1.00;
    private static final double WORST = 1.02;

    private final Map<String, JobSpec> catalogue;
    private final CostBook costs;
    private final long seeds;
    private final Map<Asked, RunRecord> done;

    /** Simulates all of it. */
    Goals(Map<String, JobSpec> catalogue, CostBook costs, int seeds) {
        this.catalogue = new LinkedHashMap<>(catalogue);
        this.catalogue.replaceAll((name, spec) -> spec.withCosts(costs));
        this.costs = costs;
        this.seeds = seeds;
        done = Asked.run(asked());
    }

    private List<Asked> asked() {
        List<Asked> asked = new ArrayList<>();
        for (double shape : SHAPES) {
            asked.addAll(each(job(shape), Kind.STOCK));
            asked.addAll(each(job(shape), Kind.OURS));
        }
        asked.addAll(each(job(USUAL_SHAPE), Kind.ORACLE));
        for (JobSpec spec : catalogue.values()) {
            asked.addAll(each(spec, Kind.STOCK));
            asked.addAll(each(spec, Kind.OURS));
        }
        return asked;
    }

    private JobSpec job(double shape) {
        return Reading.FIRST.job(shape).withCosts(costs);
    }

    private List<Asked> each(JobSpec spec, Kind kind) {
        return LongStream.rangeClosed(1, seeds)
                .mapToObj(seed -> Asked.of(spec, kind, seed))
                .toList();
    }

    List<Goal> all() {
        List<Goal> goals = new ArrayList<>();
        for (double shape : SHAPES) {
            String name = name(shape) + ": ";
            boolean usual = shape == USUAL_SHAPE;
            goals.add(
                    Goal.atMost(
                            name + "job time over stock's",
                            usual ? OVER_STOCKS : OVER_STOCKS_OTHERWISE,
                            over(job(shape), Kind.STOCK)));
            if (usual) {
                goals.add(
                        Goal.atMost(
                                name + "job time over the oracle's",
                                OVER_ORACLES,
                                over(job(shape), Kind.ORACLE)));
            }
            addUse(goals, name, List.of(job(shape)));
        }
        goals.add(worst());
        addUse(goals, "catalogue: ", catalogue.values());
        return goals;
    }

    private static String name(double shape) {
        return "shape " + Math.round(shape);
    }

    /** Where containers' time went. */
    Waste waste() {
        Waste waste = new Waste();
        for (double shape : WASTEFUL_SHAPES) {
            waste.add(name(shape), runs(job(shape), Kind.OURS), runs(job(shape), Kind.STOCK));
        }
        return waste;
    }

    private List<RunRecord> runs(JobSpec spec, Kind kind) {
        return each(spec, kind).stream().map(done::get).toList();
    }

    private Interval over(JobSpec spec, Kind other) {
        return Interval.ofMeans(
                sums(List.of(spec), Kind.OURS, RunRecord::jobSeconds),
                sums(List.of(spec), other, RunRecord::jobSeconds));
    }

    /** What became of clones and of containers' time. */
    private void addUse(List<Goal> goals, String name, Collection<JobSpec> specs) {
        goals.add(
                Goal.atLeast(
                        name + "clones that won, of those that ran",
                        CLONES_WON,
                        Interval.ofMeans(
                                sums(specs, Kind.OURS, RunRecord::wonClones),
                                sums(specs, Kind.OURS, RunRecord::ranClones))));
        goals.add(
                Goal.atMost(
                        name + "container time thrown away, over stock's",
                        THROWN_AWAY,
                        Interval.ofMeans(
                                sums(specs, Kind.OURS, RunRecord::thrownAwaySeconds),
                                sums(specs, Kind.STOCK, RunRecord::thrownAwaySeconds))));
    }

    private Goal worst() {
        return catalogue.entrySet().stream()
                .map(
                        one ->
                                new Goal(
                                        "catalogue: worst job time over stock's",
                                        true,
                                        WORST,
                                        over(one.getValue(), Kind.STOCK),
                                        one.getKey()))
                .max(Comparator.comparingDouble(goal -> goal.value().value()))
                .orElseThrow();
    }

    /** Of all these jobs, seed by seed. */
    private double[] sums(Collection<JobSpec> specs, Kind kind, ToDoubleFunction<RunRecord> of) {
        double[] sums = new double[(int) seeds];
        for (JobSpec spec : specs) {
            List<Asked> asked = each(spec, kind);
            for (int i = 0; i < sums.length; i++) {
                sums[i] += of.applyAsDouble(done.get(asked.get(i)));
            }
        }
        return sums;
    }
}
