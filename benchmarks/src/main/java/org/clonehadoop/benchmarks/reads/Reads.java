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
package org.clonehadoop.benchmarks.reads;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.clonehadoop.benchmarks.harness.Benchmark;
import org.clonehadoop.benchmarks.harness.Goal;
import org.clonehadoop.benchmarks.harness.Series;
import org.clonehadoop.benchmarks.harness.Summary;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * How long reads take on slow disks, of which some are slower for a while, by scheme and load: the
 * paper's figures 1 and 7.
 */
@Command(name = "reads/run", sortOptions = false, mixinStandardHelpOptions = true)
public final class Reads extends Benchmark {
    private static final double[] PERCENTILES = {50, 95, 99, 99.9};
    private static final int WARM_UP = 8;
    private static final int COPY_THREADS = 64;
    private static final long DRAIN_SECONDS = 20;

    /** With so many for each disk there are seconds of work for it, and no end in sight. */
    private static final int HOPELESS_PER_DISK = 30;

    /** The paper's names of loads, in percent of what all disks can read. */
    private static final Map<Integer, String> NAMES = Map.of(15, "low", 45, "medium", 75, "high");

    private static final Map<String, Double> GAINS =
            Map.of("low", 1.45, "medium", 1.3, "high", 1.3);

    private static final Map<String, Double> STAGE_GAINS = Map.of("medium", 1.9, "high", 2.5);

    @Option(names = "--disks", hidden = true, required = true)
    private int disks;

    @Option(names = "--disk-mb", hidden = true, required = true)
    private double diskMegabytes;

    @Option(names = "--kb", hidden = true, required = true)
    private int kilobytes;

    @Option(names = "--objects", hidden = true, required = true)
    private int count;

    @Option(
            names = "--loads",
            paramLabel = "P,...",
            split = ",",
            description = "Percent of what all disks can read (15,45,75).")
    private List<Integer> loads = List.of(15, 45, 75);

    @Option(
            names = "--schemes",
            paramLabel = "S,...",
            split = ",",
            converter = Scheme.Converter.class,
            description =
                    "Of single, stock-hedged, cloning, hedged, app-timeout, tied, das,"
                            + " das-stage (all); single"
                            + " is always among them.")
    private List<Scheme> schemes = Scheme.ALL;

    @Option(
            names = "--seconds",
            paramLabel = "N",
            description = "For each scheme at each load (120; 16 with --quick).")
    private Integer seconds;

    private Objects objects;
    private final Map<String, Outcome> outcomes = new HashMap<>();
    private int failures;

    @Override
    protected void measure(Summary summary) throws Exception {
        if (!loads.stream().allMatch(load -> load >= 1 && load <= 100)) {
            throw new IOException("--loads are percent, from 1 to 100, not " + loads);
        }
        Configuration conf = new Configuration();
        List<Scheme> chosen = chosen();
        progress("writing " + count + " files of " + kilobytes + " KB");
        try (FileSystem system = FileSystem.newInstance(conf)) {
            objects = Objects.create(system, count, kilobytes << 10);
        }
        for (int load : loads) {
            for (Scheme scheme : chosen) {
                run(conf, scheme, load);
            }
        }
        report(summary, chosen);
    }

    @Override
    protected int runs() {
        return 1;
    }

    /** In their own order, the yardstick first. */
    private List<Scheme> chosen() {
        return Scheme.ALL.stream()
                .filter(scheme -> scheme == Scheme.SINGLE || schemes.contains(scheme))
                .collect(Collectors.toList());
    }

    private int seconds() {
        return seconds != null ? seconds : quick() ? 16 : 120;
    }

    private double serviceMillis() {
        return kilobytes * 1.024 / diskMegabytes;
    }

    private void run(Configuration conf, Scheme scheme, int load) throws Exception {
        progress(scheme.key() + " at " + load + " %");
        double perSecond = load / 100.0 * disks * 1000 / serviceMillis();
        // The same times for all schemes.
        long[] arrivals = Arrivals.poisson(perSecond, seconds(), load);
        Configuration client = scheme.client(conf, Math.round(2 * serviceMillis()), COPY_THREADS);
        try (FileSystem system = FileSystem.newInstance(client)) {
            for (int i = 0; i < WARM_UP; i++) {
                objects.get(system, count - 1 - i);
            }
            Outcome outcome =
                    new OpenLoop(HOPELESS_PER_DISK * disks, DRAIN_SECONDS)
                            .run(arrivals, number -> objects.get(system, number));
            outcomes.put(key(scheme, load), outcome);
            failures += outcome.failures();
        }
        awaitIdle();
    }

    /** What an unstable scheme has left on the disks isn't the next one's. */
    private void awaitIdle() throws InterruptedException, IOException {
        // A read that takes no longer than by itself finds all else gone.
        try (FileSystem system =
                FileSystem.newInstance(Scheme.SINGLE.client(new Configuration(), 0, 0))) {
            int fast = 0;
            for (int i = 0; fast < 2 * disks && i < 60 * disks; i++) {
                long begin = System.nanoTime();
                objects.get(system, i);
                fast = (System.nanoTime() - begin) / 1e6 <= 2 * serviceMillis() ? fast + 1 : 0;
            }
        }
    }

    private static String key(Scheme scheme, int load) {
        return scheme.key() + "_" + nameOf(load);
    }

    private static String nameOf(int load) {
        return NAMES.getOrDefault(load, String.valueOf(load));
    }

    private void report(Summary summary, List<Scheme> chosen) {
        summary.put("disks", disks);
        summary.put("disk_mb_per_second", diskMegabytes);
        summary.put("object_kb", kilobytes);
        summary.put("seconds", seconds());
        summary.put("failures", failures);
        for (int load : loads) {
            summary.heading(
                    load + " % of " + disks + " disks",
                    "requests",
                    "p50",
                    "p95",
                    "p99",
                    "p99.9",
                    "ms");
            for (Scheme scheme : chosen) {
                row(summary, scheme, load);
            }
        }
        summary.section("DAS against single");
        double worst = 0;
        int unstable = 0;
        for (int load : loads) {
            if (chosen.contains(Scheme.DAS)) {
                gain(summary, Scheme.DAS, "p99_gain_", GAINS, load);
                unstable += unstable(Scheme.DAS, load) ? 1 : 0;
                worst = Math.max(worst, over(Scheme.DAS, load, 50));
            }
            if (chosen.contains(Scheme.DAS_STAGE)) {
                gain(summary, Scheme.DAS_STAGE, "stage_p99_gain_", STAGE_GAINS, load);
            }
        }
        if (chosen.contains(Scheme.DAS)) {
            summary.add(
                    "das_unstable", "loads without an end", Series.of(unstable), Goal.atMost(0));
            if (worst > 0) {
                summary.add(
                        "p50_over_single",
                        "median, worst load",
                        Series.of(worst),
                        Goal.atMost(1.03));
            }
        }
        summary.section("The client itself");
        double late =
                outcomes.values().stream()
                        .filter(outcome -> !outcome.isUnstable(disks))
                        .mapToDouble(outcome -> outcome.lateMillis(99))
                        .max()
                        .orElse(0);
        summary.add(
                "client_late_p99_ms",
                "asks so much later, where stable, worst p99",
                Series.of(late),
                Goal.atMost(serviceMillis() / 20));
    }

    private boolean unstable(Scheme scheme, int load) {
        return outcomes.get(key(scheme, load)).isUnstable(disks);
    }

    private double over(Scheme scheme, int load, double percentile) {
        double over =
                outcomes.get(key(scheme, load)).millis(percentile, disks)
                        / outcomes.get(key(Scheme.SINGLE, load)).millis(percentile, disks);
        return Double.isNaN(over) ? 0 : over;
    }

    private void gain(
            Summary summary, Scheme scheme, String prefix, Map<String, Double> goals, int load) {
        double over = over(scheme, load, 99);
        if (over > 0) {
            String name = nameOf(load);
            Series gain = Series.of(1 / over);
            String label = scheme.option() + "'s p99 better by, at " + load + " %";
            if (goals.containsKey(name)) {
                summary.add(prefix + name, label, gain, Goal.atLeast(goals.get(name)));
            } else {
                summary.add(prefix + name, label, gain);
            }
        }
    }

    private void row(Summary summary, Scheme scheme, int load) {
        Outcome outcome = outcomes.get(key(scheme, load));
        String suffix = "_" + key(scheme, load);
        List<String> keys = new ArrayList<>(List.of("requests" + suffix));
        List<Double> numbers = new ArrayList<>(List.of((double) outcome.requests()));
        for (double percentile : PERCENTILES) {
            keys.add(
                    "p"
                            + String.valueOf(percentile).replace(".0", "").replace(".", "_")
                            + "_ms"
                            + suffix);
            numbers.add(outcome.millis(percentile, disks));
        }
        boolean unstable = outcome.isUnstable(disks);
        summary.put("unstable" + suffix, unstable ? 1 : 0);
        summary.addAll(scheme.key(), keys, numbers, unstable ? "unstable" : "");
    }

    public static void main(String[] arguments) {
        execute(new Reads(), arguments);
    }
}
