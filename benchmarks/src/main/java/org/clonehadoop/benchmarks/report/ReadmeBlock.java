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
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * For the README: a few troubles and one case without gain, all of one version, and what a clone
 * takes.
 */
final class ReadmeBlock {
    /** No more rounds of a trouble are taken, however many there are: the first ones. */
    static final int MOST_RUNS = 10;

    private static final String TOOL = "remote-clone";

    private static final List<Experiment> USUAL = experiments("");

    /** In tasks that two processors carry: of these, once there are enough. */
    private static final List<Experiment> PACED = experiments("paced-");

    private static final List<PairColumn> COLUMNS =
            List.of(
                    PairColumn.RUNS,
                    PairColumn.HADOOP,
                    PairColumn.CLONE_HADOOP,
                    PairColumn.OVER_HADOOPS,
                    PairColumn.QUICKER,
                    PairColumn.WINNERS,
                    PairColumn.VERSION);

    private static List<Experiment> experiments(String tasks) {
        return Stream.of(
                        Trouble.LATE_MAP,
                        Trouble.LATE_REDUCE,
                        Trouble.SLOW_HOST,
                        Trouble.LOG_NORMAL)
                .map(trouble -> Experiment.of(tasks + trouble.key()))
                .toList();
    }

    private final WholeJobs jobs;
    private final List<Experiment> experiments;
    private final Collection<SingleResult> others;
    private final Markdown block = new Markdown();

    ReadmeBlock(WholeJobs jobs, Collection<SingleResult> others) {
        this.jobs = jobs;
        this.others = others;
        experiments = hasEnough(jobs) ? PACED : USUAL;
    }

    private static boolean hasEnough(WholeJobs jobs) {
        return common(jobs, PACED).stream()
                        .flatMap(setup -> PACED.stream().map(one -> jobs.pairs(one.key(), setup)))
                        .mapToInt(pairs -> pairs.orElseThrow().count())
                        .min()
                        .orElse(0)
                >= Verdict.RUNS;
    }

    private static Optional<Setup> common(WholeJobs jobs, List<Experiment> experiments) {
        return jobs.common(experiments.stream().map(Experiment::key).toList());
    }

    @Override
    public String toString() {
        common(jobs, experiments).ifPresent(this::table);
        others.stream().filter(other -> other.name().equals(TOOL)).forEach(this::oneClone);
        return block.toString();
    }

    private void table(Setup setup) {
        block.heads(Markdown.cells(List.of(""), COLUMNS, PairColumn::head));
        for (Experiment experiment : experiments) {
            row(experiment.what(), pairs(experiment, setup));
        }
        block.line("");
        oneClone(
                new Runs(
                        experiments.stream()
                                .flatMap(one -> pairs(one, setup).other().all().stream())
                                .toList()));
    }

    /** The first of them: how many there are mustn't depend on what was seen in them. */
    private Pairs pairs(Experiment experiment, Setup setup) {
        return jobs.pairs(experiment.key(), setup).orElseThrow().first(MOST_RUNS);
    }

    private void oneClone(Runs runs) {
        Optional<Double> running = runs.median(run -> run.job().orderToRunningMillis());
        Optional<Double> frozen = runs.median(run -> run.job().freezeMillis());
        if (running.isPresent() && frozen.isPresent()) {
            block.line(
                    String.format(
                            Locale.ROOT,
                            "In these jobs a clone ran %.0f s after its order, for which its original stood"
                                    + " still for %.0f ms (medians).",
                            running.get() / 1000,
                            frozen.get()));
        }
    }

    private void row(String what, Pairs pairs) {
        block.row(
                Markdown.cells(List.of(what + pairs.mark()), COLUMNS, column -> column.of(pairs)));
    }

    private void oneClone(SingleResult tool) {
        block.line(
                String.format(
                        Locale.ROOT,
                        "By hand, on an idle machine, two commands of the tool clone a JVM of %.0f MB to"
                                + " another host in %.2f s, of which it stands still for %.0f ms (medians of"
                                + " %s runs of version %s).",
                        tool.number("image_bytes") / 1e6,
                        tool.number("total_ms") / 1000,
                        tool.number("freeze_ms"),
                        tool.values().getOrDefault("runs", "1"),
                        tool.commit()));
    }
}
