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
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.hadoop.clone.stage.Limit;
import org.apache.hadoop.clone.stage.Policy;
import org.apache.hadoop.clone.stage.ProbingLimit;
import org.clonehadoop.benchmarks.harness.Arrivals;
import org.clonehadoop.benchmarks.harness.Benchmark;
import org.clonehadoop.benchmarks.harness.Outcome;
import org.clonehadoop.benchmarks.harness.Series;
import org.clonehadoop.benchmarks.harness.Summary;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * The same requests, disks and noise on a virtual clock, with the stages and policies of
 * duplicate-stage: what they are worth where nothing else is scarce.
 */
@Command(name = "reads/run --simulate", sortOptions = false, mixinStandardHelpOptions = true)
public final class SimulatedReads extends Benchmark {
    private static final List<Scheme> SCHEMES =
            List.of(
                    Scheme.SINGLE,
                    Scheme.CLONING,
                    Scheme.HEDGED,
                    Scheme.APP_TIMEOUT,
                    Scheme.TIED,
                    Scheme.DAS,
                    Scheme.DAS_STAGE);

    @Option(names = "--disks", paramLabel = "N", description = "Or DataNodes (6).")
    private int disks = 6;

    @Option(
            names = "--disk-mb",
            paramLabel = "MB",
            description = "What each reads in a second (5).")
    private double diskMegabytes = 5;

    @Option(names = "--kb", paramLabel = "KB", description = "Of a request (4096).")
    private int kilobytes = 4096;

    @Option(
            names = "--loads",
            paramLabel = "P,...",
            split = ",",
            description = "Percent of what all disks can read (15,45,75).")
    private List<Integer> loads = List.of(15, 45, 75);

    @Option(names = "--seconds", paramLabel = "N", description = "For each load (120).")
    private int seconds = 120;

    @Option(names = "--seeds", paramLabel = "N", description = "So often (21; with --quick 7).")
    private Integer seeds;

    @Option(names = "--first-seed", paramLabel = "N", description = "Of arrivals and noise (0).")
    private int firstSeed;

    @Option(
            names = "--limit",
            paramLabel = "N",
            description = "Of what a stage serves at once (0: it finds it, as DataNodes do).")
    private int limit;

    @Option(
            names = "--no-noise",
            negatable = true,
            description = "No other program reads from the disks.")
    private boolean noise = true;

    @Override
    protected int runs() {
        return seeds != null ? seeds : quick() ? 7 : 21;
    }

    @Override
    protected void measure(Summary summary) throws IOException {
        checkOptions();
        summary.put("disks", disks);
        summary.put("disk_mb_per_second", diskMegabytes);
        summary.put("object_kb", kilobytes);
        summary.put("seconds", seconds);
        for (int load : loads) {
            Map<Scheme, Outcome[]> outcomes = new EnumMap<>(Scheme.class);
            for (Scheme scheme : SCHEMES) {
                progress(scheme.option() + " at " + load + " %");
                Outcome[] all = new Outcome[runs()];
                for (int seed = 0; seed < all.length; seed++) {
                    all[seed] = run(scheme, load, firstSeed + seed);
                }
                outcomes.put(scheme, all);
            }
            report(summary, load, outcomes);
        }
    }

    private void checkOptions() throws IOException {
        if (disks < 2) {
            throw new IOException("--disks is 2 at least, the second for duplicates, not " + disks);
        }
        if (kilobytes * 1024 < SimulatedHosts.PACKET_BYTES) {
            throw new IOException("--kb is one packet at least, 64, not " + kilobytes);
        }
        if (!(diskMegabytes > 0)) {
            throw new IOException("--disk-mb is more than 0, not " + diskMegabytes);
        }
        if (seconds < 1 || runs() < 1) {
            throw new IOException("--seconds and --seeds are 1 at least");
        }
        if (limit < 0) {
            throw new IOException("--limit is a number from 0, not " + limit);
        }
        if (!loads.stream().allMatch(load -> load >= 1 && load <= 100)) {
            throw new IOException("--loads are percent, from 1 to 100, not " + loads);
        }
    }

    private double serviceNanos() {
        return kilobytes * 1024 / diskMegabytes * 1e3;
    }

    private Outcome run(Scheme scheme, int load, int seed) {
        long[] arrivals =
                Arrivals.poisson(load / 100.0 * disks * 1e9 / serviceNanos(), seconds, seed);
        SimulatedHosts hosts =
                new SimulatedHosts(
                        disks, kilobytes << 10, diskMegabytes * 1e6, noise, this::newLimit, seed);
        return hosts.run(arrivals, policy(scheme), scheme == Scheme.DAS_STAGE);
    }

    private Limit newLimit() {
        return limit == 0 ? new ProbingLimit() : Limit.fixed(limit);
    }

    /** With the thresholds that the benchmark of real reads gives them. */
    private Policy policy(Scheme scheme) {
        Duration threshold = Duration.ofNanos(Math.round(2 * serviceNanos()));
        return switch (scheme) {
            case SINGLE, STOCK_HEDGED -> Policy.single();
            case CLONING -> Policy.cloning();
            case HEDGED -> Policy.hedged(threshold);
            case APP_TIMEOUT -> Policy.appTimeout(threshold);
            case TIED -> Policy.tied();
            case DAS, DAS_STAGE -> Policy.das(Duration.ofMillis(1));
        };
    }

    private void report(Summary summary, int load, Map<Scheme, Outcome[]> outcomes) {
        for (Scheme scheme : SCHEMES) {
            Outcome[] all = outcomes.get(scheme);
            String suffix = "_" + scheme.key() + "_" + load;
            int unstable = 0;
            for (Outcome outcome : all) {
                unstable += outcome.isUnstable(disks) ? 1 : 0;
            }
            summary.section(
                    "%s at %d %%, without an end in %d of %d"
                            .formatted(scheme.option(), load, unstable, all.length));
            summary.put("simulated_unstable" + suffix, unstable);
            if (unstable == 0) {
                for (int percentile : List.of(50, 95, 99)) {
                    String name = "p" + percentile + "_ms";
                    summary.add(
                            "simulated_" + name + suffix,
                            "p" + percentile,
                            series(all, percentile));
                }
                if (scheme != Scheme.SINGLE) {
                    overSingle(summary, suffix, outcomes.get(Scheme.SINGLE), all);
                }
            }
        }
    }

    /** Of the runs in which single has an end. */
    private void overSingle(Summary summary, String suffix, Outcome[] single, Outcome[] all) {
        int[] runs =
                IntStream.range(0, all.length)
                        .filter(run -> !single[run].isUnstable(disks))
                        .toArray();
        if (runs.length == 0) {
            return;
        }
        Outcome[] ofSingle =
                IntStream.of(runs).mapToObj(run -> single[run]).toArray(Outcome[]::new);
        Outcome[] ofScheme = IntStream.of(runs).mapToObj(run -> all[run]).toArray(Outcome[]::new);
        String of = runs.length == all.length ? "" : " in " + runs.length;
        summary.add(
                "simulated_p50_ratio" + suffix,
                "p50 over single's" + of,
                series(ofScheme, 50).over(series(ofSingle, 50)));
        summary.add(
                "simulated_p99_gain" + suffix,
                "p99 better by" + of,
                series(ofSingle, 99).over(series(ofScheme, 99)));
    }

    private Series series(Outcome[] all, double percentile) {
        Series series = new Series();
        for (Outcome outcome : all) {
            series.add(outcome.millis(percentile, disks));
        }
        return series;
    }

    public static void main(String[] arguments) {
        execute(new SimulatedReads(), arguments);
    }
}
