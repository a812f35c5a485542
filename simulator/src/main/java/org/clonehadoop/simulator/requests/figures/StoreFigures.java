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
package org.clonehadoop.simulator.requests.figures;

import static org.clonehadoop.simulator.requests.store.Scheme.ADAPTIVE;
import static org.clonehadoop.simulator.requests.store.Scheme.CLIENTS;
import static org.clonehadoop.simulator.requests.store.Scheme.CLIENTS_R95;
import static org.clonehadoop.simulator.requests.store.Scheme.ILP;
import static org.clonehadoop.simulator.requests.store.Scheme.ORACLE;
import static org.clonehadoop.simulator.requests.store.Scheme.PROXY;
import static org.clonehadoop.simulator.requests.store.Scheme.TOR;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import org.clonehadoop.selection.placement.Placement;
import org.clonehadoop.simulator.requests.figures.StoreRuns.Mean;
import org.clonehadoop.simulator.requests.store.Incident;
import org.clonehadoop.simulator.requests.store.Scheme;
import org.clonehadoop.simulator.requests.store.StoreResult;
import org.clonehadoop.simulator.requests.store.StoreSimulation;
import org.clonehadoop.simulator.requests.store.StoreSpec;

/** NetRS' figures 4 to 10. */
final class StoreFigures {
    private static final List<Scheme> SCHEMES =
            List.of(CLIENTS, CLIENTS_R95, TOR, ILP, ADAPTIVE, ORACLE);

    /** The paper draws no bar beyond such a latency either. */
    private static final double OFF_THE_CHART = 3;

    private static final double COMPARABLE = 1.15;
    private static final int PLACEMENTS = 20;

    /** U: the paper's, then what lets ever fewer racks share a switch. */
    private static final List<Double> UTILISATIONS = List.of(0.25, 0.05, 0.02, 0.01, 0.005);

    private final StoreRuns runs;
    private final boolean quick;

    StoreFigures(StoreRuns runs, boolean quick) {
        this.runs = runs;
        this.quick = quick;
    }

    RequestFigure figure(String id) {
        return switch (id) {
            case "R-4" -> clients();
            case "R-5" -> utilisation();
            case "R-6" -> surge();
            case "R-7" -> failure();
            case "R-8" -> congestion();
            case "R-9" -> accelerator();
            case "R-10" -> closedLoop();
            case "O-3" -> placement();
            default -> throw new IllegalArgumentException("no figure " + id);
        };
    }

    /** Runs of several schemes over one axis. */
    private record Axis(List<Double> x, Map<Scheme, List<Mean>> means) {
        List<Mean> of(Scheme scheme) {
            return means.get(scheme);
        }

        Mean at(Scheme scheme, double x) {
            return means.get(scheme).get(this.x.indexOf(x));
        }

        /** By how much one is less than the other, point by point. */
        List<Double> less(Scheme one, Scheme than, ToDoubleFunction<Mean> value) {
            List<Double> less = new ArrayList<>();
            for (int i = 0; i < x.size(); i++) {
                less.add(
                        1
                                - value.applyAsDouble(of(one).get(i))
                                        / value.applyAsDouble(of(than).get(i)));
            }
            return less;
        }

        List<Line> lines(ToDoubleFunction<Mean> value, Scheme base) {
            List<Line> lines = new ArrayList<>();
            means.forEach(
                    (scheme, all) -> {
                        List<Double> drawn = new ArrayList<>();
                        List<Double> y = new ArrayList<>();
                        for (int i = 0; i < x.size(); i++) {
                            double here = value.applyAsDouble(all.get(i));
                            if (here <= OFF_THE_CHART * value.applyAsDouble(of(base).get(i))) {
                                drawn.add(x.get(i));
                                y.add(here);
                            }
                        }
                        lines.add(new Line(scheme.title(), drawn, y));
                    });
            return lines;
        }
    }

    private Axis axis(
            List<Double> x, List<Scheme> schemes, BiFunction<StoreSpec, Double, StoreSpec> at) {
        Map<Scheme, List<Mean>> means = new EnumMap<>(Scheme.class);
        for (Scheme scheme : schemes) {
            means.put(
                    scheme,
                    x.stream().map(here -> runs.of(at.apply(runs.paper(scheme), here))).toList());
        }
        return new Axis(x, means);
    }

    private static List<Chart> latencies(String id, String xTitle, Axis axis) {
        Scheme base = axis.means().containsKey(CLIENTS) ? CLIENTS : ADAPTIVE;
        return List.of(
                Chart.lines(
                        id + "-mean",
                        id + ", mean",
                        xTitle,
                        "ms",
                        false,
                        axis.lines(Mean::mean, base)),
                Chart.lines(
                        id + "-p95",
                        id + ", 95 %",
                        xTitle,
                        "ms",
                        false,
                        axis.lines(m -> m.of(StoreResult::p95), base)),
                Chart.lines(
                        id + "-p99",
                        id + ", 99 %",
                        xTitle,
                        "ms",
                        false,
                        axis.lines(Mean::p99, base)),
                Chart.lines(
                        id + "-p999",
                        id + ", 99.9 %",
                        xTitle,
                        "ms",
                        false,
                        axis.lines(m -> m.of(StoreResult::p999), base)));
    }

    private static double average(List<Double> values) {
        return values.stream().mapToDouble(x -> x).average().orElseThrow();
    }

    private RequestFigure clients() {
        List<Double> x =
                quick
                        ? List.of(100., 300., 500., 700.)
                        : List.of(100., 200., 300., 400., 500., 600., 700.);
        Axis axis = axis(x, SCHEMES, (spec, clients) -> spec.withClients(clients.intValue()));
        double grows = axis.at(CLIENTS, 700).mean() / axis.at(CLIENTS, 100).mean();
        double flat = axis.at(ILP, 700).mean() / axis.at(ILP, 100).mean();
        double goalMean = 1 - axis.at(ILP, 500).mean() / axis.at(CLIENTS, 500).mean();
        double goalTail = 1 - axis.at(ILP, 500).p99() / axis.at(CLIENTS, 500).p99();
        return new RequestFigure(
                "R-4",
                "Latency and the number of clients",
                "",
                latencies("R-4", "clients", axis),
                List.of(
                        Claim.reduction(
                                "NetRS-ILP cuts CliRS' mean",
                                34.9,
                                50.3,
                                axis.less(ILP, CLIENTS, Mean::mean)),
                        Claim.reduction(
                                "NetRS-ILP cuts CliRS' 99 %",
                                35.7, 56.3, axis.less(ILP, CLIENTS, Mean::p99)),
                        Claim.reduction(
                                "NetRS-ILP cuts NetRS-ToR's mean, on average",
                                34.4,
                                34.4,
                                List.of(average(axis.less(ILP, TOR, Mean::mean)))),
                        Claim.reduction(
                                "NetRS-ILP cuts NetRS-ToR's 99 %, on average",
                                34.1, 34.1, List.of(average(axis.less(ILP, TOR, Mean::p99)))),
                        Claim.of(
                                "CliRS' latency grows with clients, NetRS' doesn't",
                                grows > 1.2 && flat < COMPARABLE,
                                "mean at 700 over that at 100: CliRS %.2f, NetRS-ILP %.2f",
                                grows,
                                flat),
                        comparable(axis),
                        Claim.of(
                                "Oracle is best",
                                axis.less(ORACLE, ILP, Mean::mean).stream()
                                        .allMatch(less -> less > 0),
                                "its mean is less than NetRS-ILP's by %.1f %% on average",
                                100 * average(axis.less(ORACLE, ILP, Mean::mean))),
                        Claim.of(
                                "Our goal: at 500 clients −50 % mean and −56 % at 99 %, against CliRS",
                                goalMean >= 0.50 && goalTail >= 0.56,
                                "−%.1f %%, −%.1f %%",
                                100 * goalMean,
                                100 * goalTail)),
                runs.taken());
    }

    private static Claim comparable(Axis axis) {
        List<Double> more = axis.less(ADAPTIVE, ILP, Mean::mean);
        return Claim.of(
                "NetRS-ADP is comparable with NetRS-ILP",
                -average(more) < COMPARABLE - 1,
                "its mean is %.1f %% above on average",
                -100 * average(more));
    }

    private RequestFigure utilisation() {
        List<Double> x =
                quick ? List.of(0.3, 0.5, 0.7, 0.9) : List.of(0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9);
        Axis axis = axis(x, SCHEMES, StoreSpec::withUtilisation);
        double repeated = axis.at(CLIENTS_R95, 0.3).p99();
        double best = Math.min(axis.at(ILP, 0.3).p99(), axis.at(CLIENTS, 0.3).p99());
        List<Double> gains = axis.less(ILP, CLIENTS, Mean::mean);
        return new RequestFigure(
                "R-5",
                "Latency and utilisation",
                "",
                latencies("R-5", "utilisation", axis),
                List.of(
                        Claim.reduction("NetRS-ILP cuts CliRS' mean", 15.5, 49.4, gains),
                        Claim.reduction(
                                "NetRS-ILP cuts CliRS' 99 %",
                                9.8, 54.7, axis.less(ILP, CLIENTS, Mean::p99)),
                        Claim.reduction(
                                "NetRS-ILP cuts NetRS-ToR's mean",
                                15.4,
                                37.2,
                                axis.less(ILP, TOR, Mean::mean)),
                        Claim.reduction(
                                "NetRS-ILP cuts NetRS-ToR's 99 %",
                                9.6, 37.7, axis.less(ILP, TOR, Mean::p99)),
                        Claim.of(
                                "NetRS gains more the higher utilisation is",
                                gains.get(gains.size() - 1) > gains.get(0),
                                "%.1f %% of the mean at 0.3, %.1f %% at 0.9",
                                100 * gains.get(0),
                                100 * gains.get(gains.size() - 1)),
                        Claim.of(
                                "CliRS-R95 has the best 99 % where utilisation is low",
                                repeated < best,
                                "at 0.3 %.1f ms; CliRS and NetRS-ILP at best %.1f",
                                repeated,
                                best),
                        comparable(axis)),
                runs.taken());
    }

    private RequestFigure bars(
            String id, String title, String note, Map<String, Mean> means, List<Claim> claims) {
        List<String> names = List.copyOf(means.keySet());
        List<Line> series = new ArrayList<>();
        Map<String, ToDoubleFunction<Mean>> values = new LinkedHashMap<>();
        values.put("mean", Mean::mean);
        values.put("95 %", m -> m.of(StoreResult::p95));
        values.put("99 %", Mean::p99);
        values.forEach(
                (name, value) ->
                        series.add(
                                new Line(
                                        name,
                                        List.of(),
                                        means.values().stream()
                                                .map(value::applyAsDouble)
                                                .toList())));
        return new RequestFigure(
                id,
                title,
                note,
                List.of(Chart.bars(id, id, "ms", names, series)),
                claims,
                runs.taken());
    }

    private static Claim less(
            String what, double percent, Mean one, Mean than, ToDoubleFunction<Mean> value) {
        return Claim.reduction(
                what,
                percent,
                percent,
                List.of(1 - value.applyAsDouble(one) / value.applyAsDouble(than)));
    }

    private RequestFigure surge() {
        Map<String, Mean> means = new LinkedHashMap<>();
        for (Scheme scheme : List.of(CLIENTS, TOR, ILP)) {
            means.put(scheme.title(), runs.with(scheme, Incident.SURGE));
        }
        Mean solved = runs.with(ILP, Incident.SURGE_SOLVED);
        means.put("solved again", solved);
        means.put(ADAPTIVE.title(), runs.with(ADAPTIVE, Incident.SURGE));
        means.put(ORACLE.title(), runs.with(ORACLE, Incident.SURGE));
        Mean adaptive = means.get(ADAPTIVE.title());
        Mean clients = means.get(CLIENTS.title());
        Mean ilp = means.get(ILP.title());
        return bars(
                "R-6",
                "Utilisation rises from 50 to 90 %",
                "After a fifth of all requests; latencies are of those after it. NetRS-ILP degrades groups until the"
                        + " old plan is within its limits. Ours solves again at once.",
                means,
                List.of(
                        less("NetRS-ADP cuts CliRS' mean", 47.5, adaptive, clients, Mean::mean),
                        less("NetRS-ADP cuts CliRS' 99 %", 52.8, adaptive, clients, Mean::p99),
                        less(
                                "NetRS-ADP cuts NetRS-ILP's mean (%.0f %% of its clients are degraded)"
                                        .formatted(100 * ilp.of(StoreResult::degraded)),
                                16.2,
                                adaptive,
                                ilp,
                                Mean::mean),
                        less("NetRS-ADP cuts NetRS-ILP's 99 %", 25.1, adaptive, ilp, Mean::p99),
                        Claim.of(
                                "Ours: the program solved again at once is no worse than NetRS-ADP",
                                solved.mean() <= adaptive.mean() && solved.p99() <= adaptive.p99(),
                                "mean %.2f and %.2f ms, 99 %% %.1f and %.1f ms",
                                solved.mean(),
                                adaptive.mean(),
                                solved.p99(),
                                adaptive.p99())));
    }

    private RequestFigure failure() {
        Map<String, Mean> means = new LinkedHashMap<>();
        Mean clients = runs.with(CLIENTS, Incident.FAILURE_DEGRADED);
        Mean degraded = runs.with(ILP, Incident.FAILURE_DEGRADED);
        Mean replanned = runs.with(ILP, Incident.FAILURE_REPLANNED);
        means.put(CLIENTS.title(), clients);
        means.put("ENABLE-DRS", degraded);
        means.put("ALTER-RSP", replanned);
        return bars(
                "R-7",
                "A node fails",
                "The busiest of NetRS-ILP's, after a fifth of all requests; latencies are of those after it.",
                means,
                List.of(
                        less(
                                "ALTER-RSP cuts ENABLE-DRS' mean",
                                18.8,
                                replanned,
                                degraded,
                                Mean::mean),
                        less(
                                "ALTER-RSP cuts ENABLE-DRS' 99 %",
                                20.3, replanned, degraded, Mean::p99),
                        Claim.of(
                                "Both are better than CliRS",
                                degraded.mean() < clients.mean() && degraded.p99() < clients.p99(),
                                "ENABLE-DRS %.2f and %.1f ms, CliRS %.2f and %.1f ms",
                                degraded.mean(),
                                degraded.p99(),
                                clients.mean(),
                                clients.p99())));
    }

    private RequestFigure congestion() {
        Map<String, Mean> means = new LinkedHashMap<>();
        for (Scheme scheme : List.of(CLIENTS, PROXY, TOR, ILP, ADAPTIVE, ORACLE)) {
            means.put(scheme.title(), runs.of(runs.paper(scheme).congested()));
        }
        Mean ilp = means.get(ILP.title());
        Mean proxy = means.get(PROXY.title());
        Mean clients = means.get(CLIENTS.title());
        return bars(
                "R-8",
                "Congested switches",
                "The paper says 3 ms a switch, changing. Here a tenth of all switches is congested, drawn anew every"
                        + " 50 ms; the proxy's own processor is no bottleneck.",
                means,
                List.of(
                        less("NetRS-ILP cuts ProxyRS' mean", 34.4, ilp, proxy, Mean::mean),
                        less("NetRS-ILP cuts ProxyRS' 99 %", 14.4, ilp, proxy, Mean::p99),
                        Claim.of(
                                "NetRS-ILP cuts CliRS' latency, on average and in the tail",
                                ilp.mean() < clients.mean() && ilp.p99() < clients.p99(),
                                "mean %.2f and %.2f ms, 99 %% %.1f and %.1f ms",
                                ilp.mean(),
                                clients.mean(),
                                ilp.p99(),
                                clients.p99())));
    }

    private RequestFigure accelerator() {
        List<Double> x =
                quick
                        ? List.of(0.0, 0.01, 0.05, 0.1, 0.25)
                        : List.of(0.0, 0.01, 0.02, 0.05, 0.1, 0.15, 0.2, 0.25);
        Axis axis = axis(x, List.of(ILP, ADAPTIVE), StoreSpec::withAccelerator);
        double none = axis.at(ADAPTIVE, 0).mean();
        double some = axis.at(ADAPTIVE, 0.1).mean();
        double most = axis.at(ADAPTIVE, 0.25).mean();
        return new RequestFigure(
                "R-9",
                "Latency and accelerators' utilisation",
                "0 is CliRS.",
                latencies("R-9", "U", axis),
                List.of(
                        Claim.of(
                                "Latency falls with accelerators' utilisation, then is flat",
                                some < none && Math.abs(most / some - 1) < 0.1,
                                "mean %.2f ms at 0, %.2f at 10 %%, %.2f at 25 %%",
                                none,
                                some,
                                most)),
                runs.taken());
    }

    /**
     * @param processor seconds that it took, other work on the machine not included
     */
    record Solved(Placement placement, double processor) {
        int nodes() {
            return placement.plan().nodes().size();
        }

        boolean isBounded() {
            return placement.least() != Placement.UNKNOWN;
        }

        static Solved of(StoreSpec spec) {
            long before = processorNanos();
            Placement placement = StoreSimulation.place(spec);
            return new Solved(placement, (processorNanos() - before) / 1e9);
        }

        private static long processorNanos() {
            return ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
                    .getProcessCpuTime();
        }
    }

    /** The first in a JVM load the solver and are compiled, and aren't counted. */
    private RequestFigure placement() {
        solved(UTILISATIONS.get(0));
        Map<Double, List<Solved>> solved = new LinkedHashMap<>();
        UTILISATIONS.forEach(utilisation -> solved.put(utilisation, solved(utilisation)));
        List<Line> lines = new ArrayList<>();
        List<Claim> claims = new ArrayList<>();
        List<Object> told = new ArrayList<>();
        solved.forEach(
                (utilisation, all) -> {
                    lines.add(seconds(utilisation, all));
                    claims.add(quickAndProven(utilisation, all));
                    all.forEach(one -> told.add(told(utilisation, one)));
                });
        return new RequestFigure(
                "O-3",
                "Ours: what placement takes",
                "500 clients in 1024 hosts, "
                        + PLACEMENTS
                        + " times placed anew; processor time. U is the share of an accelerator that selection"
                        + " may use, 0.25 in the paper; at 0.005 a switch may carry hardly more than one rack's.",
                List.of(Chart.lines("O-3", "O-3", "placement", "seconds", false, lines)),
                claims,
                told);
    }

    private static List<Solved> solved(double utilisation) {
        return IntStream.rangeClosed(1, PLACEMENTS)
                .mapToObj(
                        seed ->
                                Solved.of(
                                        StoreSpec.paper(ILP, 1, seed).withAccelerator(utilisation)))
                .toList();
    }

    private static Line seconds(double utilisation, List<Solved> all) {
        return new Line(
                "U = " + utilisation,
                IntStream.rangeClosed(1, all.size()).mapToObj(seed -> (double) seed).toList(),
                all.stream().map(Solved::processor).toList());
    }

    static Claim quickAndProven(double utilisation, List<Solved> all) {
        List<Double> seconds = all.stream().map(Solved::processor).sorted().toList();
        long optimal = all.stream().filter(one -> one.placement().optimal()).count();
        double most = seconds.get(seconds.size() - 1);
        return Claim.of(
                "Our goal, U = %s: proven optimal, in 0.2 s at most".formatted(utilisation),
                optimal == all.size() && most <= 0.2,
                "%d of %d proven%s; %d to %d nodes; %.2f to %.2f s, median %.2f, %d within 0.2",
                optimal,
                all.size(),
                gaps(all),
                all.stream().mapToInt(Solved::nodes).min().orElseThrow(),
                all.stream().mapToInt(Solved::nodes).max().orElseThrow(),
                seconds.get(0),
                most,
                seconds.get(seconds.size() / 2),
                seconds.stream().filter(one -> one <= 0.2).count());
    }

    private static String gaps(List<Solved> all) {
        int most =
                all.stream()
                        .filter(Solved::isBounded)
                        .mapToInt(one -> one.nodes() - one.placement().least())
                        .max()
                        .orElse(0);
        long unbounded = all.stream().filter(one -> !one.isBounded()).count();
        return (most == 0 ? "" : ", else at most %d more than proven".formatted(most))
                + (unbounded == 0 ? "" : ", of %d nothing".formatted(unbounded));
    }

    private static Map<String, Object> told(double utilisation, Solved one) {
        Map<String, Object> told = new LinkedHashMap<>();
        told.put("utilisation", utilisation);
        told.put("nodes", one.nodes());
        if (one.isBounded()) {
            told.put("least", one.placement().least());
        }
        told.put("seconds", one.placement().seconds());
        told.put("processor_seconds", one.processor());
        return told;
    }

    private RequestFigure closedLoop() {
        List<Double> x =
                quick
                        ? List.of(200., 400., 600., 800.)
                        : List.of(200., 300., 400., 500., 600., 700., 800.);
        Axis axis =
                axis(
                        x,
                        List.of(CLIENTS, TOR, ILP, ADAPTIVE, ORACLE),
                        (spec, many) -> spec.withConcurrency(many.intValue()));
        List<Double> more =
                axis.less(ADAPTIVE, CLIENTS, Mean::throughput).stream().map(less -> -less).toList();
        return new RequestFigure(
                "R-10",
                "Throughput and concurrency, in a closed loop",
                "",
                List.of(
                        Chart.lines(
                                "R-10",
                                "R-10",
                                "requests at a time",
                                "answers per second",
                                false,
                                axis.lines(Mean::throughput, ORACLE))),
                List.of(
                        Claim.reduction("NetRS-ADP raises CliRS' throughput", 37.4, 56.2, more),
                        Claim.of(
                                "The gain is greater at low concurrency",
                                more.get(0) > more.get(more.size() - 1),
                                "%.1f %% at 200, %.1f %% at 800",
                                100 * more.get(0),
                                100 * more.get(more.size() - 1))),
                runs.taken());
    }
}
