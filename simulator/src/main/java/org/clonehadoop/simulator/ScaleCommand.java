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

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import org.clonehadoop.simulator.mapreduce.JobSpec;
import org.clonehadoop.simulator.mapreduce.RunRecord;
import org.clonehadoop.simulator.platform.CostBook;
import org.clonehadoop.simulator.platform.HostSpec;
import org.clonehadoop.simulator.speculators.Kind;
import org.clonehadoop.simulator.trouble.LogNormal;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** One job of any size: what it costs to simulate, and what each look costs an AppMaster. */
@Command(
        name = "scale",
        description =
                "Simulates one large job with log-normal stragglers, and prints as JSON how long"
                        + " the speculator's looks at it take on this machine.",
        mixinStandardHelpOptions = true)
final class ScaleCommand implements Callable<Integer> {
    private static final HostSpec HOST = new HostSpec(16, 1000, 1000, 8);
    private static final double MEGABYTES_PER_MAP = 512;

    @Option(names = "--tasks", defaultValue = "100000", description = "${DEFAULT-VALUE}")
    private int tasks;

    @Option(names = "--hosts", defaultValue = "10000", description = "${DEFAULT-VALUE}")
    private int hosts;

    @Option(names = "--speculator", defaultValue = "OURS", description = "${COMPLETION-CANDIDATES}")
    private Kind speculator;

    @Override
    public Integer call() throws IOException {
        int reduces = tasks / 10;
        JobSpec spec =
                JobSpec.ofThePaper()
                        .withTasks(tasks - reduces, reduces)
                        .withMegabytes(MEGABYTES_PER_MAP * (tasks - reduces))
                        .withHosts(hosts, HOST)
                        .withCosts(CostBook.measured())
                        .withTroubles(new LogNormal(0.1, 2));
        LookTimes looks = new LookTimes();
        long begun = System.nanoTime();
        RunRecord run = Simulation.run(spec, speculator, 1, looks::of);
        Map<String, Object> summary = new LinkedHashMap<>();
        summary.put("tasks", tasks);
        summary.put("hosts", hosts);
        summary.put("wall_s", (System.nanoTime() - begun) / 1e9);
        summary.put("looks", looks.count());
        summary.put("look_p50_ms", looks.millis(0.5));
        summary.put("look_p99_ms", looks.millis(0.99));
        summary.put("events", run.events());
        summary.put("job_s", run.jobSeconds());
        summary.put("ordered_new", run.orderedNew());
        summary.put("ordered_clones", run.orderedClones());
        System.out.println(
                new ObjectMapper()
                        .enable(SerializationFeature.INDENT_OUTPUT)
                        .writeValueAsString(summary));
        return 0;
    }
}
