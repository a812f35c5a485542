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
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.clone.conf.CloneKeys;
import org.apache.hadoop.conf.Configuration;
import org.clonehadoop.simulator.cloning.CoordinatedClones;
import org.clonehadoop.simulator.cloning.NoClones;
import org.clonehadoop.simulator.cloning.PaperClones;
import org.clonehadoop.simulator.mapreduce.CloneLead;
import org.clonehadoop.simulator.mapreduce.JobSpec;
import org.clonehadoop.simulator.mapreduce.RunRecord;
import org.clonehadoop.simulator.mapreduce.SimAppMaster;
import org.clonehadoop.simulator.platform.CostBook;
import org.clonehadoop.simulator.speculators.Kind;
import org.clonehadoop.simulator.speculators.Ours;

/** A job, somebody who decides, and a seed: what becomes of it. */
public final class Simulation {
    private Simulation() {}

    /**
     * @return always the same for the same arguments
     */
    public static RunRecord run(JobSpec spec, Kind kind, long seed) {
        JobSpec tuned = spec.withConf(tuning(spec.costs()));
        AtomicReference<Ours> ours = new AtomicReference<>();
        SimAppMaster appMaster =
                new SimAppMaster(
                        tuned,
                        seed,
                        (site, conf) -> lead(kind, site, conf, ours),
                        (conf, context, cloner) -> {
                            if (kind != Kind.OURS) {
                                return kind.make(conf, context, cloner);
                            }
                            ours.set(new Ours(conf, context, cloner));
                            return ours.get();
                        });
        return appMaster.run();
    }

    private static CloneLead lead(
            Kind kind, CloneLead.Site site, Configuration conf, AtomicReference<Ours> ours) {
        return switch (kind) {
            case NONE, STOCK -> new NoClones();
            case PAPER -> new PaperClones(site);
            case OURS ->
                    new CoordinatedClones(
                            site,
                            conf,
                            (original, millis) ->
                                    Optional.ofNullable(ours.get())
                                            .flatMap(one -> one.rescore(original, millis)));
        };
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
