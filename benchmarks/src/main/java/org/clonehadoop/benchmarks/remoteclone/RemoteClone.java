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
package org.clonehadoop.benchmarks.remoteclone;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.clonehadoop.benchmarks.harness.Benchmark;
import org.clonehadoop.benchmarks.harness.Environment;
import org.clonehadoop.benchmarks.harness.Goal;
import org.clonehadoop.benchmarks.harness.LinePlot;
import org.clonehadoop.benchmarks.harness.Programs;
import org.clonehadoop.benchmarks.harness.Series;
import org.clonehadoop.benchmarks.harness.Summary;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** How long a clone takes, and how long its original stands still. README.md tells the keys. */
@Command(name = "remote-clone/run", sortOptions = false, mixinStandardHelpOptions = true)
public final class RemoteClone extends Benchmark {
    private static final List<String> PHASES =
            List.of(
                    "handshake",
                    "precopy",
                    "prepare",
                    "settle",
                    "quiesce",
                    "reserve",
                    "dump",
                    "resume",
                    "gate",
                    "transfer");
    private static final List<Integer> SIZES_MB = List.of(64, 128, 256, 512, 1024, 2048);

    /** How long the original runs undisturbed before a clone, to know its usual gaps. */
    private static final long SETTLE_MS = 1000;

    /** What a clone and the yardstick need at once, and more: image, clone, buffers. */
    private static final int WARM_COPIES = 3;

    private static final long THROUGHPUT_WINDOW_MS = 300;

    /** A tool needs some memory for itself, however it treats the image. */
    private static final Goal MEMORY_GOAL = Goal.atMost(1.02);

    /** Memory is taken in huge pages. */
    private static final Goal RAM_DISK_GOAL = Goal.atMost(1.05);

    private static final long TASK_IMAGE_BYTES = 480_000_000;
    private static final String LINK = "1gbit";
    private static final double LINK_BYTES_PER_MS = 125_000;

    @Option(
            names = "--plot",
            paramLabel = "FILE.svg",
            description = "Where the plot goes (benchmarks/target/freeze-by-memory.svg).")
    private Path plot;

    @Option(names = "--tool", hidden = true, required = true)
    private Path tool;

    @Option(names = "--scratch", hidden = true, required = true)
    private Path scratch;

    private Stage stage;
    private CopyYardstick yardstick;

    public static void main(String[] arguments) {
        execute(new RemoteClone(), arguments);
    }

    @Override
    protected void measure(Summary summary) throws Exception {
        try (Programs programs = new Programs()) {
            stage = new Stage(programs, tool, scratch);
            yardstick =
                    new CopyYardstick(programs, scratch.resolve("tmpfs"), scratch.resolve("huge"));
            progress("warming up");
            long imageBytes = (long) cloneOnce(Load.task(), TASK_IMAGE_BYTES).imageBytes();
            double restoreMs = cloneTask(summary, imageBytes);
            cloneOverGigabit(summary, imageBytes, restoreMs);
            cloneShrunk(summary);
            watchMemory(summary);
            compareWaitingServe(summary);
            if (!quick()) {
                compareSizes(summary);
            }
        }
    }

    // ---- what is measured ----

    /** Returns the median of the restore's times, where no link holds it up. */
    private double cloneTask(Summary summary, long imageBytes) throws Exception {
        List<CloneTimes> clones = cloneOften("clone", Load.task(), imageBytes);
        Series copy = series(clones, CloneTimes::copyMs);
        Series freeze = series(clones, CloneTimes::freezeMs);
        Series total = series(clones, CloneTimes::totalMs);
        Series restore = series(clones, CloneTimes::restoreMs);
        summary.section("a task's JVM with 256 MB of sort buffer, link not limited");
        summary.add("image_bytes", "image", series(clones, CloneTimes::imageBytes));
        summary.add("yardstick_copy_ms", "yardstick: cp of as much in a tmpfs", copy);
        summary.add("freeze_ms", "original frozen", freeze);
        summary.addPaired("freeze_over_copy", "  / yardstick", freeze.over(copy), Goal.atMost(1));
        summary.add("lost_ms", "original's clock stood still", series(clones, CloneTimes::lostMs));
        for (String phase : PHASES) {
            summary.add(phase + "_ms", phase, series(clones, clone -> clone.serveMs(phase)));
        }
        summary.add("restore_ms", "restore", restore);
        summary.add("total_ms", "pull's start to clone running", total, Goal.atMost(1500));
        summary.addPaired("total_over_copy", "  / yardstick", total.over(copy), Goal.atMost(4));
        summary.add(
                "first_tick_ms",
                "pull's start to clone's first tick",
                series(clones, CloneTimes::firstTickMs));
        return restore.median();
    }

    private void cloneOverGigabit(Summary summary, long imageBytes, double restoreMs)
            throws Exception {
        stage.hosts().linkRate(1, LINK);
        stage.hosts().linkRate(2, LINK);
        List<CloneTimes> clones = cloneOften("clone over 1 Gbit/s", Load.task(), imageBytes);
        stage.hosts().linkRate(1, "none");
        stage.hosts().linkRate(2, "none");
        ToDoubleFunction<CloneTimes> wireMs = clone -> clone.sentBytes() / LINK_BYTES_PER_MS;
        Series wire = series(clones, wireMs);
        Series total = series(clones, CloneTimes::totalMs);
        summary.section("the same over 1 Gbit/s");
        summary.add("gbit_sent_bytes", "sent", series(clones, CloneTimes::sentBytes));
        summary.add("gbit_wire_ms", "these bytes at 1 Gbit/s", wire);
        summary.add("gbit_freeze_ms", "original frozen", series(clones, CloneTimes::freezeMs));
        summary.add(
                "gbit_transfer_ms", "transfer", series(clones, clone -> clone.serveMs("transfer")));
        summary.add("gbit_total_ms", "pull's start to clone running", total);
        summary.add("gbit_total_over_wire", "  / bytes at 1 Gbit/s", total.over(wire));
        summary.add(
                "gbit_total_over_ideal",
                "  / (bytes at 1 Gbit/s + freeze + restore)",
                total.over(
                        series(
                                clones,
                                clone ->
                                        wireMs.applyAsDouble(clone)
                                                + clone.freezeMs()
                                                + restoreMs)),
                Goal.atMost(1.2));
    }

    private void cloneShrunk(Summary summary) throws Exception {
        List<CloneTimes> clones = cloneOften("clone, shrunk", Load.shrinkingTask(), 90_000_000);
        summary.section("the same, giving its buffer back in the quiesce hook");
        summary.add("shrunk_image_bytes", "image", series(clones, CloneTimes::imageBytes));
        summary.add(
                "shrunk_freeze_ms",
                "original frozen",
                series(clones, CloneTimes::freezeMs),
                Goal.atMost(100));
        summary.add(
                "shrunk_lost_ms",
                "original's clock stood still",
                series(clones, CloneTimes::lostMs));
        summary.add("shrunk_gate_ms", "gate", series(clones, clone -> clone.serveMs("gate")));
        summary.add("shrunk_restore_ms", "restore", series(clones, CloneTimes::restoreMs));
        summary.add(
                "shrunk_total_ms",
                "pull's start to clone running",
                series(clones, CloneTimes::totalMs));
    }

    private void watchMemory(Summary summary) throws Exception {
        summary.section("memory, at its peak");
        watchMemory(summary, "", Load.task());
        watchMemory(summary, "shrunk_", Load.shrinkingTask());
    }

    private void watchMemory(Summary summary, String prefix, Load load) throws Exception {
        Series serve = new Series();
        Series pull = new Series();
        Series ramDisk = new Series();
        for (int run = 1; run <= runs(); run++) {
            progress(prefix + "memory: run " + run + " of " + runs());
            try (Stage.Scene scene = stage.open(load)) {
                scene.startServe();
                scene.startPull();
                MemoryWatch watch =
                        new MemoryWatch(scene.serve(), scene.pull(), scene.originalPid());
                try (watch) {
                    scene.awaitClone();
                }
                double imageBytes = scene.report("serve").get("image_bytes").doubleValue();
                serve.add(watch.servePeakBytes() / imageBytes);
                pull.add(watch.pullPeakBytes() / imageBytes);
                ramDisk.add(watch.ramDiskPeakBytes() / imageBytes);
            }
        }
        String label = prefix.replace("_", ": ");
        summary.add(
                prefix + "serve_ram_peak_over_image", label + "serve / image", serve, MEMORY_GOAL);
        summary.add(prefix + "pull_ram_peak_over_image", label + "pull / image", pull, MEMORY_GOAL);
        summary.add(
                prefix + "ram_disk_peak_over_image",
                label + "RAM disks of both / image",
                ramDisk,
                RAM_DISK_GOAL);
    }

    /** One busy JVM, by turns with a waiting serve and without. */
    private void compareWaitingServe(Summary summary) throws Exception {
        Series with = new Series();
        Series without = new Series();
        Series processor = new Series();
        int cores = Runtime.getRuntime().availableProcessors();
        int pairs = 8 * runs();
        progress("waiting serve: " + pairs + " pairs");
        try (Stage.Scene scene = stage.open(Load.busy(cores))) {
            throughput(scene); // until everything is compiled
            for (int pair = 1; pair <= pairs; pair++) {
                boolean withFirst = pair % 2 == 0;
                if (!withFirst) {
                    without.add(throughput(scene));
                }
                scene.startServe();
                double before = processorMs(scene.serve());
                with.add(throughput(scene));
                processor.add(processorMs(scene.serve()) - before);
                scene.endServe();
                if (withFirst) {
                    without.add(throughput(scene));
                }
            }
        }
        summary.section("a JVM that keeps " + cores + " cores busy");
        summary.addPaired(
                "idle_serve_throughput_ratio",
                "throughput with a waiting serve / without",
                with.over(without),
                Goal.atLeast(0.99));
        summary.add(
                "idle_serve_cpu_ms",
                "the waiting serve's CPU time in " + THROUGHPUT_WINDOW_MS + " ms",
                processor,
                Goal.atMost(0));
    }

    private static double processorMs(ProcessHandle process) {
        return process.info().totalCpuDuration().orElseThrow().toNanos() / 1e6;
    }

    private static double throughput(Stage.Scene scene) throws Exception {
        long start = System.currentTimeMillis();
        Thread.sleep(THROUGHPUT_WINDOW_MS);
        return scene.originalLog().between(start, System.currentTimeMillis()).recordsPerMs();
    }

    private void compareSizes(Summary summary) throws Exception {
        List<Double> images = new ArrayList<>();
        Map<String, List<Double>> lines = new LinkedHashMap<>();
        summary.section("by touched memory");
        for (int megabytes : SIZES_MB) {
            // The original, the clone, the images between them, the yardstick's two files.
            if (Environment.availableMegabytes() < 6L * megabytes) {
                progress("not enough memory for " + megabytes + " MB: left out");
                continue;
            }
            String name = megabytes + " MB";
            Load load = Load.touching(megabytes);
            progress(name + ": warming up");
            long imageBytes = (long) cloneOnce(load, (long) megabytes << 20).imageBytes();
            List<CloneTimes> clones = cloneOften(name, load, imageBytes);
            Series freeze = series(clones, CloneTimes::freezeMs);
            Series copy = series(clones, CloneTimes::copyMs);
            summary.add("freeze_ms_" + megabytes + "mb", name + ": frozen", freeze);
            summary.add("yardstick_copy_ms_" + megabytes + "mb", name + ": yardstick", copy);
            images.add(series(clones, CloneTimes::imageBytes).median() / 1e6);
            lines.computeIfAbsent("freeze", line -> new ArrayList<>()).add(freeze.median());
            lines.computeIfAbsent("cp in a tmpfs", line -> new ArrayList<>()).add(copy.median());
        }
        LinePlot svg = new LinePlot("A clone's freeze by memory", "image, MB", "ms");
        lines.forEach((name, values) -> svg.line(name, images, values));
        svg.write(plot);
        progress("plot: " + plot);
    }

    // ---- one clone ----

    private List<CloneTimes> cloneOften(String what, Load load, long copyBytes) throws Exception {
        List<CloneTimes> clones = new ArrayList<>();
        for (int run = 1; run <= runs(); run++) {
            progress(what + ": run " + run + " of " + runs());
            clones.add(cloneOnce(load, copyBytes));
        }
        return clones;
    }

    /** The yardstick is measured on both sides of the clone, with the same original running. */
    private CloneTimes cloneOnce(Load load, long copyBytes) throws Exception {
        try (Stage.Scene scene = stage.open(load)) {
            scene.startServe();
            long settling = System.currentTimeMillis();
            Thread.sleep(SETTLE_MS);
            long settled = System.currentTimeMillis();
            yardstick.warmMemory(WARM_COPIES * copyBytes);
            double copyBefore = yardstick.measureMs(copyBytes);
            long start = System.currentTimeMillis();
            scene.startPull();
            scene.awaitClone();
            long end = System.currentTimeMillis();
            LoadLog log = scene.originalLog();
            double lostMs =
                    log.between(start, end).longestGapMs()
                            - log.between(settling, settled).usualGapMs();
            double firstTickMs = scene.cloneLog().first().wallMs() - start;
            scene.endPull();
            double copyAfter = yardstick.measureMs(copyBytes);
            return new CloneTimes(
                    scene.report("serve"),
                    scene.report("pull"),
                    lostMs,
                    firstTickMs,
                    (copyBefore + copyAfter) / 2);
        }
    }

    private static Series series(List<CloneTimes> clones, ToDoubleFunction<CloneTimes> value) {
        Series series = new Series();
        clones.forEach(clone -> series.add(value.applyAsDouble(clone)));
        return series;
    }
}
