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
package org.clonehadoop.simulator.cloning;

import org.apache.hadoop.clone.protocol.CloneTravel;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.clonehadoop.simulator.mapreduce.CloneLead;
import org.clonehadoop.simulator.platform.CostBook;
import org.clonehadoop.simulator.platform.SimHost;

/**
 * A clone on its way from its original's host to its own: its container starts, the original is
 * frozen, files and image travel, the clone is restored. By the paper's costs all of it is one
 * freeze.
 */
final class Passage {
    /** Of t̄_vm, until the original can be frozen: the container starts, both ends meet. */
    private static final double BEFORE_FREEZE = 0.4;

    private final CloneLead.Site site;
    private final CostBook costs;
    private final TaskAttemptId original;
    private final SimHost from;
    private final SimHost to;
    private Travel.Baggage baggage;
    private Travel travel;
    private boolean stopped;
    private long frozenAt;
    private long frozenMillis;
    private long travelMillis;

    Passage(CloneLead.Site site, TaskAttemptId original, SimHost to) {
        this.site = site;
        this.costs = site.spec().costs();
        this.original = original;
        this.from = site.hostOf(original);
        this.to = to;
    }

    /** Were both hosts to stay as they are: from the container's launch until the clone runs. */
    double millis() {
        return beforeFreezeMillis() + restMillis() + baggage().millis(costs);
    }

    double beforeFreezeMillis() {
        return costs.freezeWithFiles() ? 0 : BEFORE_FREEZE * costs.vmMillis() / slower();
    }

    /** After the freeze, but for what travels. */
    private double restMillis() {
        return (costs.freezeWithFiles()
                        ? costs.freezeMillis()
                        : (1 - BEFORE_FREEZE) * costs.vmMillis())
                / slower();
    }

    private double slower() {
        return Math.min(quickness(from), quickness(to));
    }

    /** How quick a host is for what is done for clones: never nothing, or nobody would end. */
    static double quickness(SimHost host) {
        return Math.max(0.01, host.quickness());
    }

    private Travel.Baggage baggage() {
        return Travel.Baggage.of(site, original, to);
    }

    /**
     * The original stands still where it is.
     *
     * @param sent is run when the clone could run; not once it is stopped
     */
    void freeze(Runnable sent) {
        baggage = baggage();
        frozenAt = site.timeline().getTime();
        site.freeze(original);
        if (!costs.freezeWithFiles()) {
            site.timeline().after(Math.round(costs.freezeMillis() / quickness(from)), this::thaw);
        }
        travel = new Travel(site.timeline(), costs, baggage, () -> arrived(sent));
    }

    private void thaw() {
        if (frozenMillis == 0) {
            frozenMillis = Math.max(1, site.timeline().getTime() - frozenAt);
            site.thaw(original);
        }
    }

    private void arrived(Runnable sent) {
        travelMillis = Math.max(1, site.timeline().getTime() - frozenAt);
        site.timeline().after(Math.round(restMillis()), () -> restored(sent));
    }

    private void restored(Runnable sent) {
        if (!stopped) {
            thaw();
            sent.run();
        }
    }

    /** The clone isn't wanted any more, or can't be had. */
    void stop() {
        stopped = true;
        if (travel != null) {
            travel.stop();
            thaw();
        }
    }

    /** Of a clone that was sent. */
    long frozenMillis() {
        return frozenMillis;
    }

    /** Of a clone that was sent. */
    CloneTravel travelled() {
        return new CloneTravel(bytes(baggage.files()), bytes(baggage.image()), travelMillis);
    }

    static long bytes(double megabytes) {
        return Math.round(megabytes * (1 << 20));
    }
}
