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
import org.clonehadoop.simulator.platform.Load;
import org.clonehadoop.simulator.platform.SimHost;

/**
 * A clone on its way from its original's host to its own: its container starts, its files travel
 * while the original runs on, the original is frozen, its image travels, the clone is restored. By
 * the paper's costs all of it is one freeze.
 */
final class Passage {
    /** Of t̄_vm, before files travel: the container starts, both ends meet. */
    private static final double BEFORE_TRAVEL = 0.4;

    private static final double SAMPLE_MEGABYTES = 4;

    private final CloneLead.Site site;
    private final CostBook costs;
    private final TaskAttemptId original;
    private final SimHost from;
    private final SimHost to;
    private Travel travel;
    private boolean stopped;
    private long travelBegan;
    private long travelMillis;
    private double files;
    private double image;
    private long frozenAt;
    private boolean frozen;
    private long frozenMillis;

    Passage(CloneLead.Site site, TaskAttemptId original, SimHost to) {
        this.site = site;
        this.costs = site.spec().costs();
        this.original = original;
        this.from = site.hostOf(original);
        this.to = to;
    }

    /** Were both hosts to stay as they are: from the container's launch until the clone runs. */
    double millis() {
        return beforeTravelMillis()
                + restMillis()
                + baggage(site.fileMegabytes(original), site.imageMegabytes(original))
                        .millis(costs);
    }

    /** What travels between its hosts just now, by a sample of some megabytes. */
    double bytesPerMilli() {
        return Load.bytes(SAMPLE_MEGABYTES) / baggage(0, SAMPLE_MEGABYTES).millis(costs);
    }

    private double beforeTravelMillis() {
        return costs.freezeWithFiles() ? 0 : BEFORE_TRAVEL * costs.vmMillis() / slower();
    }

    /** After all has travelled. */
    private double restMillis() {
        double ofIdleHosts =
                costs.freezeWithFiles()
                        ? costs.freezeMillis()
                        : (1 - BEFORE_TRAVEL) * costs.vmMillis();
        return ofIdleHosts / slower();
    }

    private double slower() {
        return Math.min(quickness(from), quickness(to));
    }

    /** How quick a host is for what is done for clones: never nothing, or nobody would end. */
    static double quickness(SimHost host) {
        return Math.max(0.01, host.quickness());
    }

    private Travel.Baggage baggage(double someFiles, double someImage) {
        return new Travel.Baggage(someFiles, someImage, from, to);
    }

    /**
     * From the container's launch on, until the original is to be frozen.
     *
     * @param ready not run once it is stopped
     */
    void begin(Runnable ready) {
        site.timeline()
                .after(
                        Math.round(beforeTravelMillis()),
                        () -> {
                            if (costs.freezeWithFiles()) {
                                ready.run();
                            } else if (!stopped && site.isUnderWay(original)) {
                                files = site.fileMegabytes(original);
                                travel(files, 0, ready);
                            }
                        });
    }

    /**
     * The original stands still where it is.
     *
     * @param imageMegabytes of its memory
     * @param sent is run when the clone could run; not once it is stopped
     */
    void freeze(double imageMegabytes, Runnable sent) {
        image = imageMegabytes;
        frozen = true;
        frozenAt = site.timeline().getTime();
        double rest = costs.freezeWithFiles() ? site.fileMegabytes(original) : 0;
        files += rest;
        site.freeze(original);
        if (!costs.freezeWithFiles()) {
            site.timeline().after(Math.round(costs.freezeMillis() / quickness(from)), this::thaw);
        }
        travel(
                rest,
                image,
                () -> site.timeline().after(Math.round(restMillis()), () -> restored(sent)));
    }

    private void travel(double someFiles, double someImage, Runnable arrived) {
        travelBegan = site.timeline().getTime();
        travel =
                new Travel(
                        site.timeline(),
                        costs,
                        baggage(someFiles, someImage),
                        () -> {
                            travelMillis += site.timeline().getTime() - travelBegan;
                            arrived.run();
                        });
    }

    private void thaw() {
        if (frozen) {
            frozen = false;
            frozenMillis = site.timeline().getTime() - frozenAt;
            site.thaw(original);
        }
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
        thaw();
        if (travel != null) {
            travel.stop();
        }
    }

    boolean hasFrozen() {
        return frozenAt > 0;
    }

    /** Of a clone that was sent. */
    long frozenMillis() {
        return frozenMillis;
    }

    /** Of a clone that was sent. */
    CloneTravel travelled() {
        return new CloneTravel(Load.bytes(files), Load.bytes(image), Math.max(1, travelMillis));
    }
}
