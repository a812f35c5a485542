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
package org.clonehadoop.benchmarks.report;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.function.BiFunction;
import org.clonehadoop.benchmarks.harness.Table;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Makes the page of results of the files that benchmarks left. */
@Command(
        name = "report",
        description = "Makes the page of results of files that benchmarks left.",
        mixinStandardHelpOptions = true)
public final class Report implements Callable<Integer> {
    @Parameters(
            arity = "1..*",
            paramLabel = "FILE",
            description =
                    "whole-jobs….ndjson, simulated-onset….ndjson, other benchmarks' runs (NAME….ndjson), or"
                            + " NAME-COMMIT.json. Of a name the last counts.")
    private List<Path> files;

    @Option(
            names = "--page",
            paramLabel = "FILE",
            description = "Writes it as Markdown, and a plot beside it.")
    private Path page;

    @Option(
            names = "--history",
            paramLabel = "FILE",
            description = "Writes all rounds of all versions, as Markdown.")
    private Path history;

    @Option(
            names = "--parts",
            paramLabel = "FILE",
            description = "Writes benchmarks of single parts, as Markdown.")
    private Path parts;

    @Option(
            names = "--reads",
            paramLabel = "FILE",
            description = "Writes what is of reads, logins and the network, as Markdown.")
    private Path reads;

    @Option(
            names = "--readme",
            paramLabel = "FILE",
            description = "Replaces its block of results by a few of these.")
    private Path readme;

    @Option(
            names = "--json",
            paramLabel = "FILE",
            description = "Ratios and medians, as one object.")
    private Path json;

    @Override
    public Integer call() throws IOException {
        List<JobLine> lines = new ArrayList<>();
        List<JobLine> failed = new ArrayList<>();
        Map<String, List<Run>> workloads = new TreeMap<>();
        Map<String, SingleResult> others = new TreeMap<>();
        Optional<SimulatedOnset> simulated = Optional.empty();
        for (Path file : files) {
            String name = file.getFileName().toString();
            if (!name.endsWith(".ndjson")) {
                SingleResult result = SingleResult.read(file);
                others.put(result.name(), result);
            } else if (name.startsWith("whole-jobs")) {
                JobLine.all(file).forEach(job -> (job.isFailed() ? failed : lines).add(job));
            } else if (name.startsWith("simulated-onset")) {
                simulated = Optional.of(SimulatedOnset.read(file));
            } else {
                List<Run> kept =
                        workloads.computeIfAbsent(
                                name.split("[-.]")[0], first -> new ArrayList<>());
                for (WorkloadLine line :
                        Lines.read(file, WorkloadLine.class, "run of a workload")) {
                    Run run = line.asRun();
                    if (run.job().isFailed()) {
                        failed.add(run.job());
                    } else {
                        kept.add(run);
                    }
                }
            }
        }
        WholeJobs jobs = WholeJobs.of(lines);
        jobs.troubles().stream().filter(key -> !Experiment.of(key).isKnown()).forEach(Report::warn);
        System.out.print(table(jobs));
        Map<String, WholeJobs> runs = new TreeMap<>();
        workloads.forEach((name, of) -> runs.put(name, new WholeJobs(of)));
        if (page != null) {
            write(new ResultsPage(jobs, runs, others.values(), simulated), jobs, simulated);
        }
        if (history != null) {
            Files.writeString(
                    history,
                    HistoryPage.markdown(jobs, failed, UnfinishedSessions.of(lines), runs));
        }
        if (parts != null) {
            Files.writeString(parts, ResultsPage.ofParts(others.values()));
        }
        if (reads != null) {
            Files.writeString(reads, ResultsPage.ofReads(others.values()));
        }
        if (readme != null) {
            MarkedBlock.replace(readme, new ReadmeBlock(jobs, others.values()).toString());
        }
        if (json != null) {
            new ObjectMapper()
                    .writerWithDefaultPrettyPrinter()
                    .writeValue(json.toFile(), flat(jobs));
        }
        return 0;
    }

    private static void warn(String unknown) {
        System.err.println(
                "report: there are jobs with the trouble '"
                        + unknown
                        + "', of which it doesn't know what is aimed at");
    }

    private void write(ResultsPage results, WholeJobs jobs, Optional<SimulatedOnset> simulated)
            throws IOException {
        Map<Plot, String> plots = new EnumMap<>(Plot.class);
        Map<String, MeanRatio> ratios = results.overStock();
        if (!ratios.isEmpty()) {
            new RatioPlot(Plot.RATIOS.title(), ratios).write(beside(Plot.RATIOS, plots));
        }
        Optional<OnsetSweep> sweep = OnsetSweep.of(jobs);
        if (sweep.isPresent()) {
            draw(sweep.get(), plots);
        }
        if (simulated.isPresent()) {
            SimulatedOnset points = simulated.get();
            draw(Plot.SIMULATED, points.percents(), points.factors(), points::overStock, plots);
            drawFormula(
                    Plot.SIMULATED_FORMULA,
                    points.percents(),
                    points.factors(),
                    points.cloneShare(),
                    plots);
        }
        Files.writeString(page, results.markdown(plots));
    }

    private void draw(OnsetSweep sweep, Map<Plot, String> plots) throws IOException {
        draw(
                Plot.ONSET,
                sweep.percents(),
                sweep.factors(),
                (percent, factor) -> sweep.overStock(percent, factor).map(MeanRatio::mean),
                plots);
        drawFormula(Plot.FORMULA, sweep.percents(), sweep.factors(), sweep.cloneShare(), plots);
    }

    /** Nothing if no clone ran, whose share of a map's time it needs. */
    private void drawFormula(
            Plot plot,
            List<Integer> percents,
            List<Integer> factors,
            Optional<Double> cloneShare,
            Map<Plot, String> plots)
            throws IOException {
        if (cloneShare.isPresent()) {
            draw(
                    plot,
                    percents,
                    factors,
                    (percent, factor) ->
                            Optional.of(OnsetSweep.byFormula(percent, factor, cloneShare.get())),
                    plots);
        }
    }

    private void draw(
            Plot plot,
            List<Integer> percents,
            List<Integer> factors,
            BiFunction<Integer, Integer, Optional<Double>> ratio,
            Map<Plot, String> plots)
            throws IOException {
        new OnsetPlot(plot.title(), percents, factors, ratio).write(beside(plot, plots));
    }

    private Path beside(Plot plot, Map<Plot, String> plots) {
        String file = plot.file(page.getFileName().toString());
        plots.put(plot, file);
        return page.resolveSibling(file);
    }

    private static String table(WholeJobs jobs) {
        Table table = new Table();
        table.row("", "runs", "median", "min", "max", "over Hadoop's", "clones", "won");
        for (String trouble : jobs.troubles()) {
            for (String variant : jobs.variants(trouble)) {
                Runs runs = runs(jobs, trouble, variant);
                table.row(
                        trouble + ", " + variant,
                        String.valueOf(runs.count()),
                        String.format(Locale.ROOT, "%.1f s", runs.seconds().median()),
                        String.format(Locale.ROOT, "%.1f s", runs.seconds().min()),
                        String.format(Locale.ROOT, "%.1f s", runs.seconds().max()),
                        overStock(jobs, trouble, variant).map(Ratios::text).orElse(""),
                        String.valueOf(runs.sum(JobLine::clonesLaunched)),
                        String.valueOf(runs.sum(JobLine::clonesWon)));
            }
        }
        return table.toString();
    }

    // Those that are compared with Hadoop's, or all of the last ones.
    private static Runs runs(WholeJobs jobs, String trouble, String variant) {
        return jobs.pairs(trouble, variant)
                .map(Pairs::other)
                .orElseGet(() -> jobs.last(trouble, variant));
    }

    private static Optional<Ratios> overStock(WholeJobs jobs, String trouble, String variant) {
        return variant.equals(WholeJobs.STOCK)
                ? Optional.empty()
                : jobs.pairs(trouble, variant).map(Pairs::overStock);
    }

    private static Map<String, Object> flat(WholeJobs jobs) {
        Map<String, Object> flat = new LinkedHashMap<>();
        for (String trouble : jobs.troubles()) {
            for (String variant : jobs.variants(trouble)) {
                Runs runs = runs(jobs, trouble, variant);
                String key = (trouble + "_" + variant).replace('-', '_');
                flat.put(key + "_s", runs.seconds().median());
                flat.put(key + "_runs", runs.count());
                put(flat, key + "_over_stock", overStock(jobs, trouble, variant));
                put(flat, key + "_over_even", jobs.overEven(runs));
            }
        }
        return flat;
    }

    private static void put(Map<String, Object> flat, String key, Optional<Ratios> ratios) {
        ratios.ifPresent(
                of -> {
                    MeanRatio mean = of.mean();
                    flat.put(key, mean.mean());
                    if (of.tellAlone()) {
                        flat.put(key + "_low", mean.low());
                        flat.put(key + "_high", mean.high());
                    }
                });
    }

    public static void main(String[] arguments) {
        System.exit(
                new CommandLine(new Report())
                        .setExecutionExceptionHandler(
                                (e, command, parsed) -> {
                                    boolean isOfFiles =
                                            e instanceof IOException
                                                    || e instanceof IllegalArgumentException;
                                    if (!isOfFiles) {
                                        throw e;
                                    }
                                    System.err.println("report: " + e.getMessage());
                                    return 1;
                                })
                        .execute(arguments));
    }
}
