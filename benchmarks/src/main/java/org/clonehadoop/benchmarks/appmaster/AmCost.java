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
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import org.clonehadoop.benchmarks.appmaster.JobProcess.Measured;
import org.clonehadoop.benchmarks.harness.Benchmark;
import org.clonehadoop.benchmarks.harness.Goal;
import org.clonehadoop.benchmarks.harness.Programs;
import org.clonehadoop.benchmarks.harness.Series;
import org.clonehadoop.benchmarks.harness.Summary;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * What a large job costs our AppMaster beside stock's; each in a JVM of its own, measured by turns.
 */
@Command(name = "am-cost/run", sortOptions = false, mixinStandardHelpOptions = true)
public final class AmCost extends Benchmark {
    private static final Duration WARM_UP = Duration.ofSeconds(10);
    private static final Duration WINDOW = Duration.ofSeconds(15);

    /**
     * With {@code --quick} the job is smaller by that, and its windows take a third of the time.
     */
    private static final int QUICK_PART = 10;

    private static final int QUICK_TIME = 3;
    private static final Goal AT_MOST_5_MS = Goal.atMost(5);

    @Option(
            names = "--maps",
            paramLabel = "N",
            description = "Of the job (100000; a tenth of all these with --quick).")
    private Integer maps;

    @Option(names = "--reduces", paramLabel = "N", description = "Of the job (10000).")
    private Integer reduces;

    @Option(names = "--nodes", paramLabel = "N", description = "On which it runs (5000).")
    private Integer nodes;

    @Option(
            names = "--backups",
            paramLabel = "N",
            description = "Half of them run, half wait for a container (2000).")
    private Integer backups;

    @Option(names = "--scratch", paramLabel = "DIR", required = true)
    private Path scratch;

    /** One quantity of both, and what ours has more. */
    private record Pair(Series stock, Series ours, Series added) {
        static Pair of(
                List<Measured> stock, List<Measured> clone, ToDoubleFunction<Measured> quantity) {
            Pair pair = new Pair(new Series(), new Series(), new Series());
            for (int run = 0; run < stock.size(); run++) {
                pair.add(
                        quantity.applyAsDouble(stock.get(run)),
                        quantity.applyAsDouble(clone.get(run)));
            }
            return pair;
        }

        private void add(double ofStock, double ofClone) {
            stock.add(ofStock);
            ours.add(ofClone);
            added.add(ofClone - ofStock);
        }
    }

    @Override
    protected void measure(Summary summary) throws Exception {
        int maps = size(this.maps, 100_000);
        int reduces = size(this.reduces, 10_000);
        int nodes = size(this.nodes, 5_000);
        int backups = size(this.backups, 2_000);
        Programs programs = new Programs();
        List<String> job =
                Stream.of(maps, reduces, nodes, backups).map(number -> number.toString()).toList();
        JobProcess stock = new JobProcess(programs, false, job, directory("stock"));
        JobProcess clone = new JobProcess(programs, true, job, directory("clone"));
        progress("making two jobs of " + (maps + reduces) + " tasks");
        stock.awaitReady();
        clone.awaitReady();
        stock.measure(time(WARM_UP));
        clone.measure(time(WARM_UP));
        List<Measured> ofStock = new ArrayList<>();
        List<Measured> ofClone = new ArrayList<>();
        for (int run = 0; run < runs(); run++) {
            progress("run " + (run + 1) + " of " + runs());
            ofStock.add(stock.measure(time(WINDOW)));
            ofClone.add(clone.measure(time(WINDOW)));
        }
        summary.put("maps", maps);
        summary.put("reduces", reduces);
        summary.put("nodes", nodes);
        summary.put("backups", backups);
        summary.section("an AppMaster with " + maps + " maps and " + reduces + " reduces");
        Pair events = Pair.of(ofStock, ofClone, Measured::event);
        summary.add("stock_event_p99_ms", "an event, stock's (p99)", events.stock);
        summary.add("clone_event_p99_ms", "the same, ours", events.ours);
        summary.add("added_event_p99_ms", "added to stock's", events.added, AT_MOST_5_MS);
        Pair placements = Pair.of(ofStock, ofClone, Measured::placement);
        summary.add("stock_placement_p99_ms", "a backup's request, or container", placements.stock);
        summary.add("clone_placement_p99_ms", "the same, ours", placements.ours);
        summary.add("added_placement_p99_ms", "added to stock's", placements.added, AT_MOST_5_MS);
        summary.add(
                "look_p99_ms",
                "a look of our speculator (p99)",
                Pair.of(ofStock, ofClone, Measured::look).ours,
                Goal.atMost(10));
        summary.add(
                "yield_look_p99_ms",
                "a look for reduces to give way (p99)",
                Pair.of(ofStock, ofClone, Measured::yieldLook).ours);
        Pair heartbeats = Pair.of(ofStock, ofClone, Measured::heartbeats);
        summary.add(
                "heartbeats_ratio",
                "heartbeats over stock's",
                heartbeats.ours.over(heartbeats.stock),
                Goal.atMost(2));
        Pair heap = new Pair(new Series(), new Series(), new Series());
        heap.add(stock.liveHeapBytes(), clone.liveHeapBytes());
        summary.add("stock_heap_bytes", "heap, stock's", heap.stock);
        summary.add("clone_heap_bytes", "heap, ours", heap.ours);
        summary.add("added_heap_bytes", "added to stock's", heap.added, Goal.atMost(100e6));
        Pair cpu = Pair.of(ofStock, ofClone, Measured::cpuMillis);
        summary.add("stock_cpu_ms_per_s", "CPU in a second, stock's", cpu.stock);
        summary.add("clone_cpu_ms_per_s", "CPU in a second, ours", cpu.ours);
        summary.add("added_cpu_ms_per_s", "added to stock's", cpu.added);
    }

    private Path directory(String name) throws IOException {
        return Files.createDirectory(scratch.resolve(name));
    }

    private int size(Integer wanted, int usual) {
        if (wanted != null) {
            return wanted;
        }
        return quick() ? usual / QUICK_PART : usual;
    }

    private Duration time(Duration usual) {
        return quick() ? usual.dividedBy(QUICK_TIME) : usual;
    }

    public static void main(String[] arguments) {
        execute(new AmCost(), arguments);
    }
}
