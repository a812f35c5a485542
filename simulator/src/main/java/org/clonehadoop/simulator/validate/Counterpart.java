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
package org.clonehadoop.simulator.validate;

import static org.clonehadoop.simulator.platform.Resource.CPU;
import static org.clonehadoop.simulator.platform.Resource.NET;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.clonehadoop.benchmarks.report.JobLine;
import org.clonehadoop.simulator.Simulation;
import org.clonehadoop.simulator.engine.Draws;
import org.clonehadoop.simulator.mapreduce.ClusterSpec;
import org.clonehadoop.simulator.mapreduce.JobSpec;
import org.clonehadoop.simulator.mapreduce.Program;
import org.clonehadoop.simulator.mapreduce.RunRecord;
import org.clonehadoop.simulator.mapreduce.SimCluster;
import org.clonehadoop.simulator.platform.CostBook;
import org.clonehadoop.simulator.platform.HostSpec;
import org.clonehadoop.simulator.platform.MachineSpec;
import org.clonehadoop.simulator.speculators.Kind;
import org.clonehadoop.simulator.trouble.LogNormal;
import org.clonehadoop.simulator.trouble.SlowAttempt;
import org.clonehadoop.simulator.trouble.SlowHost;
import org.clonehadoop.simulator.trouble.SlowSource;
import org.clonehadoop.simulator.trouble.Trouble;
import org.clonehadoop.simulator.yarn.Sharing;

/**
 * The job of {@code benchmarks/whole-jobs/run} that a line tells of, simulated: the same troubles
 * and variants by the same names, on three hosts that are parts of one machine.
 */
record Counterpart(JobSpec spec, Kind kind, double processors, boolean equalHosts) {
    private static final int HOSTS = 3;
    private static final int CONTAINERS = 3;

    /** Half a gigabyte is read and written in memory, and hosts' links are memory too. */
    private static final double MEGABYTES_OF_MEMORY = 1000;

    /** At which a clone's files travel: {@code cluster/conf/overlays/clone.xml}. */
    private static final double FILES_MEGABYTES = 600;

    /** {@code cluster/conf}. */
    private static final long HEARTBEAT_MILLIS = 200;

    private static final double SLOW_PROCESSORS = 0.25;

    /** 20 Mbit/s. */
    private static final double SLOW_LINK_MEGABYTES = 20e6 / 8 / (1 << 20);

    /** Of {@code ROWS} × 100 bytes, as the benchmark says MB. */
    private static final double MEGABYTE = 1e6 / (1 << 20);

    private static final int PACED_TASKS = 6;
    private static final double PACED_SECONDS = 40;
    private static final String LONE_REDUCE = "lone-reduce";
    private static final double DEFAULT_PROCESSORS = 2;
    private static final int FADING_MILLIS = 10_000;
    private static final double FADING_STEP = 0.1;

    /** The delays of {@code log-normal} know no most; those of {@code log-normal-SHAPE} do. */
    private static final double NO_LIMIT = 1e9;

    private static final double MOST_DELAY = 5;

    private static final Pattern ONSET = Pattern.compile("onset-(\\d+)-(\\d+)");
    private static final Pattern LOG_NORMAL = Pattern.compile("log-normal-(\\d+)");
    private static final String SMOOTHED =
            "org.apache.hadoop.mapreduce.v2.app.speculate.ExponentiallySmoothedTaskRuntimeEstimator";

    /**
     * @return empty if there is none: an unknown trouble or variant
     */
    static Optional<Counterpart> of(JobLine line) {
        JobSpec base = base(line);
        return variant(base, line.variant())
                .flatMap(
                        variant ->
                                troubles(line, base)
                                        .map(
                                                troubles ->
                                                        new Counterpart(
                                                                variant.spec()
                                                                        .withTroubles(
                                                                                troubles.toArray(
                                                                                        Trouble[]
                                                                                                ::new)),
                                                                variant.kind(),
                                                                processors(line),
                                                                hasEqualHosts(line))));
    }

    private static double processors(JobLine line) {
        return number(line, "cores").orElse(DEFAULT_PROCESSORS);
    }

    /** What one host has of them, if nothing makes it slow: all, where hosts share them. */
    private static double hostProcessors(JobLine line) {
        return number(line, "host_cpu_percent")
                .map(percent -> percent / 100)
                .orElse(processors(line));
    }

    /**
     * Until 29 November 2026, and until then TeraSort named one host for each map; since then lines
     * tell what has equal shares.
     */
    private static boolean hasEqualHosts(JobLine line) {
        return !"containers".equals(line.environment().get("equal_shares"));
    }

    private static Optional<Double> number(JobLine line, String key) {
        return line.environment().get(key) instanceof Number number
                ? Optional.of(number.doubleValue())
                : Optional.empty();
    }

    /** Of long tasks, too, whose job has as many: the line's megabytes tell. And of paced ones. */
    private static String trouble(JobLine line) {
        return line.trouble().replaceFirst("^(long|paced)-", "");
    }

    private static boolean isPaced(JobLine line) {
        return line.trouble().startsWith("paced-");
    }

    private static JobSpec base(JobLine line) {
        CostBook costs = CostBook.measured().withMegabytesPerSecond(FILES_MEGABYTES);
        boolean full = trouble(line).endsWith("-full");
        return JobSpec.usual()
                .withProgram(
                        new Program(
                                "terasort",
                                costs.mapCpuPerMegabyte(),
                                1,
                                costs.reduceCpuPerMegabyte(),
                                1,
                                isPaced(line) ? waits(line) : 0,
                                hasEqualHosts(line)))
                .withMegabytes(line.megabytes() * MEGABYTE)
                .withTasks(full ? 8 : 6, reduces(line, full))
                .withHosts(
                        HOSTS,
                        new HostSpec(
                                hostProcessors(line),
                                MEGABYTES_OF_MEMORY,
                                MEGABYTES_OF_MEMORY,
                                CONTAINERS))
                .withCosts(costs)
                .withPerSpill(false);
    }

    private static int reduces(JobLine line, boolean full) {
        if (isPaced(line)) {
            return PACED_TASKS;
        }
        return trouble(line).equals(LONE_REDUCE) ? 1 : full ? 8 : 3;
    }

    /** Of each of six maps, and of six reduces. */
    private static double waits(JobLine line) {
        return PACED_SECONDS * PACED_TASKS / (line.megabytes() * MEGABYTE);
    }

    private record Variant(JobSpec spec, Kind kind) {}

    private static Optional<Variant> variant(JobSpec base, String name) {
        return Optional.ofNullable(
                switch (name) {
                    case "stock" -> new Variant(base, Kind.STOCK);
                    case "stock-eager" ->
                            new Variant(
                                    base.withConf(
                                            Map.of(
                                                    MRJobConfig.SPECULATIVE_RETRY_AFTER_SPECULATE,
                                                    "1000")),
                                    Kind.STOCK);
                    case "stock-smoothed" ->
                            new Variant(
                                    base.withConf(
                                            Map.of(MRJobConfig.MR_AM_TASK_ESTIMATOR, SMOOTHED)),
                                    Kind.STOCK);
                    case "spill" -> new Variant(base.withPerSpill(true), Kind.STOCK);
                    case "clone" -> new Variant(base, Kind.OURS);
                    case "all" -> new Variant(base.withPerSpill(true), Kind.OURS);
                    default -> null;
                });
    }

    /**
     * @param spec of the job without them
     */
    private static Optional<List<Trouble>> troubles(JobLine line, JobSpec spec) {
        String trouble = trouble(line);
        Matcher onset = ONSET.matcher(trouble);
        if (onset.matches()) {
            return Optional.of(
                    List.of(
                            slow(
                                    "m_000001_0",
                                    Integer.parseInt(onset.group(2)),
                                    Integer.parseInt(onset.group(1)) / 100.0,
                                    spec)));
        }
        Matcher logNormal = LOG_NORMAL.matcher(trouble);
        if (logNormal.matches()) {
            return Optional.of(
                    delays(line, Integer.parseInt(logNormal.group(1)), MOST_DELAY, spec));
        }
        return Optional.ofNullable(
                switch (trouble) {
                    case "even", "even-full" -> List.of();
                    case "late-map" -> List.of(slow("m_000001_0", 300, 0.9, spec));
                    case "late-reduce" -> List.of(slow("r_000001_0", 100, 0.5, spec));
                    case LONE_REDUCE -> List.of(slow("r_000000_0", 10, 0.5, spec));
                    case "log-normal" -> delays(line, 2, NO_LIMIT, spec);
                    case "slow-host", "slow-host-full" ->
                            List.of(
                                    SlowHost.always(
                                            1, CPU, SLOW_PROCESSORS / hostProcessors(line)));
                    case "slow-link" ->
                            List.of(
                                    SlowHost.always(
                                            1, NET, SLOW_LINK_MEGABYTES / MEGABYTES_OF_MEMORY),
                                    new SlowSource(1.0 / HOSTS, SLOW_LINK_MEGABYTES));
                    case "fading-host" -> fading(hostProcessors(line));
                    default -> null;
                });
    }

    private static List<Trouble> delays(JobLine line, int shape, double most, JobSpec spec) {
        return List.of(Injected.of(spec, new LogNormal(0.1, shape, most).withSeed(line.drawnBy())));
    }

    /** The injector waits so many times as long as the attempt has worked. */
    private static Trouble slow(String attempt, int factor, double onset, JobSpec spec) {
        return Injected.of(spec, new SlowAttempt(attempt, 1 + factor, onset));
    }

    /** From one processor, or what the host has of one. */
    private static List<Trouble> fading(double processors) {
        List<Trouble> steps = new ArrayList<>();
        double first = Math.min(1, processors);
        int count = (int) Math.round(first / FADING_STEP);
        IntStream.range(0, count)
                .forEach(
                        step ->
                                steps.add(
                                        new SlowHost(
                                                1,
                                                CPU,
                                                (first - FADING_STEP * step) / processors,
                                                (long) step * FADING_MILLIS,
                                                step == count - 1
                                                        ? Long.MAX_VALUE / 4
                                                        : (step + 1L) * FADING_MILLIS)));
        return steps;
    }

    /**
     * Whether its trouble picks attempts by name. Where it doesn't, tasks of a kind are alike:
     * which of them it befalls is a matter of where they happen to run.
     */
    boolean namesAttempts() {
        return spec.troubles().stream().anyMatch(Injected.class::isInstance);
    }

    /** What it was run on, as far as that tells how quick it is. */
    static Object machine(JobLine line) {
        return Arrays.asList(line.environment().get("cpu"), line.environment().get("cores"));
    }

    /** An evening: what was run without a break. */
    static String session(JobLine line) {
        return line.round().substring(0, dash(line));
    }

    private static int dash(JobLine line) {
        if (!line.round().matches(".+-\\d+")) {
            throw new IllegalArgumentException("'" + line.round() + "' is no round");
        }
        return line.round().lastIndexOf('-');
    }

    /**
     * From its submission to its end, with its AppMaster on the first host, which isn't slow.
     *
     * @param pace of the machine
     * @param luck of heartbeats and hosts
     */
    RunRecord simulate(double pace, long luck) {
        Draws draws = new Draws(luck);
        SimCluster cluster =
                new SimCluster(
                        new ClusterSpec(
                                HOSTS,
                                spec.host(),
                                HEARTBEAT_MILLIS,
                                Optional.of(
                                        new MachineSpec(
                                                processors, pace, MEGABYTES_OF_MEMORY, equalHosts)),
                                Sharing.FIFO),
                        draws);
        List<RunRecord> ended = new ArrayList<>();
        spec.troubles().forEach(trouble -> trouble.befall(cluster, draws));
        Simulation.job(cluster, spec, kind, draws, ended::add).submit(cluster.hosts().get(0));
        cluster.run(() -> !ended.isEmpty());
        return ended.get(0);
    }
}
