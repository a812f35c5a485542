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
package org.clonehadoop.simulator.mapreduce;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.v2.api.records.JobId;
import org.apache.hadoop.mapreduce.v2.util.MRApps;
import org.clonehadoop.simulator.engine.Draws;
import org.clonehadoop.simulator.engine.Timeline;
import org.clonehadoop.simulator.platform.Machine;
import org.clonehadoop.simulator.platform.SimHost;
import org.clonehadoop.simulator.trouble.Trouble;
import org.clonehadoop.simulator.yarn.Application;
import org.clonehadoop.simulator.yarn.Containers;
import org.clonehadoop.simulator.yarn.Sharing;

/**
 * Hosts and containers that jobs share. It knows an AppMaster as long as its job runs, and no
 * longer: what a day's jobs take is what those take that run at once.
 */
public final class SimCluster implements Trouble.Site {
    /** Hadoop's estimators take small numbers for no time at all. */
    static final long BEGIN = 1_000_000;

    /** {@code yarn.nm.liveness-monitor.expiry-interval-ms}. */
    private static final long NODE_EXPIRY_MILLIS = 600_000;

    private static final long LONGEST_MILLIS = 10L * 24 * 3600 * 1000;

    private final Timeline timeline = new Timeline(BEGIN);
    private final List<SimHost> hosts;
    private final Containers containers;
    private final Set<SimAppMaster> running = new LinkedHashSet<>();
    private int jobs;

    /**
     * @param draws the hosts' luck
     */
    public SimCluster(ClusterSpec spec, Draws draws) {
        Function<String, SimHost> host =
                spec.machine()
                        .map(Machine::new)
                        .<Function<String, SimHost>>map(
                                machine ->
                                        name -> new SimHost(name, spec.host(), timeline, machine))
                        .orElse(name -> new SimHost(name, spec.host(), timeline));
        hosts =
                IntStream.rangeClosed(1, spec.hosts())
                        .mapToObj(number -> host.apply("h" + number))
                        .toList();
        containers =
                new Containers(
                        timeline,
                        draws,
                        hosts,
                        spec.host().containers(),
                        spec.heartbeatMillis(),
                        spec.sharing());
    }

    /** One job on a cluster of its own, from its submission to its end. */
    public static RunRecord runAlone(
            JobSpec spec,
            long seed,
            BiFunction<CloneLead.Site, Configuration, CloneLead> leads,
            SimAppMaster.SpeculatorMaker speculators) {
        Draws draws = new Draws(seed);
        SimCluster cluster = new SimCluster(ClusterSpec.of(spec, Sharing.FAIR), draws);
        List<RunRecord> ended = new ArrayList<>();
        SimAppMaster job = new SimAppMaster(cluster, spec, draws, leads, speculators, ended::add);
        spec.troubles().forEach(trouble -> trouble.befall(cluster, draws));
        job.begin();
        cluster.run(() -> !ended.isEmpty());
        return ended.get(0);
    }

    /**
     * @param done asked after each thing that has happened
     * @throws IllegalStateException if it doesn't come to that
     */
    public void run(BooleanSupplier done) {
        timeline.run(done, LONGEST_MILLIS);
    }

    @Override
    public Timeline timeline() {
        return timeline;
    }

    @Override
    public List<SimHost> hosts() {
        return hosts;
    }

    /** The ResourceManager, and so AppMasters, notice it by what they don't hear. */
    @Override
    public void lose(SimHost host) {
        host.lose();
        containers.lose(host);
        timeline.after(
                NODE_EXPIRY_MILLIS, () -> List.copyOf(running).forEach(job -> job.lose(host)));
    }

    /** How many jobs run, with their AppMasters up. */
    public int running() {
        return running.size();
    }

    // --- for AppMasters ---

    Application application(Draws draws) {
        return containers.application(draws);
    }

    JobId newJob() {
        return MRApps.toJobID(String.format("job_1700000000000_%04d", ++jobs));
    }

    void add(SimAppMaster job) {
        running.add(job);
    }

    void remove(SimAppMaster job) {
        running.remove(job);
    }
}
