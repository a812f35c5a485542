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
package org.clonehadoop.simulator.regress;

import static org.apache.hadoop.mapreduce.v2.api.records.TaskType.MAP;
import static org.apache.hadoop.mapreduce.v2.api.records.TaskType.REDUCE;
import static org.clonehadoop.simulator.platform.Resource.CPU;
import static org.clonehadoop.simulator.platform.Resource.DISK;
import static org.clonehadoop.simulator.platform.Resource.NET;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.clonehadoop.simulator.mapreduce.JobSpec;
import org.clonehadoop.simulator.platform.CostBook;
import org.clonehadoop.simulator.platform.HostSpec;
import org.clonehadoop.simulator.trouble.FadingHost;
import org.clonehadoop.simulator.trouble.LastRecord;
import org.clonehadoop.simulator.trouble.LogNormal;
import org.clonehadoop.simulator.trouble.LostHost;
import org.clonehadoop.simulator.trouble.Neighbours;
import org.clonehadoop.simulator.trouble.Skew;
import org.clonehadoop.simulator.trouble.SlowAttempt;
import org.clonehadoop.simulator.trouble.SlowHost;
import org.clonehadoop.simulator.trouble.SlowSource;
import org.clonehadoop.simulator.trouble.Trouble;

/** The catalogue: a sort, and one trouble each. */
public final class Scenarios {
    /** Two processors and three containers on each: what runs there shares them. */
    private static final HostSpec SMALL = new HostSpec(2, 100, 90, 3);

    private static final double SCALE = 0.1;
    private static final long FOR_EVER = Long.MAX_VALUE / 4;

    /** All that {@code regress} runs. */
    public static final String CATALOGUE = "catalogue";

    /** The group of {@link #further}. */
    public static final String FURTHER = "further";

    private Scenarios() {}

    /** By name, in their order. */
    public static Map<String, JobSpec> all() {
        Map<String, JobSpec> all = new LinkedHashMap<>();
        all.put("even", with());
        all.put("log-normal-1", with(new LogNormal(SCALE, 1)));
        all.put("log-normal-2", with(new LogNormal(SCALE, 2)));
        all.put("log-normal-10", with(new LogNormal(SCALE, 10)));
        all.put("slow-map", with(new SlowAttempt("m_000003_0", 20, 0.5)));
        all.put("slow-reduce", with(new SlowAttempt("r_000001_0", 20, 0.5)));
        all.put("hanging-map", with(hang("m_000003_0", 0.9)));
        all.put("hanging-reduce", with(hang("r_000001_0", 0.5)));
        all.put("slow-host-cpu", with(SlowHost.always(1, CPU, 0.25)));
        all.put("slow-host-disk", with(SlowHost.always(1, DISK, 0.25)));
        all.put("slow-host-net", with(SlowHost.always(1, NET, 0.25)));
        all.put("three-slow-hosts", with(SlowHost.always(3, CPU, 0.25)));
        all.put("fading-host", with(new FadingHost(CPU, 300_000)));
        all.put("host-slow-for-a-minute", with(new SlowHost(1, CPU, 0.1, 60_000, 120_000)));
        all.put("neighbours-cpu", with(new Neighbours(CPU, 0.25, 120_000, 40_000)));
        all.put("neighbours-disk", with(new Neighbours(DISK, 0.1, 120_000, 40_000)));
        all.put("skewed-splits", with(new Skew(MAP, 8, 4)));
        all.put("skewed-keys", with(new Skew(REDUCE, 6, 4)));
        all.put("last-record-map", with(new LastRecord(MAP, 12, 240)));
        all.put("last-record-reduce", with(new LastRecord(REDUCE, 6, 240)));
        all.put("lost-host", with(new LostHost(60_000)));
        all.put("full-cluster", full(new LogNormal(SCALE, 2)));
        all.put("full-cluster-slow-host", full(SlowHost.always(1, CPU, 0.25)));
        all.put("reduces-hold-all", hiBench(SlowHost.always(1, CPU, 0.25)));
        all.put("short-hold-all", shortTasks(hiBench(SlowHost.always(1, CPU, 0.25))));
        all.put("short-slow-host", shortTasks(with(SlowHost.always(1, CPU, 0.25))));
        all.put("small-job", small(new SlowAttempt("m_000001_0", 10, 0.3)));
        return all;
    }

    /**
     * What isn't in the catalogue, most of it patterns of slow hosts: rules that are good there are
     * to be good here as well.
     */
    static Map<String, JobSpec> further() {
        Map<String, JobSpec> further = new LinkedHashMap<>();
        further.put("half-the-hosts-old", with(SlowHost.always(8, CPU, 0.6)));
        further.put("six-old-hosts", full(SlowHost.always(2, CPU, 0.6)));
        further.put("hosts-become-slow", with(new SlowHost(2, CPU, 0.25, 200_000, FOR_EVER)));
        further.put("hosts-become-well", with(new SlowHost(2, CPU, 0.25, 0, 200_000)));
        further.put("full-hosts-become-slow", full(new SlowHost(1, CPU, 0.25, 300_000, FOR_EVER)));
        further.put("full-hosts-become-well", full(new SlowHost(2, CPU, 0.25, 0, 300_000)));
        further.put("full-host-fades", full(new FadingHost(CPU, 600_000)));
        further.put("long-visits", full(new Neighbours(CPU, 0.25, 900_000, 300_000)));
        further.put("short-visits", full(new Neighbours(CPU, 0.25, 30_000, 10_000)));
        further.put(
                "slow-host-and-log-normal",
                full(SlowHost.always(1, CPU, 0.25), new LogNormal(SCALE, 2)));
        further.put(
                "three-waves-of-reduces",
                with(SlowHost.always(2, CPU, 0.4)).withTasks(24, 96).withHosts(8, SMALL));
        further.put("starved-host", with(SlowHost.always(1, CPU, 0.04)));
        further.put("lone-reduce", small(new SlowAttempt("r_000000_0", 10, 0.5)));
        further.put("slow-source", with(new SlowSource(1.0 / 16, 9)));
        further.put("slow-source-of-three", hiBench(new SlowSource(1.0 / 3, 22)));
        further.put("slow-source-small", small(new SlowSource(1.0 / 3, 4)).withTasks(6, 3));
        further.put("small-splits", with(new Skew(MAP, 8, 0.03)));
        return further;
    }

    /**
     * @param names of scenarios, or of groups of them
     * @throws IllegalArgumentException if there is no such scenario
     */
    public static Map<String, JobSpec> named(List<String> names) {
        Map<String, JobSpec> known = all();
        known.putAll(further());
        Map<String, JobSpec> named = new LinkedHashMap<>();
        for (String name : names) {
            if (name.equals(CATALOGUE)) {
                named.putAll(all());
            } else if (name.equals(FURTHER)) {
                named.putAll(further());
            } else if (known.containsKey(name)) {
                named.put(name, known.get(name));
            } else {
                throw new IllegalArgumentException(
                        "no scenario '" + name + "'; there are: " + known.keySet());
            }
        }
        return named;
    }

    private static Trouble hang(String attempt, double onset) {
        return new SlowAttempt(attempt, Double.POSITIVE_INFINITY, onset);
    }

    /** 24 maps of 1 GB and 12 reduces of 2 GB, with room for all of them at once. */
    private static JobSpec with(Trouble... troubles) {
        return JobSpec.ofThePaper()
                .withMegabytes(24 * 1024)
                .withTasks(24, 12)
                .withHosts(16, SMALL)
                .withCosts(CostBook.measured())
                .withTroubles(troubles);
    }

    /** Four waves of maps. */
    private static JobSpec full(Trouble... troubles) {
        return with(troubles).withTasks(72, 12).withHosts(6, SMALL);
    }

    /**
     * Each container that isn't the AppMaster's has a map, then reduces that wait for the others.
     */
    private static JobSpec hiBench(Trouble... troubles) {
        return with(troubles).withMegabytes(8 * 1024).withTasks(8, 8).withHosts(3, SMALL);
    }

    /** They take as long as a JVM on a slow host takes to start. */
    private static JobSpec shortTasks(JobSpec spec) {
        return spec.withMegabytes(64.0 * spec.maps());
    }

    private static JobSpec small(Trouble... troubles) {
        return with(troubles).withMegabytes(1536).withTasks(3, 1).withHosts(3, SMALL);
    }
}
