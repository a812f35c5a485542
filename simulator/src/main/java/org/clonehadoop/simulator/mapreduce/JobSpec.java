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

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.clonehadoop.simulator.platform.CostBook;
import org.clonehadoop.simulator.platform.HostSpec;
import org.clonehadoop.simulator.trouble.Trouble;

/**
 * A job, where it runs, and what troubles it.
 *
 * @param megabytes of input, equally for all maps
 * @param perSpill whether maps publish each spill, and merge nothing
 * @param conf Hadoop's keys, beyond their presets
 */
public record JobSpec(
        Program program,
        double megabytes,
        int maps,
        int reduces,
        boolean perSpill,
        int hosts,
        HostSpec host,
        CostBook costs,
        Map<String, String> conf,
        List<Trouble> troubles) {

    /** What a job has whose user sets nothing. */
    private static final Configuration PRESETS = presets();

    private static Configuration presets() {
        Configuration presets = new Configuration(false);
        presets.addResource("mapred-default.xml");
        return presets;
    }

    /** The paper's section VI: TeraSort of 128 GB with 32 maps and 64 reduces on 64 nodes. */
    public static JobSpec ofThePaper() {
        return new JobSpec(
                Program.TERASORT,
                128 * 1024,
                32,
                64,
                true,
                64,
                HostSpec.ofThePaper(),
                CostBook.paper(),
                Map.of(
                        "mapreduce.task.io.sort.mb", "500",
                        "mapreduce.task.io.sort.factor", "100"),
                List.of());
    }

    /** The same, with Hadoop's presets where the paper's Table II has others. */
    public static JobSpec usual() {
        JobSpec paper = ofThePaper();
        return new JobSpec(
                paper.program,
                paper.megabytes,
                paper.maps,
                paper.reduces,
                paper.perSpill,
                paper.hosts,
                paper.host,
                paper.costs,
                Map.of(),
                paper.troubles);
    }

    public JobSpec withProgram(Program program) {
        return new JobSpec(
                program, megabytes, maps, reduces, perSpill, hosts, host, costs, conf, troubles);
    }

    public JobSpec withTasks(int maps, int reduces) {
        return new JobSpec(
                program, megabytes, maps, reduces, perSpill, hosts, host, costs, conf, troubles);
    }

    public JobSpec withMegabytes(double megabytes) {
        return new JobSpec(
                program, megabytes, maps, reduces, perSpill, hosts, host, costs, conf, troubles);
    }

    public JobSpec withPerSpill(boolean perSpill) {
        return new JobSpec(
                program, megabytes, maps, reduces, perSpill, hosts, host, costs, conf, troubles);
    }

    public JobSpec withHosts(int hosts, HostSpec host) {
        return new JobSpec(
                program, megabytes, maps, reduces, perSpill, hosts, host, costs, conf, troubles);
    }

    public JobSpec withCosts(CostBook costs) {
        return new JobSpec(
                program, megabytes, maps, reduces, perSpill, hosts, host, costs, conf, troubles);
    }

    public JobSpec withTroubles(Trouble... troubles) {
        return new JobSpec(
                program,
                megabytes,
                maps,
                reduces,
                perSpill,
                hosts,
                host,
                costs,
                conf,
                List.of(troubles));
    }

    /** With these keys beside the others. */
    public JobSpec withConf(Map<String, String> more) {
        Map<String, String> all = new HashMap<>(conf);
        all.putAll(more);
        return new JobSpec(
                program, megabytes, maps, reduces, perSpill, hosts, host, costs, all, troubles);
    }

    /** With these keys, where it hasn't set them itself. */
    public JobSpec withPresets(Map<String, String> presets) {
        return withConf(presets).withConf(conf);
    }

    /** All of Hadoop's keys, as those who decide and the tasks see them. */
    public Configuration configuration() {
        Configuration all = new Configuration(PRESETS);
        conf.forEach(all::set);
        return all;
    }
}
