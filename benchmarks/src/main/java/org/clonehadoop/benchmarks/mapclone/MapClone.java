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
package org.clonehadoop.benchmarks.mapclone;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.clonehadoop.benchmarks.harness.Benchmark;
import org.clonehadoop.benchmarks.harness.Goal;
import org.clonehadoop.benchmarks.harness.Hosts;
import org.clonehadoop.benchmarks.harness.Programs;
import org.clonehadoop.benchmarks.harness.Series;
import org.clonehadoop.benchmarks.harness.Summary;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** What a map with per-spill outputs notices of its clone. README.md tells the keys. */
@Command(name = "map-clone/run", sortOptions = false, mixinStandardHelpOptions = true)
public final class MapClone extends Benchmark {
    private static final String RUN = "org.apache.hadoop.clone.task.MapCloneRun";
    private static final String IN_MID_SPILL = "0";
    private static final String BETWEEN_SPILLS = "110s";

    @Option(
            names = "--jvm",
            paramLabel = "OPTIONS",
            description = "The map's (${DEFAULT-VALUE}).",
            defaultValue = "-Xmx768m -XX:+UseSerialGC -Xms64m")
    private String jvmOptions;

    @Option(names = "--tool", hidden = true, required = true)
    private Path tool;

    @Option(names = "--scratch", hidden = true, required = true)
    private Path scratch;

    @Option(names = "--class-path", hidden = true, required = true)
    private String classPath;

    /** Of one clone; it takes 20 s on a quiet machine. */
    private static final Duration CLONE_LIMIT = Duration.ofSeconds(90);

    private static final Duration END_LIMIT = Duration.ofSeconds(10);
    private static final int LINES = 20;

    /** After these no clone is begun any more. */
    private static final Duration QUICK_BUDGET = Duration.ofSeconds(140);

    private static final Duration BUDGET = Duration.ofSeconds(360);

    private final Programs programs = new Programs();
    private final Hosts hosts = new Hosts();
    private final List<JsonNode> boundary = new ArrayList<>();
    private final List<JsonNode> midspill = new ArrayList<>();
    private int count;
    private int failed;

    public static void main(String[] arguments) {
        execute(new MapClone(), arguments);
    }

    @Override
    protected void measure(Summary summary) throws Exception {
        long end = System.nanoTime() + (quick() ? QUICK_BUDGET : BUDGET).toNanos();
        while (measuredRuns() < runs() && System.nanoTime() < end) {
            if (boundary.size() <= midspill.size()) {
                attempt(BETWEEN_SPILLS, boundary);
            } else {
                attempt(IN_MID_SPILL, midspill);
            }
        }
        if (measuredRuns() == 0) {
            throw new IOException(
                    String.format(
                            "%d clones between spills, %d within one; %d came to nothing",
                            boundary.size(), midspill.size(), failed));
        }
        summary.put("boundary_runs", boundary.size());
        summary.put("midspill_runs", midspill.size());
        summary.put("failed_runs", failed);
        addBoundary(summary);
        addMidspill(summary);
    }

    /** Clones that come to nothing may use up the time. */
    @Override
    protected int measuredRuns() {
        return Math.min(boundary.size(), midspill.size());
    }

    /** A clone that comes to nothing is said and counted, and another is made as time allows. */
    private void attempt(String patience, List<JsonNode> clones) throws InterruptedException {
        try {
            clones.add(cloneOnce(patience));
        } catch (IOException e) {
            failed++;
            progress("failed: " + e.getMessage());
        }
    }

    private void addBoundary(Summary summary) {
        summary.section("a map's JVM, cloned between two spills");
        Series freeze = series(boundary, "freeze_ms");
        summary.add("boundary_freeze_ms", "original frozen", freeze, Goal.atMost(100));
        Series gate = series(boundary, "gate_ms");
        summary.add("boundary_gate_ms", "its calls held up", gate, Goal.atMost(250));
        addSizeAndTotal(summary, "boundary", boundary);
        Series shrink = series(boundary, "shrink_ms");
        summary.add("boundary_shrink_ms", "collecting garbage before", shrink);
        Series held = series(boundary, "held_ms");
        summary.add("boundary_held_ms", "map stood still, with that", held);
    }

    private void addMidspill(Summary summary) {
        summary.section("the same, in the middle of a spill");
        summary.add("midspill_freeze_ms", "original frozen", series(midspill, "freeze_ms"));
        summary.add("midspill_gate_ms", "its calls held up", series(midspill, "gate_ms"));
        addSizeAndTotal(summary, "midspill", midspill);
    }

    private static void addSizeAndTotal(Summary summary, String place, List<JsonNode> clones) {
        summary.add(place + "_image_bytes", "image", series(clones, "image_bytes"));
        Series total = series(clones, "total_ms");
        summary.add(place + "_total_ms", "pull's start to clone running", total);
    }

    private static Series series(List<JsonNode> clones, String key) {
        Series series = new Series();
        clones.forEach(clone -> series.add(clone.get(key).asDouble()));
        return series;
    }

    private JsonNode cloneOnce(String patience) throws IOException, InterruptedException {
        Path directory = Files.createDirectory(scratch.resolve("clone" + ++count));
        Path report = directory.resolve("report.json");
        Path log = directory.resolve("log");
        List<String> command = new ArrayList<>(List.of("java", "-cp", classPath, RUN));
        command.add(report.toString());
        command.add(directory.toString());
        command.add(tool.toString());
        command.add(hosts.address(1));
        command.add(patience);
        command.add(jvmOptions);
        command.addAll(hosts.on(2, List.of()));
        Process run = programs.start(hosts.on(1, command), log);
        if (!run.waitFor(CLONE_LIMIT.toSeconds(), TimeUnit.SECONDS)) {
            run.destroy(); // it ends what it has started
            if (!run.waitFor(END_LIMIT.toSeconds(), TimeUnit.SECONDS)) {
                run.destroyForcibly();
            }
            throw new IOException(
                    "no clone within " + CLONE_LIMIT.toSeconds() + " s: " + tail(log));
        }
        if (run.exitValue() != 0 || !Files.exists(report)) {
            throw new IOException("no clone: " + tail(log));
        }
        JsonNode result = new ObjectMapper().readTree(report.toFile());
        if (result.get("at_boundary").asBoolean() != patience.equals(BETWEEN_SPILLS)) {
            throw new IOException("cloned in the wrong place: " + result);
        }
        progress(result.toString());
        return result;
    }

    private static String tail(Path log) throws IOException {
        List<String> lines = Files.readAllLines(log);
        return String.join("\n", lines.subList(Math.max(0, lines.size() - LINES), lines.size()));
    }
}
