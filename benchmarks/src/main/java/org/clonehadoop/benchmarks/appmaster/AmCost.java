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
package org.clonehadoop.benchmarks.appmaster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.clone.appmaster.SpeculatingJob;
import org.clonehadoop.benchmarks.harness.Benchmark;
import org.clonehadoop.benchmarks.harness.Programs;
import org.clonehadoop.benchmarks.harness.Series;
import org.clonehadoop.benchmarks.harness.Summary;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** What our speculator costs an AppMaster beside stock's; each in a JVM of its own, by turns. */
@Command(name = "am-cost/run", sortOptions = false, mixinStandardHelpOptions = true)
public final class AmCost extends Benchmark {
    @Option(names = "--tasks", paramLabel = "N", description = "Running maps (1000).")
    private int tasks = 1000;

    @Option(names = "--scratch", paramLabel = "DIR", required = true)
    private Path scratch;

    private final Programs programs = new Programs();

    private static final class Cost {
        private final Series heap = new Series();
        private final Series cpu = new Series();
    }

    @Override
    protected void measure(Summary summary) throws Exception {
        Series heap = new Series();
        Series cpu = new Series();
        Map<SpeculatingJob.Kind, Cost> costs = new EnumMap<>(SpeculatingJob.Kind.class);
        for (int run = 0; run < runs(); run++) {
            progress("run " + (run + 1) + " of " + runs());
            Map<SpeculatingJob.Kind, double[]> measured = new EnumMap<>(SpeculatingJob.Kind.class);
            for (SpeculatingJob.Kind kind : SpeculatingJob.Kind.values()) {
                measured.put(kind, one(kind));
            }
            double[] nothing = measured.get(SpeculatingJob.Kind.NONE);
            for (SpeculatingJob.Kind kind : SpeculatingJob.Kind.values()) {
                Cost cost = costs.computeIfAbsent(kind, k -> new Cost());
                cost.heap.add(measured.get(kind)[0] - nothing[0]);
                cost.cpu.add(measured.get(kind)[1] - nothing[1]);
            }
            double[] stock = measured.get(SpeculatingJob.Kind.STOCK);
            double[] clone = measured.get(SpeculatingJob.Kind.CLONE);
            heap.add(clone[0] - stock[0]);
            cpu.add(clone[1] - stock[1]);
        }
        summary.put("tasks", tasks);
        summary.section("an AppMaster with " + tasks + " running maps");
        Cost stock = costs.get(SpeculatingJob.Kind.STOCK);
        Cost clone = costs.get(SpeculatingJob.Kind.CLONE);
        summary.add("stock_heap_bytes", "heap of stock's speculator", stock.heap);
        summary.add("clone_heap_bytes", "heap of ours, and the coordinator", clone.heap);
        summary.add("added_heap_bytes", "added to stock's", heap);
        summary.add("stock_cpu_ms_per_s", "CPU in a second, stock's", stock.cpu);
        summary.add("clone_cpu_ms_per_s", "CPU in a second, ours", clone.cpu);
        summary.add("added_cpu_ms_per_s", "added to stock's", cpu);
    }

    /**
     * @return bytes of heap, and CPU milliseconds in a second
     */
    private double[] one(SpeculatingJob.Kind kind) throws IOException, InterruptedException {
        Path result = scratch.resolve("result");
        Path log = scratch.resolve("log");
        Process job =
                programs.start(
                        List.of(
                                "java",
                                "-Xmx512m",
                                "-XX:+UseSerialGC",
                                "-cp",
                                System.getProperty("java.class.path"),
                                SpeculatingJob.class.getName(),
                                kind.name(),
                                Integer.toString(tasks),
                                result.toString()),
                        log);
        if (job.waitFor() != 0) {
            throw new IOException("it failed: " + Files.readString(log));
        }
        List<String> lines = Files.readAllLines(result);
        return new double[] {Double.parseDouble(lines.get(0)), Double.parseDouble(lines.get(1))};
    }

    public static void main(String[] arguments) {
        execute(new AmCost(), arguments);
    }
}
