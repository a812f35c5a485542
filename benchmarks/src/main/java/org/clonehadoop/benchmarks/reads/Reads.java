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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.clonehadoop.benchmarks.harness.Benchmark;
import org.clonehadoop.benchmarks.harness.Goal;
import org.clonehadoop.benchmarks.harness.Outcome;
import org.clonehadoop.benchmarks.harness.Series;
import org.clonehadoop.benchmarks.harness.Summary;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * How long reads take on slow disks, of which some are slower for a while, by scheme and load: the
 * paper's figures 1 and 7.
 */
@Command(name = "reads/run", sortOptions = false, mixinStandardHelpOptions = true)
public final class Reads extends Benchmark {
    /** The paper's names of loads, in percent of what all disks can read. */
    private static final Map<Integer, String> NAMES = Map.of(15, "low", 45, "medium", 75, "high");

    private static final Map<String, Double> GAINS =
            Map.of("low", 1.45, "medium", 1.3, "high", 1.3);

    private static final Map<String, Double> STAGE_GAINS = Map.of("medium", 1.9, "high", 2.5);

    @Mixin private SlowDisks disks;

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

    private final Map<String, Outcome> outcomes = new HashMap<>();
    private final Map<String, DuplicateCounts> duplicates = new HashMap<>();

    @Override
    protected void measure(Summary summary) throws Exception {
        if (!loads.stream().allMatch(load -> load >= 1 && load <= 100)) {
            throw new IOException("--loads are percent, from 1 to 100, not " + loads);
        }
        List<Scheme> chosen = chosen();
        progress("writing " + disks.describe());
        disks.fill();
        for (int load : loads) {
            // The same times for all schemes.
            long[] arrivals = disks.arrivals(load, seconds(), load);
            for (Scheme scheme : chosen) {
                progress(scheme.key() + " at " + load + " %");
                DuplicateCounts.reset();
                Outcome outcome = disks.ask(scheme, arrivals, 0);
                duplicates.put(key(scheme, load), DuplicateCounts.now());
                // If the rest is cut off this was not for nothing.
                progress(disks.brief(outcome));
                outcomes.put(key(scheme, load), outcome);
                disks.awaitIdle();
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

    private static String key(Scheme scheme, int load) {
        return scheme.key() + "_" + nameOf(load);
    }

    private static String nameOf(int load) {
        return NAMES.getOrDefault(load, String.valueOf(load));
    }

    private void report(Summary summary, List<Scheme> chosen) {
        OutcomeTable table = new OutcomeTable(summary, disks, seconds());
        for (int load : loads) {
            table.heading(load + " % of " + disks.disks() + " disks");
            for (Scheme scheme : chosen) {
                table.row(scheme.key(), key(scheme, load), outcomes.get(key(scheme, load)));
            }
        }
        for (int load : loads) {
            duplicates(summary, chosen, load);
        }
        if (chosen.contains(Scheme.DAS) || chosen.contains(Scheme.DAS_STAGE)) {
            summary.section("DAS against single");
        }
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
        table.client(outcomes.values());
    }

    /** Of those that have any: stock's hedged reads aren't counted. */
    private void duplicates(Summary summary, List<Scheme> chosen, int load) {
        List<Scheme> any =
                chosen.stream()
                        .filter(scheme -> duplicates.get(key(scheme, load)).sent() > 0)
                        .toList();
        if (any.isEmpty()) {
            return;
        }
        summary.heading("Duplicates at " + load + " %", "sent", "won", "MB in vain", "of all");
        for (Scheme scheme : any) {
            String key = key(scheme, load);
            DuplicateCounts counts = duplicates.get(key);
            double read = outcomes.get(key).requests() * (disks.kilobytes() * 1024.0);
            summary.addAll(
                    scheme.key(),
                    List.of(
                            "duplicates_sent_" + key,
                            "duplicates_won_" + key,
                            "bytes_discarded_" + key,
                            "discarded_over_read_" + key),
                    List.of(
                            (double) counts.sent(),
                            (double) counts.won(),
                            (double) counts.bytesDiscarded(),
                            counts.bytesDiscarded() / read),
                    "");
        }
    }

    private boolean unstable(Scheme scheme, int load) {
        return outcomes.get(key(scheme, load)).isUnstable(disks.disks());
    }

    private double over(Scheme scheme, int load, double percentile) {
        double over =
                outcomes.get(key(scheme, load)).millis(percentile, disks.disks())
                        / outcomes.get(key(Scheme.SINGLE, load)).millis(percentile, disks.disks());
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

    public static void main(String[] arguments) {
        execute(new Reads(), arguments);
    }
}
