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
package org.clonehadoop.simulator.trace;

import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import org.clonehadoop.simulator.Simulation;
import org.clonehadoop.simulator.engine.Draws;
import org.clonehadoop.simulator.engine.Timeline;
import org.clonehadoop.simulator.mapreduce.ClusterSpec;
import org.clonehadoop.simulator.mapreduce.JobSpec;
import org.clonehadoop.simulator.mapreduce.RunRecord;
import org.clonehadoop.simulator.mapreduce.SimCluster;
import org.clonehadoop.simulator.platform.CostBook;
import org.clonehadoop.simulator.platform.HostSpec;
import org.clonehadoop.simulator.platform.Resource;
import org.clonehadoop.simulator.speculators.Kind;
import org.clonehadoop.simulator.trouble.LogNormal;
import org.clonehadoop.simulator.trouble.SlowHost;
import org.clonehadoop.simulator.yarn.Sharing;

/**
 * Jobs of a trace on one cluster. A job's luck is its own: it has the same whoever decides, so that
 * each job of one run can be set beside itself in another.
 *
 * @param slowHosts so many have a quarter of their processors
 * @param scale of attempts' delays, the median over their work
 * @param shape of attempts' delays, σ
 */
record Day(
        List<SwimJob> jobs,
        int hosts,
        Sharing sharing,
        int slowHosts,
        double scale,
        double shape,
        long seed) {

    private static final HostSpec HOST = HostSpec.ofThePaper();
    private static final double SLOW = 0.25;

    /** Of an attempt over its work, as in the paper's figures. */
    private static final double LONGEST_DELAY = 5;

    /** How far a day has come. */
    record State(double seconds, int ended, int running) {}

    /**
     * @param watcher hears how far it has come, after everything that happens
     * @return what became of the jobs, in their order; always the same for the same arguments
     */
    List<DayJob> run(Kind kind, Consumer<State> watcher) {
        Draws draws = new Draws(seed);
        SimCluster cluster = new SimCluster(ClusterSpec.of(site(), sharing), draws);
        SlowHost.always(slowHosts, Resource.CPU, SLOW).befall(cluster, draws);
        DayJob[] ended = new DayJob[jobs.size()];
        int[] count = new int[1];
        for (int i = 0; i < ended.length; i++) {
            int number = i;
            submitLater(
                    cluster,
                    kind,
                    number,
                    run -> {
                        ended[number] = DayJob.of(jobs.get(number), run);
                        count[0]++;
                    });
        }
        Timeline timeline = cluster.timeline();
        long begin = timeline.getTime();
        cluster.run(
                () -> {
                    watcher.accept(
                            new State(
                                    (timeline.getTime() - begin) / 1e3,
                                    count[0],
                                    cluster.running()));
                    return count[0] == ended.length;
                });
        return Arrays.asList(ended);
    }

    /** What a job needs is made when it comes, and nothing holds it when it has ended. */
    private void submitLater(
            SimCluster cluster, Kind kind, int number, Consumer<RunRecord> whenDone) {
        SwimJob job = jobs.get(number);
        cluster.timeline()
                .after(
                        Math.round(1000 * job.submitSeconds()),
                        () ->
                                Simulation.job(
                                                cluster,
                                                job.on(site()),
                                                kind,
                                                new Draws(seed).of("job " + number),
                                                whenDone)
                                        .submit());
    }

    private JobSpec site() {
        return JobSpec.usual()
                .withHosts(hosts, HOST)
                .withCosts(CostBook.measured())
                .withTroubles(new LogNormal(scale, shape, LONGEST_DELAY));
    }
}
