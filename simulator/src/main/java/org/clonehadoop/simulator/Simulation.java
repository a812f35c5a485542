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
package org.clonehadoop.simulator;

import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.apache.hadoop.clone.appmaster.PlacementDoor;
import org.apache.hadoop.clone.conf.CloneKeys;
import org.apache.hadoop.clone.placement.PlacementRules;
import org.apache.hadoop.clone.score.CostRules;
import org.apache.hadoop.conf.Configuration;
import org.clonehadoop.benchmarks.feed.FeedPlayer;
import org.clonehadoop.simulator.cloning.BestHosts;
import org.clonehadoop.simulator.cloning.CoordinatedClones;
import org.clonehadoop.simulator.cloning.Foresight;
import org.clonehadoop.simulator.cloning.NoClones;
import org.clonehadoop.simulator.cloning.PaperClones;
import org.clonehadoop.simulator.engine.Draws;
import org.clonehadoop.simulator.mapreduce.CloneLead;
import org.clonehadoop.simulator.mapreduce.JobSpec;
import org.clonehadoop.simulator.mapreduce.RunRecord;
import org.clonehadoop.simulator.mapreduce.SimAppMaster;
import org.clonehadoop.simulator.mapreduce.SimCluster;
import org.clonehadoop.simulator.platform.CostBook;
import org.clonehadoop.simulator.speculators.Kind;
import org.clonehadoop.simulator.speculators.Oracle;
import org.clonehadoop.simulator.speculators.Ours;

/** A job, somebody who decides, and a seed: what becomes of it. */
public final class Simulation {
    private Simulation() {}

    /**
     * @return always the same for the same arguments
     */
    public static RunRecord run(JobSpec spec, Kind kind, long seed) {
        return run(spec, kind, seed, speculator -> speculator);
    }

    /**
     * As {@link #run(JobSpec, Kind, long)}, with other numbers in today's rules.
     *
     * @param rules nobody else's
     */
    public static RunRecord run(JobSpec spec, Kind kind, long seed, Rules rules) {
        return run(spec, deciders(kind, rules), seed, speculator -> speculator);
    }

    /**
     * @param around puts something between the AppMaster and its speculator that watches both
     */
    public static RunRecord run(
            JobSpec spec, Kind kind, long seed, UnaryOperator<FeedPlayer.Listener> around) {
        return run(spec, deciders(kind, Rules.PRESET), seed, around);
    }

    private static RunRecord run(
            JobSpec spec, Deciders deciders, long seed, UnaryOperator<FeedPlayer.Listener> around) {
        return SimCluster.runAlone(
                tuned(spec),
                seed,
                deciders.leads(),
                (conf, context, cloner) ->
                        around.apply(deciders.speculators().make(conf, context, cloner)));
    }

    /**
     * One of several jobs on a cluster, not yet submitted.
     *
     * @param draws the job's luck
     * @param whenDone hears what became of it, once
     */
    public static SimAppMaster job(
            SimCluster cluster,
            JobSpec spec,
            Kind kind,
            Draws draws,
            Consumer<RunRecord> whenDone) {
        Deciders deciders = deciders(kind, Rules.PRESET);
        return new SimAppMaster(
                cluster, tuned(spec), draws, deciders.leads(), deciders.speculators(), whenDone);
    }

    /** Those of one job. */
    private record Deciders(
            BiFunction<CloneLead.Site, Configuration, CloneLead> leads,
            SimAppMaster.SpeculatorMaker speculators) {}

    private static Deciders deciders(Kind kind, Rules rules) {
        return switch (kind) {
            case NONE, STOCK -> new Deciders((site, conf) -> new NoClones(), kind::make);
            case PAPER -> new Deciders((site, conf) -> new PaperClones(site), kind::make);
            case OURS -> ours(rules);
            case ORACLE -> oracle();
        };
    }

    /** The coordinator, which is made first, asks the speculator. */
    private static Deciders ours(Rules rules) {
        AtomicReference<Ours> ours = new AtomicReference<>();
        return new Deciders(
                (site, conf) ->
                        new CoordinatedClones(
                                site,
                                conf,
                                rules.costs(),
                                rules.placement(),
                                (original, millis) -> ours.get().rescore(original, millis),
                                clones ->
                                        new PlacementDoor(
                                                site,
                                                conf,
                                                rules.placement(),
                                                rules.speculation(),
                                                () -> ours.get().outlook(),
                                                clones)),
                (conf, context, cloner) -> {
                    ours.set(
                            new Ours(
                                    conf, context, cloner, rules.speculation(), rules.estimates()));
                    return ours.get();
                });
    }

    private static Deciders oracle() {
        AtomicReference<Foresight> foresight = new AtomicReference<>();
        return new Deciders(
                (site, conf) -> {
                    foresight.set(new Foresight(site));
                    return new CoordinatedClones(
                            site,
                            conf,
                            CostRules.PRESET,
                            PlacementRules.PRESET,
                            foresight.get()::rescore,
                            clones -> new BestHosts(site, foresight.get()));
                },
                (conf, context, cloner) -> new Oracle(conf, context, cloner, foresight.get()));
    }

    /**
     * As an operator has tuned it who has measured what clones cost; what the job sets itself
     * counts.
     */
    private static JobSpec tuned(JobSpec spec) {
        CostBook costs = spec.costs();
        return spec.withPresets(
                Map.of(
                        CloneKeys.VM_MILLIS,
                        String.valueOf(Math.round(costs.vmMillis())),
                        CloneKeys.BANDWIDTH,
                        Math.round(costs.megabytesPerSecond()) + "m"));
    }
}
