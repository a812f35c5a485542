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

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** docs/results.md: one page, the latest version of each measurement, and nothing by hand. */
final class ResultsPage {
    private static final String TOOL = "remote-clone";

    /** As often a version is run before it takes the place of the one before. */
    static final int PAGE_RUNS = 5;

    /** And before the README shows it. */
    static final int README_RUNS = 10;

    private static final Map<String, String> VARIANTS =
            Map.of(
                    "stock", "Hadoop",
                    "stock-eager", "Hadoop, 1 s of rest",
                    "stock-smoothed", "Hadoop, smoothed",
                    "speculator", "our speculator",
                    "clone", "+ clones",
                    "spill", "per-spill outputs",
                    "all", "CloneHadoop");

    /** A picture beside the page. */
    enum Plot {
        RATIOS("CloneHadoop's job time over Hadoop's", ""),
        ONSET("CloneHadoop's job time over Hadoop's, measured", "-onset"),
        FORMULA("With clones over without, by the formula", "-formula");

        private final String title;
        private final String suffix;

        Plot(String title, String suffix) {
            this.title = title;
            this.suffix = suffix;
        }

        String title() {
            return title;
        }

        /** Beside a page of that name. */
        String file(String page) {
            return page.replaceFirst("\\.md$", "") + suffix + ".svg";
        }
    }

    private final WholeJobs jobs;
    private final Map<String, WholeJobs> workloads;
    private final Collection<SingleResult> others;
    private final StringBuilder page = new StringBuilder();

    /**
     * @param workloads by the benchmark that ran them
     */
    ResultsPage(WholeJobs jobs, Map<String, WholeJobs> workloads, Collection<SingleResult> others) {
        this.jobs = jobs;
        this.workloads = workloads;
        this.others = others;
    }

    /**
     * @param plots beside the page, those that there are
     */
    String markdown(Map<Plot, String> plots) {
        line("# Results");
        line("");
        line(
                "Made by `benchmarks/report` from `benchmarks/results/`; don't edit it. Each row is of"
                        + " one version, the last of those with five runs or more; if there is none, the"
                        + " last one: a row of fewer than five runs is no evidence. An aim is reached or"
                        + " missed if all of the interval is on one side of it, and else open.");
        line("");
        line("## Whole jobs");
        line("");
        line(
                "TeraSort on [three hosts on one machine](internals/cluster.md)"
                        + " (`benchmarks/whole-jobs/run`). Outputs were compared byte by byte, and were"
                        + " the same. Ratios are taken within a round of jobs that took turns:"
                        + " geometric mean, and the interval in which it lies with 95 % confidence.");
        line("");
        line(
                "\"CloneHadoop\" has all parts on: clones,"
                        + " [per-spill map outputs](internals/per-spill-shuffle.md)"
                        + " (`conf/mapred-site-clones-per-spill.xml`) and the"
                        + " [DataNodes' plugin](operate.md#bringing-it-in). What a clone costs is"
                        + " configured as measured on this machine. `conf/mapred-site-clones.xml` has"
                        + " clones alone.");
        line("");
        picture(Plot.RATIOS, plots);
        times();
        newer();
        ratios();
        attempts();
        OnsetSweep.of(jobs).ifPresent(sweep -> onset(sweep, plots));
        workloads.forEach(this::workloads);
        others();
        environment();
        return page.toString();
    }

    /** CloneHadoop's job time over Hadoop's, of each trouble that was measured. */
    Map<String, MeanRatio> overStock() {
        Map<String, MeanRatio> ratios = new LinkedHashMap<>();
        for (Trouble trouble : troubles()) {
            jobs.cell(trouble.key(), WholeJobs.ALL)
                    .flatMap(jobs::overStock)
                    .ifPresent(ratio -> ratios.put(trouble.key(), ratio));
        }
        return ratios;
    }

    /**
     * For the README: up to four troubles that were measured often enough, one case without gain,
     * and what a clone takes.
     */
    String summary() {
        heads("", "runs", "Hadoop", "CloneHadoop", "over Hadoop's", "second attempts that won");
        for (Trouble trouble :
                List.of(
                        Trouble.LATE_MAP,
                        Trouble.LATE_REDUCE,
                        Trouble.LONG_LATE_REDUCE,
                        Trouble.SLOW_HOST,
                        Trouble.EVEN)) {
            Optional<WholeJobs.Cell> stock = jobs.cell(trouble.key(), WholeJobs.STOCK);
            jobs.cell(trouble.key(), WholeJobs.ALL)
                    .filter(all -> stock.isPresent() && all.jobs().size() >= README_RUNS)
                    .ifPresent(
                            all ->
                                    row(
                                            trouble.what(),
                                            String.valueOf(all.jobs().size()),
                                            seconds(stock.get()),
                                            seconds(all),
                                            text(jobs.overStock(all)),
                                            winners(all)));
        }
        others.stream().filter(other -> other.name().equals(TOOL)).forEach(this::oneClone);
        return page.toString();
    }

    private static String winners(WholeJobs.Cell cell) {
        int clones = cell.sum(JobLine::clonesWon);
        return clones + " clones, " + (cell.sum(JobLine::extraAttemptsWon) - clones) + " from zero";
    }

    private void oneClone(SingleResult tool) {
        line("");
        line(
                String.format(
                        Locale.ROOT,
                        "Two commands of the tool clone a JVM of %.0f MB to another host in %.2f s; it"
                                + " stands still for %.0f ms of that (medians of %s runs). In jobs more has"
                                + " to be done: the last column of"
                                + " [second attempts](docs/results.md#second-attempts).",
                        tool.number("image_bytes") / 1e6,
                        tool.number("total_ms") / 1000,
                        tool.number("freeze_ms"),
                        tool.values().getOrDefault("runs", "1")));
    }

    private List<Trouble> troubles() {
        return Stream.of(Trouble.values())
                .filter(trouble -> jobs.troubles().contains(trouble.key()))
                .toList();
    }

    private static String name(String variant) {
        return VARIANTS.getOrDefault(variant, variant);
    }

    private void times() {
        line("### Job time");
        line("");
        line(
                "\"Had nothing straggled\" is Hadoop's time on an even cluster over its time here: speculation"
                        + " alone can bring no more than that.");
        line("");
        heads(
                "",
                "runs",
                "Hadoop",
                "CloneHadoop",
                "over Hadoop's",
                "had nothing straggled",
                "over an even cluster's",
                "aim",
                "version");
        for (Trouble trouble : troubles()) {
            Optional<WholeJobs.Cell> stock = jobs.cell(trouble.key(), WholeJobs.STOCK);
            Optional<WholeJobs.Cell> all = jobs.cell(trouble.key(), WholeJobs.ALL);
            if (stock.isEmpty() || all.isEmpty()) {
                continue;
            }
            Optional<MeanRatio> overStock = jobs.overStock(all.get());
            Optional<MeanRatio> overEven = jobs.overEven(all.get());
            Optional<MeanRatio> atBest = jobs.overEven(stock.get()).map(MeanRatio::inverse);
            boolean isEven = trouble.key().contains(WholeJobs.EVEN);
            row(
                    trouble.what(),
                    String.valueOf(all.get().jobs().size()),
                    seconds(stock.get()),
                    seconds(all.get()),
                    text(overStock),
                    isEven ? "" : text(atBest),
                    isEven ? "" : text(overEven),
                    trouble.aim(overStock, overEven),
                    "`" + all.get().version() + "`");
        }
        line("");
    }

    private void newer() {
        List<WholeJobs.Newer> rounds = jobs.newer();
        if (rounds.isEmpty()) {
            return;
        }
        line("Rounds of newer versions, too few yet to be shown above:");
        line("");
        heads("", "runs", "over Hadoop's", "version");
        for (WholeJobs.Newer newer : rounds) {
            row(
                    newer.cell().trouble(),
                    String.valueOf(newer.overStock().count()),
                    newer.overStock().toString(),
                    "`" + newer.cell().version() + "`");
        }
        line("");
    }

    private static String seconds(WholeJobs.Cell cell) {
        return String.format(
                Locale.ROOT,
                "%.1f s (%.1f–%.1f)",
                cell.seconds().median(),
                cell.seconds().min(),
                cell.seconds().max());
    }

    private void ratios() {
        List<String> variants =
                jobs.variants().stream()
                        .filter(variant -> !variant.equals(WholeJobs.STOCK))
                        .toList();
        if (variants.size() < 2) {
            return;
        }
        line("### What each part brings");
        line("");
        line("Job time over Hadoop's.");
        line("");
        heads(led("", variants, ResultsPage::name));
        for (Trouble trouble : troubles()) {
            row(
                    led(
                            trouble.key(),
                            variants,
                            variant ->
                                    text(
                                            jobs.cell(trouble.key(), variant)
                                                    .flatMap(jobs::overStock))));
        }
        line("");
    }

    private void attempts() {
        line("### Second attempts");
        line("");
        heads(
                "",
                "",
                "second attempts",
                "of them won",
                "clones that ran",
                "of them won",
                "thrown away, a job",
                "original frozen",
                "clone runs after its order");
        for (Trouble trouble : troubles()) {
            for (WholeJobs.Cell cell : jobs.cells(trouble.key())) {
                row(
                        trouble.key(),
                        name(cell.variant()),
                        String.valueOf(cell.sum(JobLine::extraAttempts)),
                        String.valueOf(cell.sum(JobLine::extraAttemptsWon)),
                        String.valueOf(cell.sum(JobLine::clonesLaunched)),
                        String.valueOf(cell.sum(JobLine::clonesWon)),
                        String.format(Locale.ROOT, "%.1f s", cell.thrownAwaySeconds()),
                        cell.median(JobLine::freezeMillis)
                                .map(ms -> String.format(Locale.ROOT, "%.0f ms", ms))
                                .orElse(""),
                        cell.median(JobLine::orderToRunningMillis)
                                .map(ms -> String.format(Locale.ROOT, "%.1f s", ms / 1000))
                                .orElse(""));
            }
        }
        line("");
    }

    private void onset(OnsetSweep sweep, Map<Plot, String> plots) {
        line("### From when on, and how much slower");
        line("");
        line(
                "One map goes on slowly: CloneHadoop's time over Hadoop's, and how many clones and how"
                        + " many attempts from zero won.");
        line("");
        heads(led("after", sweep.factors(), factor -> factor + " times slower"));
        for (int percent : sweep.percents()) {
            row(
                    led(
                            percent + " %",
                            sweep.factors(),
                            factor -> sweep.cell(percent, factor).map(this::won).orElse("")));
        }
        line("");
        picture(Plot.ONSET, plots);
        sweep.cloneShare()
                .ifPresent(
                        share -> {
                            line(
                                    String.format(
                                            Locale.ROOT,
                                            "By [the formula](speculation.md#clonescore), of the map alone and had"
                                                    + " its pace been known at once: how long it still takes with the"
                                                    + " best of itself, a clone and an attempt from zero, over that"
                                                    + " without clones. A clone took %.2f of a map's time here.",
                                            share));
                            line("");
                            picture(Plot.FORMULA, plots);
                        });
    }

    private void picture(Plot plot, Map<Plot, String> plots) {
        Optional.ofNullable(plots.get(plot))
                .ifPresent(
                        file -> {
                            line("![" + plot.title() + "](" + file + ")");
                            line("");
                        });
    }

    private String won(WholeJobs.Cell cell) {
        int clones = cell.sum(JobLine::clonesWon);
        return text(jobs.overStock(cell))
                + "; "
                + clones
                + ", "
                + (cell.sum(JobLine::extraAttemptsWon) - clones);
    }

    private void workloads(String benchmark, WholeJobs workloads) {
        line("## " + benchmark);
        line("");
        line(
                "Time of all of a workload's jobs. Outputs that are the same from run to run were"
                        + " compared byte by byte. Over Hadoop's in the same round; over that of"
                        + " Hadoop's even cluster in any.");
        line("");
        heads(
                "",
                "",
                "runs",
                "time",
                "over Hadoop's",
                "over an even cluster's",
                "second attempts",
                "of them won",
                "clones that ran",
                "won",
                "version");
        for (String workload : workloads.troubles()) {
            String even = WorkloadLine.even(workload);
            for (WholeJobs.Cell cell : workloads.cells(workload)) {
                row(
                        workload,
                        name(cell.variant()),
                        String.valueOf(cell.jobs().size()),
                        seconds(cell),
                        cell.variant().equals(WholeJobs.STOCK)
                                ? ""
                                : text(workloads.overStock(cell)),
                        even.equals(workload) ? "" : text(workloads.overAny(cell, even)),
                        String.valueOf(cell.sum(JobLine::extraAttempts)),
                        String.valueOf(cell.sum(JobLine::extraAttemptsWon)),
                        String.valueOf(cell.sum(JobLine::clonesLaunched)),
                        String.valueOf(cell.sum(JobLine::clonesWon)),
                        "`" + cell.version() + "`");
            }
        }
        line("");
    }

    private void others() {
        Map<String, SingleResult> left = new LinkedHashMap<>();
        others.forEach(other -> left.put(other.name(), other));
        line("## Parts");
        line("");
        line(
                "One benchmark each: medians of its runs, in brackets the interval that it gives with"
                        + " them, or of few runs the least and the greatest. Its own JSON in"
                        + " `benchmarks/results/` has all that it measured. Requests'"
                        + " figures have pages of their own: [NetClone's](request-figures.md) and"
                        + " [NetRS'](replica-figures.md).");
        line("");
        for (Part part : Part.all()) {
            Optional.ofNullable(left.remove(part.name())).ifPresent(result -> part(part, result));
        }
        left.values().forEach(this::keys);
    }

    private void part(Part part, SingleResult result) {
        line("### " + part.title());
        line("");
        line(
                String.format(
                        "`%s`, version `%s`%s. [What is measured](%s).",
                        result.command().orElse("benchmarks/" + part.command()),
                        result.commit(),
                        runs(result),
                        part.page()));
        line("");
        heads("", "", "aim");
        for (Part.Row row : part.rows()) {
            Optional<String> value = row.value(result.values());
            row(
                    row.what(),
                    value.orElse("not measured"),
                    value.map(known -> row.aim(result.values())).orElse(""));
        }
        line("");
    }

    private static String runs(SingleResult result) {
        String runs = result.values().get("runs");
        return runs == null ? "" : ", " + (runs.equals("1") ? "one run" : runs + " runs");
    }

    // Of a benchmark for which nobody has said what matters.
    private void keys(SingleResult result) {
        line("### " + result.name());
        line("");
        line("Version `" + result.commit() + "`" + runs(result) + ".");
        line("");
        heads("key", "value");
        result.values().forEach((key, value) -> row("`" + key + "`", value));
        line("");
    }

    private void environment() {
        line("## Where");
        line("");
        line(
                "All \"hosts\" are network namespaces on one virtual machine and share its processors:"
                        + " tasks at once are each other's stragglers, and what a clone costs its host it"
                        + " costs the whole cluster. Nothing here says how a cluster of many machines"
                        + " behaves.");
        line("");
        heads("", "machine");
        machines().forEach((what, machine) -> row(what, machine));
    }

    private Map<String, String> machines() {
        Map<String, String> machines = new LinkedHashMap<>();
        machines.put("whole jobs", machine(jobs));
        workloads.forEach((name, of) -> machines.put(name, machine(of)));
        others.forEach(other -> machines.put(other.name(), other.machine()));
        machines.values().removeIf(String::isEmpty);
        return machines;
    }

    private static String machine(WholeJobs jobs) {
        return jobs.troubles().stream()
                .flatMap(trouble -> jobs.cells(trouble).stream())
                .flatMap(cell -> cell.jobs().stream())
                .map(job -> SingleResult.machine(job.environment()))
                .distinct()
                .collect(Collectors.joining("; "));
    }

    private static String text(Optional<MeanRatio> ratio) {
        return ratio.map(MeanRatio::toString).orElse("");
    }

    /** A row's cells: its head, and one of each column. */
    private static <C> String[] led(String head, List<C> columns, Function<C, String> cell) {
        return Stream.concat(Stream.of(head), columns.stream().map(cell)).toArray(String[]::new);
    }

    private void heads(String... cells) {
        row(cells);
        line("|" + "---|".repeat(cells.length));
    }

    private void row(String... cells) {
        line("| " + String.join(" | ", cells) + " |");
    }

    private void line(String text) {
        page.append(text).append('\n');
    }
}
