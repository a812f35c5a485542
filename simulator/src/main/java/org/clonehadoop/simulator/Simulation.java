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
import java.util.function.UnaryOperator;
import org.apache.hadoop.clone.appmaster.PlacementDoor;
import org.apache.hadoop.clone.conf.CloneKeys;
import org.apache.hadoop.conf.Configuration;
import org.clonehadoop.benchmarks.feed.FeedPlayer;
import org.clonehadoop.simulator.cloning.BestHosts;
import org.clonehadoop.simulator.cloning.CoordinatedClones;
import org.clonehadoop.simulator.cloning.Foresight;
import org.clonehadoop.simulator.cloning.NoClones;
import org.clonehadoop.simulator.cloning.PaperClones;
import org.clonehadoop.simulator.mapreduce.CloneLead;
import org.clonehadoop.simulator.mapreduce.JobSpec;
import org.clonehadoop.simulator.mapreduce.RunRecord;
import org.clonehadoop.simulator.mapreduce.SimAppMaster;
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
     * @param around puts something between the AppMaster and its speculator that watches both
     */
    public static RunRecord run(
            JobSpec spec, Kind kind, long seed, UnaryOperator<FeedPlayer.Listener> around) {
        JobSpec tuned = spec.withConf(tuning(spec.costs()));
        return switch (kind) {
            case NONE, STOCK ->
                    run(tuned, seed, (site, conf) -> new NoClones(), kind::make, around);
            case PAPER ->
                    run(tuned, seed, (site, conf) -> new PaperClones(site), kind::make, around);
            case OURS -> ours(tuned, seed, around);
            case ORACLE -> oracle(tuned, seed, around);
        };
    }

    private static RunRecord run(
            JobSpec spec,
            long seed,
            BiFunction<CloneLead.Site, Configuration, CloneLead> leads,
            SimAppMaster.SpeculatorMaker speculators,
            UnaryOperator<FeedPlayer.Listener> around) {
        return new SimAppMaster(
                        spec,
                        seed,
                        leads,
                        (conf, context, cloner) ->
                                around.apply(speculators.make(conf, context, cloner)))
                .run();
    }

    /** The coordinator, which is made first, asks the speculator. */
    private static RunRecord ours(
            JobSpec spec, long seed, UnaryOperator<FeedPlayer.Listener> around) {
        AtomicReference<Ours> ours = new AtomicReference<>();
        return run(
                spec,
                seed,
                (site, conf) ->
                        new CoordinatedClones(
                                site,
                                conf,
                                (original, millis) -> ours.get().rescore(original, millis),
                                clones -> new PlacementDoor(conf, site.context(), clones)),
                (conf, context, cloner) -> {
                    ours.set(new Ours(conf, context, cloner));
                    return ours.get();
                },
                around);
    }

    private static RunRecord oracle(
            JobSpec spec, long seed, UnaryOperator<FeedPlayer.Listener> around) {
        AtomicReference<Foresight> foresight = new AtomicReference<>();
        return run(
                spec,
                seed,
                (site, conf) -> {
                    foresight.set(new Foresight(site));
                    return new CoordinatedClones(
                            site,
                            conf,
                            foresight.get()::rescore,
                            clones -> new BestHosts(site, foresight.get()));
                },
                (conf, context, cloner) -> new Oracle(conf, context, cloner, foresight.get()),
                around);
    }

    /** As an operator has tuned it who has measured what clones cost. */
    private static Map<String, String> tuning(CostBook costs) {
        return Map.of(
                CloneKeys.VM_MILLIS,
                String.valueOf(Math.round(costs.vmMillis())),
                CloneKeys.BANDWIDTH,
                Math.round(costs.megabytesPerSecond()) + "m");
    }
}
