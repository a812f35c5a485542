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
package org.clonehadoop.benchmarks.mapcost;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.clonehadoop.benchmarks.harness.Benchmark;
import org.clonehadoop.benchmarks.harness.Goal;
import org.clonehadoop.benchmarks.harness.Programs;
import org.clonehadoop.benchmarks.harness.Series;
import org.clonehadoop.benchmarks.harness.Summary;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** What a map costs, stock's and ours by turns. README.md tells the keys. */
@Command(name = "map-cost/run", sortOptions = false, mixinStandardHelpOptions = true)
public final class MapCost extends Benchmark {
    private static final String RUN = "org.apache.hadoop.clone.task.MapCostRun";
    private static final int TURNS = 10;
    private static final int QUICK_TURNS = 3;
    private static final int COUNTED_TURNS = 2;
    private static final int QUICK_COUNTED_TURNS = 1;
    private static final Goal AT_MOST_1_PERCENT = Goal.atMost(1.01);

    @Option(
            names = "--jvm",
            paramLabel = "OPTIONS",
            description = "The map's (${DEFAULT-VALUE}).",
            defaultValue = "-Xmx768m -XX:+UseSerialGC")
    private String jvmOptions;

    @Option(
            names = "--instructions",
            description =
                    "Count instructions instead of time: nearly the same in each turn. Takes an hour"
                            + " and needs valgrind.")
    private boolean instructions;

    @Option(names = "--scratch", hidden = true, required = true)
    private Path scratch;

    @Option(names = "--class-path", hidden = true, required = true)
    private String classPath;

    private final Programs programs = new Programs();

    /** How a map is run. */
    private enum Kind {
        STOCK,
        CLONES,
        SPILLS;

        String key() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * A map's work.
     *
     * @param records of 100 bytes
     */
    private record Work(String key, String title, long records, int sortMegabytes) {}

    private static final List<Work> WORKS =
            List.of(
                    new Work("start", "a JVM's start and end, with one record", 1, 100),
                    new Work("one_spill", "200 MB in one spill", 2_000_000, 320),
                    new Work("many_spills", "200 MB in many spills", 2_000_000, 20));

    /** What was measured of one work, run as one kind: by the meter, and in milliseconds. */
    private record Costs(Series metered, Series elapsed) {
        Costs() {
            this(new Series(), new Series());
        }
    }

    public static void main(String[] arguments) {
        execute(new MapCost(), arguments);
    }

    @Override
    protected int runs() {
        if (instructions) {
            return quick() ? QUICK_COUNTED_TURNS : COUNTED_TURNS;
        }
        return quick() ? QUICK_TURNS : TURNS;
    }

    private String meter() {
        return instructions ? "instructions" : "cpu_ms";
    }

    @Override
    protected void measure(Summary summary) throws Exception {
        for (Work work : WORKS) {
            Map<Kind, Costs> costs = new EnumMap<>(Kind.class);
            List<Kind> order = new ArrayList<>(List.of(Kind.values()));
            order.forEach(kind -> costs.put(kind, new Costs()));
            if (!instructions) {
                runOnce(work, Kind.STOCK); // for caches alone
            }
            for (int turn = 0; turn < runs(); turn++) {
                for (Kind kind : order) {
                    JsonNode report = runOnce(work, kind);
                    costs.get(kind).metered().add(report.get(meter()).asDouble());
                    costs.get(kind).elapsed().add(report.get("elapsed_ms").asDouble());
                }
                Collections.rotate(order, 1);
            }
            add(summary, work, costs);
        }
    }

    private void add(Summary summary, Work work, Map<Kind, Costs> costs) {
        summary.section(work.title());
        Costs stock = costs.get(Kind.STOCK);
        String key = work.key() + "_stock_";
        if (instructions) {
            summary.add(key + meter(), "stock's instructions", stock.metered());
        } else {
            summary.add(key + meter(), "stock's processor time", stock.metered());
            summary.add(key + "elapsed_ms", "stock's, by the clock", stock.elapsed());
        }
        addOver(summary, work, Kind.CLONES, "with clones", costs);
        addOver(summary, work, Kind.SPILLS, "and per-spill outputs", costs);
    }

    private void addOver(
            Summary summary, Work work, Kind kind, String label, Map<Kind, Costs> costs) {
        String key = work.key() + "_" + kind.key() + "_";
        Costs ours = costs.get(kind);
        Costs stock = costs.get(Kind.STOCK);
        summary.add(key + meter(), label, ours.metered());
        summary.addPaired(
                key + (instructions ? "instructions_ratio" : "cpu_ratio"),
                "    over stock's",
                ours.metered().over(stock.metered()),
                AT_MOST_1_PERCENT);
        if (!instructions) {
            summary.addPaired(
                    key + "elapsed_ratio",
                    "    by the clock",
                    ours.elapsed().over(stock.elapsed()),
                    AT_MOST_1_PERCENT);
        }
    }

    private JsonNode runOnce(Work work, Kind kind) throws IOException, InterruptedException {
        Path directory = Files.createTempDirectory(scratch, "map");
        Path report = directory.resolve("report.json");
        Path log = directory.resolve("log");
        List<String> command =
                List.of(
                        "java",
                        "-cp",
                        classPath,
                        RUN,
                        report.toString(),
                        directory.resolve("files").toString(),
                        kind.key(),
                        Long.toString(work.records()),
                        Integer.toString(work.sortMegabytes()),
                        jvmOptions,
                        meter());
        Process run = programs.start(command, log);
        if (run.waitFor() != 0 || !Files.exists(report)) {
            throw new IOException("the map failed: " + Files.readString(log));
        }
        JsonNode result = new ObjectMapper().readTree(report.toFile());
        progress(work.key() + " " + kind.key() + " " + result);
        return result;
    }
}
