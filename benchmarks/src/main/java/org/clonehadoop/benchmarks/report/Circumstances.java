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

import static org.clonehadoop.benchmarks.report.Markdown.code;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.clonehadoop.benchmarks.harness.Series;

/** What the page says of where and when its rows were measured. */
final class Circumstances {
    private final Markdown page;

    Circumstances(Markdown page) {
        this.page = page;
    }

    void write(WholeJobs jobs, Map<String, WholeJobs> workloads) {
        page.heading("##", "Where and when");
        page.heads("", "machine", "JDK", "CRIU", "Hadoop");
        machine("whole jobs", jobs);
        workloads.forEach((name, of) -> machine(ResultsPage.title(name), of));
        page.line("");
        machines(jobs);
        page.paragraph(
                "\"Load\" is the greatest load average with which a session of the row began, \"stolen\""
                        + " the greatest share of the processors' time that the virtual machine's host"
                        + " gave to others, until 29 November (HiBench: 30 November) from the session's begin on"
                        + " and since then in a job's own time: from above 1 %"
                        + " (bold) numbers are to be distrusted. What else ran within the virtual machine isn't"
                        + " known: nothing was meant to. A load before is mostly of the session before. A version is the last commit of what a job"
                        + " runs; other files may have been changed beside it, also scripts that measure."
                        + " \"Equal shares\" says between what the kernel divides the processors' time. A row's sessions may have had"
                        + " several builds of one kernel version: each start of the virtual machine has"
                        + " another. A job that"
                        + " fails ends its session and is in no row; until 30 November it left no line,"
                        + " and since then [every round](results-history.md#whole-jobs) names it. Which of a round's"
                        + " variants ran first changes from round to round; until 29 November that began"
                        + " anew with each version, and CloneHadoop's job came first more often than"
                        + " Hadoop's.");
        page.heads(
                "",
                "version",
                "size",
                "machine",
                "equal shares",
                "from",
                "until",
                "load",
                "stolen");
        rows("", jobs);
        workloads.forEach((name, of) -> rows(ResultsPage.title(name) + ": ", of));
    }

    /** Hadoop's jobs without trouble tell the machines apart. */
    private void machines(WholeJobs jobs) {
        List<Run> even = jobs.all(Trouble.EVEN.key(), WholeJobs.STOCK);
        Map<String, List<Run>> builds =
                even.stream()
                        .collect(
                                Collectors.groupingBy(
                                        run -> run.setup().version(),
                                        LinkedHashMap::new,
                                        Collectors.toList()));
        page.paragraph(
                "**Two machines** say that they are the same: the second has taken the first one's place"
                        + " in the evening of 26 November 2026. Hadoop's job without trouble took "
                        + onEach(even)
                        + "."
                        + builds.entrySet().stream()
                                .filter(build -> areOfBoth(build.getValue()))
                                .map(
                                        build ->
                                                " That isn't the build: of "
                                                        + code(build.getKey())
                                                        + " it took "
                                                        + onEach(build.getValue())
                                                        + ".")
                                .collect(Collectors.joining()));
    }

    private static boolean areOfBoth(List<Run> runs) {
        return runs.stream().map(run -> TestMachine.of(run.round())).distinct().count() == 2;
    }

    /** Such as "33.1 to 40.0 s on the first, 66.8 to 92.6 s on the second". */
    private static String onEach(List<Run> runs) {
        return Stream.of(TestMachine.values())
                .flatMap(machine -> range(runs, machine).stream())
                .collect(Collectors.joining(", "));
    }

    private static Optional<String> range(List<Run> runs, TestMachine machine) {
        List<Run> there = machine.of(runs);
        if (there.isEmpty()) {
            return Optional.empty();
        }
        Series seconds = new Runs(there).seconds();
        String times =
                there.size() == 1
                        ? String.format(Locale.ROOT, "%.1f s", seconds.min())
                        : String.format(
                                Locale.ROOT, "%.1f to %.1f s", seconds.min(), seconds.max());
        return Optional.of(times + " on the " + machine.text());
    }

    private void machine(String name, WholeJobs jobs) {
        List<Run> runs = shown(jobs).flatMap(Circumstances::runs).toList();
        if (!runs.isEmpty()) {
            page.row(
                    name,
                    facts(runs.stream().map(run -> run.setup().machine() + memory(run))),
                    facts(runs.stream().map(run -> run.setup().jdk())),
                    facts(runs.stream().map(run -> fact(run, "criu"))),
                    facts(runs.stream().map(run -> fact(run, "hadoop"))));
        }
    }

    private static String memory(Run run) {
        double megabytes = run.environment("memory_mb");
        return megabytes == 0 ? "" : String.format(Locale.ROOT, ", %.0f GB", megabytes / 1024);
    }

    private static String fact(Run run, String key) {
        return String.valueOf(run.job().environment().getOrDefault(key, ""));
    }

    private static String facts(Stream<String> all) {
        Set<String> known =
                all.filter(fact -> !fact.isEmpty())
                        .collect(Collectors.toCollection(LinkedHashSet::new));
        return known.isEmpty() ? "not said" : String.join("; ", known);
    }

    private static Stream<Pairs> shown(WholeJobs jobs) {
        return jobs.troubles().stream().map(jobs::enoughPairs).flatMap(Optional::stream);
    }

    private static Stream<Run> runs(Pairs pairs) {
        return Stream.concat(pairs.stock().all().stream(), pairs.other().all().stream());
    }

    private void rows(String prefix, WholeJobs jobs) {
        Map<String, Pairs> rows = new LinkedHashMap<>();
        shown(jobs).forEach(pairs -> rows.put(prefix + pairs.trouble(), pairs));
        rows.forEach(
                (name, pairs) ->
                        page.row(
                                name,
                                code(pairs.setup().version()),
                                pairs.setup().size(),
                                pairs.setup().on().text(),
                                shares(pairs),
                                pairs.firstRound().day(),
                                pairs.lastRound().day(),
                                String.format(Locale.ROOT, "%.1f", pairs.greatest("load_before")),
                                stolen(pairs)));
    }

    private static String shares(Pairs pairs) {
        return runs(pairs).map(Run::equalShares).distinct().collect(Collectors.joining(", "));
    }

    private static String stolen(Pairs pairs) {
        String text = String.format(Locale.ROOT, "%.1f %%", pairs.stolenPercent());
        return pairs.isDistrusted() ? "**" + text + "**" : text;
    }
}
