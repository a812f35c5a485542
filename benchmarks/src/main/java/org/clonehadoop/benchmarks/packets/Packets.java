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
package org.clonehadoop.benchmarks.packets;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.hadoop.clone.stage.Policy;
import org.clonehadoop.benchmarks.harness.Arrivals;
import org.clonehadoop.benchmarks.harness.Benchmark;
import org.clonehadoop.benchmarks.harness.Goal;
import org.clonehadoop.benchmarks.harness.Programs;
import org.clonehadoop.benchmarks.harness.Series;
import org.clonehadoop.benchmarks.harness.Summary;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Packets a second that are looked through once at least, with duplicates and without, on two nodes
 * of one core; and while other programs want one of the cores: the paper's figure 9.
 */
@Command(name = "packets/run", sortOptions = false, mixinStandardHelpOptions = true)
public final class Packets extends Benchmark {
    private static final int NODES = 2;
    private static final long PACKET_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final List<Integer> LOADS = List.of(25, 50, 75, 100);

    /** There the other node has to spare what the straggler lacks. */
    private static final int STRAGGLER_LOAD = 50;

    /** So many programs on a core leave the detector a fifth of it, for 60 % of the time. */
    private static final int HOGS = 4;

    private static final double HOGS_FROM = 0.2;
    private static final double HOGS_TO = 0.8;
    private static final int STRAGGLER = NODES - 1;

    /** Queues are empty when nothing has come for so long. */
    private static final long QUIET_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private enum Scheme {
        SINGLE(Policy.single()),
        DAS(Balancer.DUPLICATED);

        private final Policy policy;

        Scheme(Policy policy) {
            this.policy = policy;
        }
    }

    /** What is measured a few times. */
    private record Cell(boolean straggler, int load, Scheme scheme) {}

    @Option(
            names = "--seconds",
            paramLabel = "N",
            description = "For each scheme at each load, with a straggler and without (8; 2).")
    private Integer seconds;

    private final Map<Cell, Series> goodput = new LinkedHashMap<>();
    private final Programs programs = new Programs();
    private Nodes nodes;
    private int cells;

    @Override
    protected void measure(Summary summary) throws Exception {
        if (Runtime.getRuntime().availableProcessors() < NODES) {
            throw new IOException("a core for each of " + NODES + " nodes is needed");
        }
        Path log = Files.createTempFile("packets", ".log");
        int rounds = Inspection.roundsFor(PACKET_NANOS, Packet.BYTES);
        try (Nodes started = new Nodes(NODES, rounds, programs, log)) {
            nodes = started;
            double capacity = capacity();
            for (int run = 0; run < runs(); run++) {
                for (boolean straggler : List.of(false, true)) {
                    for (int load : LOADS) {
                        progress(
                                "%d %%%s, run %d of %d"
                                        .formatted(
                                                load,
                                                straggler ? " with a straggler" : "",
                                                run + 1,
                                                runs()));
                        turn(straggler, load, run, capacity);
                    }
                }
            }
            report(summary, capacity);
        } finally {
            programs.close();
            Files.delete(log);
        }
    }

    @Override
    protected int runs() {
        return quick() ? 1 : 2;
    }

    private int seconds() {
        return seconds != null ? seconds : quick() ? 2 : 8;
    }

    /** Packets a second that both nodes look through if there are always more. */
    private double capacity() throws Exception {
        progress("what the nodes can do");
        double guess = NODES * 1e9 / PACKET_NANOS;
        run(Scheme.SINGLE, Arrivals.poisson(guess, 1, 0), 1, false);
        return run(Scheme.SINGLE, Arrivals.poisson(2 * guess, seconds(), 0), seconds(), false);
    }

    /** The same packets for both schemes; either is first as often. */
    private void turn(boolean straggler, int load, int run, double capacity) throws Exception {
        long[] arrivals = Arrivals.poisson(capacity * load / 100, seconds(), 100L * run + load);
        List<Scheme> schemes = List.of(Scheme.values());
        for (int i = 0; i < schemes.size(); i++) {
            Scheme scheme = schemes.get((i + run) % schemes.size());
            goodput.computeIfAbsent(new Cell(straggler, load, scheme), cell -> new Series())
                    .add(run(scheme, arrivals, seconds(), straggler));
        }
    }

    /**
     * @return unique packets a second
     */
    private double run(Scheme scheme, long[] arrivals, int length, boolean straggler)
            throws Exception {
        int cell = cells++;
        Deduplicator deduplicator = nodes.deduplicator();
        deduplicator.begin(cell);
        Balancer balancer =
                new Balancer(
                        NODES,
                        scheme.policy,
                        (node, priority, number) -> nodes.send(node, priority, cell, number));
        List<Process> hogs = new ArrayList<>();
        long begin = System.nanoTime();
        long lengthNanos = TimeUnit.SECONDS.toNanos(length);
        for (int number = 0; number < arrivals.length; number++) {
            if (straggler && hogs.isEmpty() && arrivals[number] >= HOGS_FROM * lengthNanos) {
                hogs.addAll(nodes.hog(STRAGGLER, HOGS));
            }
            if (arrivals[number] >= HOGS_TO * lengthNanos) {
                hogs.forEach(Process::destroyForcibly);
            }
            sleepUntil(begin + arrivals[number]);
            balancer.pass(number);
        }
        sleepUntil(begin + lengthNanos);
        while (deduplicator.quietNanos() < QUIET_NANOS) {
            sleepUntil(System.nanoTime() + QUIET_NANOS / 10);
        }
        return (double) deduplicator.unique() / length;
    }

    private static void sleepUntil(long nanos) {
        for (long left = nanos - System.nanoTime(); left > 0; left = nanos - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }

    private void report(Summary summary, double capacity) {
        summary.put("packets_capacity", Math.round(capacity));
        summary.put("seconds", seconds());
        for (boolean straggler : List.of(false, true)) {
            summary.section(
                    "Unique packets a second"
                            + (straggler ? ", one node with others' work for 60 %" : ""));
            for (int load : LOADS) {
                for (Scheme scheme : Scheme.values()) {
                    summary.add(
                            "packets_" + scheme.name().toLowerCase() + suffix(straggler, load),
                            load + " %, " + scheme.name().toLowerCase(),
                            goodput.get(new Cell(straggler, load, scheme)));
                }
            }
        }
        summary.section("DAS over single");
        double least = Double.POSITIVE_INFINITY;
        for (boolean straggler : List.of(false, true)) {
            for (int load : LOADS) {
                Series ratio = ratio(straggler, load);
                summary.add(
                        "packets_goodput_ratio" + suffix(straggler, load),
                        load + " %" + (straggler ? " with a straggler" : ""),
                        ratio);
                least = straggler ? least : Math.min(least, ratio.median());
            }
        }
        summary.add(
                "packets_goodput_ratio",
                "the least without a straggler",
                Series.of(least),
                Goal.atLeast(0.99));
        summary.add(
                "packets_goodput_ratio_straggler",
                "with one, at " + STRAGGLER_LOAD + " %",
                ratio(true, STRAGGLER_LOAD),
                Goal.atLeast(1.2));
    }

    private Series ratio(boolean straggler, int load) {
        return goodput.get(new Cell(straggler, load, Scheme.DAS))
                .over(goodput.get(new Cell(straggler, load, Scheme.SINGLE)));
    }

    private static String suffix(boolean straggler, int load) {
        return (straggler ? "_straggler_" : "_") + load;
    }

    public static void main(String[] arguments) {
        execute(new Packets(), arguments);
    }
}
