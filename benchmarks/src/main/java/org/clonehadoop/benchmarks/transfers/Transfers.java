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
package org.clonehadoop.benchmarks.transfers;

import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.hadoop.clone.stage.Policy;
import org.apache.hadoop.clone.stage.Priority;
import org.apache.hadoop.clone.stage.Purge;
import org.clonehadoop.benchmarks.harness.Benchmark;
import org.clonehadoop.benchmarks.harness.Goal;
import org.clonehadoop.benchmarks.harness.Outcome;
import org.clonehadoop.benchmarks.harness.Programs;
import org.clonehadoop.benchmarks.harness.Series;
import org.clonehadoop.benchmarks.harness.Summary;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Small transfers between hosts whose links are the bottleneck: the paper's figure 8. */
@Command(name = "transfers/run", sortOptions = false, mixinStandardHelpOptions = true)
public final class Transfers extends Benchmark {
    private static final Map<Integer, String> NAMES = Map.of(15, "low", 45, "medium", 75, "high");
    private static final List<Double> PERCENTILES = List.of(50.0, 90.0, 99.0);

    /** Of what the links carry: long flows, from one server or another. */
    private static final double BACKGROUND_SHARE = 0.01;

    private static final int BACKGROUND_BYTES = 1_000_000;
    private static final int WARM_UP_SECONDS = 2;
    private static final int SHORT = 50_000;
    private static final int MEDIUM_LOAD = 45;

    /** The paper's 100 KB and 10 MB, of flows that are a tenth as long. */
    private static final int[] BOUNDS = {10_000, 1_000_000};

    private static final List<String> CLASSES = List.of("short", "middling", "long");
    private static final List<Scheme> OF_ALL_SIZES =
            List.of(Scheme.SINGLE, Scheme.TIED, Scheme.DAS);

    /** By the paper's names. */
    enum Scheme {
        SINGLE,
        CLONING,
        /** DAS without a purge. */
        CLONING_PRIORITY,
        HEDGED,
        APP_TIMEOUT,
        TIED,
        DAS;

        /**
         * @param threshold after which hedged requests are
         */
        Policy policy(Duration threshold) {
            return switch (this) {
                case SINGLE -> Policy.single();
                case CLONING -> Policy.cloning();
                case CLONING_PRIORITY ->
                        new Policy(
                                List.of(new Policy.Duplicate(Priority.DUPLICATE, Duration.ZERO)),
                                Purge.NOTHING,
                                Purge.NOTHING);
                case HEDGED -> Policy.hedged(threshold);
                case APP_TIMEOUT -> Policy.appTimeout(threshold);
                case TIED -> Policy.tied();
                case DAS -> Policy.das(Duration.ZERO);
            };
        }

        String key() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    @Option(names = "--servers", hidden = true, required = true)
    private int serverCount;

    @Option(names = "--link-mbit", hidden = true, required = true)
    private int linkMegabits;

    @Option(
            names = "--loads",
            paramLabel = "P,...",
            split = ",",
            description = "Percent of what all links carry (15,45,75; with --quick 45,75).")
    private List<Integer> loads;

    @Option(
            names = "--seconds",
            paramLabel = "N",
            description = "For each scheme at each load (15; 2).")
    private Integer seconds;

    private final Map<String, Outcome> outcomes = new LinkedHashMap<>();
    private List<InetSocketAddress> servers;

    @Override
    protected void measure(Summary summary) throws Exception {
        Path log = Files.createTempFile("transfers", ".log");
        try (Programs programs = new Programs()) {
            servers = ServerPrograms.start(serverCount, programs, log);
            // What the JVMs compile first is no scheme's.
            run(Scheme.CLONING_PRIORITY, MEDIUM_LOAD, WARM_UP_SECONDS);
            for (int load : loads()) {
                for (Scheme scheme : Scheme.values()) {
                    progress(scheme.key() + " at " + load + " %");
                    outcomes.put(key(scheme, load), run(scheme, load, seconds()));
                }
            }
            for (Scheme scheme : OF_ALL_SIZES) {
                progress(scheme.key() + ", a web search's sizes");
                ofAllSizes(scheme);
            }
        } finally {
            Files.delete(log);
        }
        report(summary);
    }

    @Override
    protected int runs() {
        return 1;
    }

    private List<Integer> loads() {
        return loads != null ? loads : quick() ? List.of(45, 75) : List.of(15, 45, 75);
    }

    private int seconds() {
        return seconds != null ? seconds : quick() ? 2 : 15;
    }

    /** More than six requests for each of them are many, where two are for a disk. */
    private int links() {
        return 3 * serverCount;
    }

    private double bytesPerSecond() {
        return serverCount * linkMegabits * 1e6 / 8;
    }

    private double serviceMillis() {
        return SHORT * 8 / (linkMegabits * 1e3);
    }

    /** The same requests for all schemes. */
    private Outcome run(Scheme scheme, int load, int length) throws Exception {
        Transfer[] transfers =
                Transfer.poisson(
                        Sizes.fixed(SHORT),
                        bytesPerSecond() * load / 100,
                        length,
                        serverCount,
                        load);
        Transfer[] background =
                Transfer.poisson(
                        Sizes.fixed(BACKGROUND_BYTES),
                        bytesPerSecond() * BACKGROUND_SHARE,
                        length,
                        serverCount,
                        load + 1);
        return new TransferLoop(servers, transfers)
                .run(scheme.policy(threshold()), background, false);
    }

    private void ofAllSizes(Scheme scheme) throws Exception {
        Transfer[] transfers =
                Transfer.poisson(
                        Sizes.webSearch(),
                        bytesPerSecond() * MEDIUM_LOAD / 100,
                        2 * seconds(),
                        serverCount,
                        MEDIUM_LOAD);
        TransferLoop loop = new TransferLoop(servers, transfers, BOUNDS);
        outcomes.put(
                scheme.key() + "_all_sizes",
                loop.run(scheme.policy(threshold()), new Transfer[0], false));
        for (int i = 0; i < CLASSES.size(); i++) {
            outcomes.put(scheme.key() + "_" + CLASSES.get(i), loop.bySize().get(i));
        }
    }

    private Duration threshold() {
        return Duration.ofNanos((long) (2 * serviceMillis() * 1e6));
    }

    private static String key(Scheme scheme, int load) {
        return scheme.key() + "_" + nameOf(load);
    }

    private static String nameOf(int load) {
        return NAMES.getOrDefault(load, String.valueOf(load));
    }

    private void report(Summary summary) {
        summary.put("servers", serverCount);
        summary.put("link_mbit", linkMegabits);
        summary.put("seconds", seconds());
        for (int load : loads()) {
            summary.heading(
                    load + " % of " + serverCount + " links",
                    "requests",
                    "p50",
                    "p90",
                    "p99",
                    "ms");
            for (Scheme scheme : Scheme.values()) {
                row(summary, key(scheme, load), scheme.key());
            }
        }
        summary.heading(
                "A web search's sizes, " + MEDIUM_LOAD + " %",
                "requests",
                "p50",
                "p90",
                "p99",
                "ms");
        for (String size : CLASSES) {
            for (Scheme scheme : OF_ALL_SIZES) {
                row(summary, scheme.key() + "_" + size, size + ", " + scheme.key());
            }
        }
        summary.section("DAS");
        int high = loads().get(loads().size() - 1);
        summary.add(
                "requests_unstable",
                "without an end at " + high + " %",
                Series.of(outcome(Scheme.DAS, high).isUnstable(links()) ? 1 : 0),
                Goal.atMost(0));
        for (int load : loads()) {
            ratio(summary, "p99_gain_" + nameOf(load), Scheme.SINGLE, Scheme.DAS, load, null);
            Goal goal = load == MEDIUM_LOAD ? Goal.atMost(1.1) : null;
            ratio(summary, "p99_over_tied_" + nameOf(load), Scheme.DAS, Scheme.TIED, load, goal);
        }
        summary.section("The client itself");
        summary.add(
                "client_late_p99_ms",
                "asks so much later, worst p99",
                Series.of(
                        outcomes.values().stream()
                                .mapToDouble(one -> one.lateMillis(99))
                                .max()
                                .orElse(0)),
                Goal.atMost(serviceMillis() / 4));
    }

    private Outcome outcome(Scheme scheme, int load) {
        return outcomes.get(key(scheme, load));
    }

    private void row(Summary summary, String key, String label) {
        Outcome outcome = outcomes.get(key);
        List<String> keys = new ArrayList<>(List.of("requests_" + key));
        List<Double> numbers = new ArrayList<>(List.of((double) outcome.requests()));
        for (double percentile : PERCENTILES) {
            keys.add("p%.0f_ms_%s".formatted(percentile, key));
            numbers.add(outcome.millis(percentile, links()));
        }
        boolean unstable = outcome.isUnstable(links());
        summary.put("unstable_" + key, unstable ? 1 : 0);
        summary.addAll(label, keys, numbers, unstable ? "unstable" : "");
    }

    private void ratio(
            Summary summary, String key, Scheme over, Scheme under, int load, Goal goal) {
        double ratio =
                outcome(over, load).millis(99, links()) / outcome(under, load).millis(99, links());
        if (Double.isNaN(ratio)) {
            return;
        }
        String label = "p99 at %d %%, %s over %s".formatted(load, over.key(), under.key());
        if (goal == null) {
            summary.add(key, label, Series.of(ratio));
        } else {
            summary.add(key, label, Series.of(ratio), goal);
        }
    }

    public static void main(String[] arguments) {
        execute(new Transfers(), arguments);
    }
}
