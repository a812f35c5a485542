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
package org.clonehadoop.benchmarks.priorities;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.DoubleUnaryOperator;
import org.HdrHistogram.Histogram;
import org.apache.hadoop.clone.stage.Policy;
import org.clonehadoop.benchmarks.harness.Benchmark;
import org.clonehadoop.benchmarks.harness.Goal;
import org.clonehadoop.benchmarks.harness.Outcome;
import org.clonehadoop.benchmarks.harness.Programs;
import org.clonehadoop.benchmarks.harness.Series;
import org.clonehadoop.benchmarks.harness.Summary;
import org.clonehadoop.benchmarks.transfers.ServerPrograms;
import org.clonehadoop.benchmarks.transfers.Sizes;
import org.clonehadoop.benchmarks.transfers.Transfer;
import org.clonehadoop.benchmarks.transfers.TransferLoop;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * How long requests take beside others of the lowest priority, over how long they take alone: on a
 * link, and at a disk. The paper's figure 10.
 */
@Command(name = "priorities/run", sortOptions = false, mixinStandardHelpOptions = true)
public final class Priorities extends Benchmark {
    private static final List<Double> PERCENTILES = List.of(10.0, 20.0, 40.0, 50.0, 90.0, 99.0);
    private static final int LOAD = 45;
    private static final int WORKERS = 4;

    /** However many are under way. */
    private static final int MANY = 1_000_000;

    private static final Duration END = Duration.ofSeconds(10);

    @Option(names = "--link-mbit", hidden = true, required = true)
    private int linkMegabits;

    @Option(names = "--device", hidden = true, required = true)
    private Path device;

    @Option(names = "--scheduler", hidden = true, required = true)
    private String scheduler;

    @Option(
            names = "--seconds",
            paramLabel = "N",
            description = "For each of a run's turns (10; with --quick 4).")
    private Integer seconds;

    private Outcome[] link = {new Outcome(0), new Outcome(0)};
    private final Histogram[] disk = {new Histogram(3), new Histogram(3)};

    @Override
    protected void measure(Summary summary) throws Exception {
        Path log = Files.createTempFile("priorities", ".log");
        try (Programs programs = new Programs()) {
            List<InetSocketAddress> server = ServerPrograms.start(1, programs, log);
            transfers(server, -1, false);
            for (int run = 0; run < runs(); run++) {
                // Either is first as often.
                for (int i = 0; i < 2; i++) {
                    int low = (i + run) % 2;
                    progress(
                            (low == 1 ? "beside low priority" : "alone")
                                    + ", run %d of %d".formatted(run + 1, runs()));
                    link[low] = link[low].plus(transfers(server, run, low == 1));
                    disk[low].add(reads(low == 1, programs, log));
                }
            }
        } finally {
            Files.delete(log);
        }
        summary.put("seconds", seconds());
        report(
                summary,
                "link",
                "A web search's transfers beside a flow without an end",
                percentile -> link[0].millis(percentile, MANY),
                percentile -> link[1].millis(percentile, MANY));
        report(
                summary,
                "disk",
                "4 KB from a disk with " + scheduler + ", beside " + WORKERS + " idle readers",
                percentile -> disk[0].getValueAtPercentile(percentile) / 1e3,
                percentile -> disk[1].getValueAtPercentile(percentile) / 1e3);
    }

    @Override
    protected int runs() {
        return quick() ? 2 : 6;
    }

    private int seconds() {
        return seconds != null ? seconds : quick() ? 4 : 10;
    }

    /** The same ones with the other flow and without. */
    private Outcome transfers(List<InetSocketAddress> server, int run, boolean low)
            throws Exception {
        double bytesPerSecond = linkMegabits * 1e6 / 8 * LOAD / 100;
        Transfer[] transfers =
                Transfer.poisson(Sizes.webSearch(), bytesPerSecond, seconds(), 1, run);
        Outcome outcome =
                new TransferLoop(server, transfers).run(Policy.single(), new Transfer[0], low);
        if (outcome.isUnstable(MANY)) {
            throw new IOException("transfers at " + LOAD + " % of a link have no end");
        }
        return outcome;
    }

    private Histogram reads(boolean low, Programs programs, Path log) throws Exception {
        if (!low) {
            return RandomReads.during(device, WORKERS, seconds());
        }
        Process other =
                programs.start(
                        List.of(
                                "setpriv",
                                "--pdeathsig",
                                "KILL",
                                "ionice",
                                "-c",
                                "3",
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-Xmx64m",
                                "-XX:+UseSerialGC",
                                "-cp",
                                System.getProperty("java.class.path"),
                                RandomReads.class.getName(),
                                device.toString(),
                                String.valueOf(WORKERS)),
                        log);
        Histogram beside = RandomReads.during(device, WORKERS, seconds());
        Programs.end(other, END);
        return beside;
    }

    private static void report(
            Summary summary,
            String what,
            String title,
            DoubleUnaryOperator alone,
            DoubleUnaryOperator beside) {
        summary.heading(title, "alone", "beside", "over", "");
        for (double percentile : PERCENTILES) {
            String suffix = "%s_p%.0f".formatted(what, percentile);
            double first = alone.applyAsDouble(percentile);
            double second = beside.applyAsDouble(percentile);
            summary.addAll(
                    "p%.0f".formatted(percentile),
                    List.of(
                            "alone_ms_" + suffix,
                            "beside_ms_" + suffix,
                            "priorities_ratio_" + suffix),
                    List.of(first, second, second / first),
                    "");
        }
        if (what.equals("link")) {
            summary.section("The link, by the paper's bounds");
            bound(summary, alone, beside, 10, 1.2);
            bound(summary, alone, beside, 20, 1.15);
            bound(summary, alone, beside, 40, 1.03);
        }
    }

    private static void bound(
            Summary summary,
            DoubleUnaryOperator alone,
            DoubleUnaryOperator beside,
            int percentile,
            double most) {
        summary.add(
                "priorities_over_alone_p" + percentile,
                "p" + percentile,
                Series.of(beside.applyAsDouble(percentile) / alone.applyAsDouble(percentile)),
                Goal.atMost(most));
    }

    public static void main(String[] arguments) {
        execute(new Priorities(), arguments);
    }
}
