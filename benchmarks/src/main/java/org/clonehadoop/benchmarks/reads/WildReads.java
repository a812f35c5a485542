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

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.clonehadoop.benchmarks.harness.Benchmark;
import org.clonehadoop.benchmarks.harness.Goal;
import org.clonehadoop.benchmarks.harness.Outcome;
import org.clonehadoop.benchmarks.harness.Series;
import org.clonehadoop.benchmarks.harness.Summary;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * How long reads take while one of the DataNodes' hosts is in trouble, each kind of trouble by
 * itself: what the paper's figure 6 shows of a public cloud.
 */
@Command(name = "reads/run --wild", sortOptions = false, mixinStandardHelpOptions = true)
public final class WildReads extends Benchmark {
    /** Percent of all disks; a host with a fifth of its speed can still serve its share. */
    private static final int LOAD = 15;

    private static final int HOT_READERS = 4;
    private static final double GOAL = 3;

    @Mixin private SlowDisks disks;

    @Option(names = "--orders", hidden = true, required = true)
    private Path orders;

    @Option(
            names = "--seconds",
            paramLabel = "N",
            description = "For each scheme in each trouble (120; 16 with --quick).")
    private Integer seconds;

    @Option(
            names = "--schemes",
            paramLabel = "S,...",
            split = ",",
            converter = Scheme.Converter.class,
            description =
                    "Beside single and das, which are always among them (single,stock-hedged,das).")
    private List<Scheme> schemes = List.of(Scheme.SINGLE, Scheme.STOCK_HEDGED, Scheme.DAS);

    private final Map<String, Outcome> outcomes = new LinkedHashMap<>();

    @Override
    protected void measure(Summary summary) throws Exception {
        progress("writing " + disks.describe());
        disks.fill();
        // The same times for all schemes and troubles.
        long[] arrivals = disks.arrivals(LOAD, seconds(), LOAD);
        try (HotSpot hotSpot = HotSpot.create(new Configuration(), disks.kilobytes() << 10)) {
            for (Trouble trouble : Trouble.values()) {
                for (Scheme scheme : chosen()) {
                    progress(trouble.order() + ", " + scheme.option());
                    begin(trouble, hotSpot);
                    Outcome outcome = disks.ask(scheme, arrivals, 0);
                    progress(disks.brief(outcome));
                    outcomes.put(key(scheme, trouble), outcome);
                    end(trouble, hotSpot);
                    disks.awaitIdle();
                }
            }
        }
        report(summary);
    }

    @Override
    protected int runs() {
        return 1;
    }

    private List<Scheme> chosen() {
        return Scheme.ALL.stream()
                .filter(
                        scheme ->
                                scheme == Scheme.SINGLE
                                        || scheme == Scheme.DAS
                                        || schemes.contains(scheme))
                .toList();
    }

    private int seconds() {
        return seconds != null ? seconds : quick() ? 16 : 120;
    }

    private void begin(Trouble trouble, HotSpot hotSpot) throws Exception {
        if (trouble == Trouble.HOT_SPOT) {
            hotSpot.begin(HOT_READERS);
        } else {
            new Orders(orders).give("begin " + trouble.order());
        }
    }

    private void end(Trouble trouble, HotSpot hotSpot) throws Exception {
        if (trouble == Trouble.HOT_SPOT) {
            hotSpot.end();
        } else {
            new Orders(orders).give("end " + trouble.order());
        }
    }

    private static String key(Scheme scheme, Trouble trouble) {
        return scheme.key() + "_" + trouble.key();
    }

    private void report(Summary summary) {
        summary.put("load_percent", LOAD);
        OutcomeTable table = new OutcomeTable(summary, disks, seconds());
        for (Trouble trouble : Trouble.values()) {
            table.heading(trouble.label());
            for (Scheme scheme : chosen()) {
                String key = key(scheme, trouble);
                table.row(scheme.key(), key, outcomes.get(key));
            }
        }
        summary.section("DAS against single");
        double least = Double.POSITIVE_INFINITY;
        for (Trouble trouble : Trouble.values()) {
            double gain = gain(trouble);
            least = Math.min(least, gain);
            if (Double.isFinite(gain)) {
                summary.add(
                        "wild_p99_gain_" + trouble.key(),
                        "p99 better by, " + trouble.order(),
                        Series.of(gain));
            }
        }
        if (Double.isFinite(least)) {
            summary.add("wild_p99_gain", "the least", Series.of(least), Goal.atLeast(GOAL));
        }
        table.client(outcomes.values());
    }

    private double gain(Trouble trouble) {
        return gain(
                outcomes.get(key(Scheme.SINGLE, trouble)),
                outcomes.get(key(Scheme.DAS, trouble)),
                disks.disks());
    }

    /**
     * Single's p99 over das'; without an end to it 0 if das has none, without a bound if single.
     */
    static double gain(Outcome single, Outcome das, int disks) {
        if (das.isUnstable(disks)) {
            return 0;
        }
        return single.isUnstable(disks)
                ? Double.POSITIVE_INFINITY
                : single.millis(99, disks) / das.millis(99, disks);
    }

    public static void main(String[] arguments) {
        execute(new WildReads(), arguments);
    }
}
