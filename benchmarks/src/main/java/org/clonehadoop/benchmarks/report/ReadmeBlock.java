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

import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * For the README: a few troubles and what a job costs without one, all of one version, and what a
 * clone takes.
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
                    PairColumn.SESSIONS,
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
                        Trouble.LOG_NORMAL,
                        Trouble.EVEN)
                .map(trouble -> Experiment.of(tasks + trouble.key()))
                .toList();
    }

    private final WholeJobs jobs;
    private final Collection<SingleResult> others;
    private final Markdown block = new Markdown();

    ReadmeBlock(WholeJobs jobs, Collection<SingleResult> others) {
        this.jobs = jobs;
        this.others = others;
    }

    @Override
    public String toString() {
        Optional<Setup> paced = common(PACED).filter(this::hasEnoughPaced);
        if (paced.isPresent()) {
            table(PACED, paced.get());
            besides();
        } else {
            common(USUAL).ifPresent(setup -> table(USUAL, setup));
        }
        others.stream().filter(other -> other.name().equals(TOOL)).forEach(this::oneClone);
        return block.toString();
    }

    private boolean hasEnoughPaced(Setup setup) {
        return PACED.stream()
                .map(one -> jobs.pairs(one.key(), setup).orElseThrow())
                .allMatch(Pairs::isEnough);
    }

    private Optional<Setup> common(List<Experiment> some) {
        return jobs.common(some.stream().map(Experiment::key).toList());
    }

    private void table(List<Experiment> experiments, Setup setup) {
        block.heads(Markdown.cells(List.of(""), COLUMNS, PairColumn::head));
        for (Experiment experiment : experiments) {
            row(experiment.what(), pairs(experiment, setup));
        }
        block.line("");
        shares(experiments, setup);
        tried(experiments, setup);
        oneClone(
                new Runs(
                        experiments.stream()
                                .flatMap(one -> pairs(one, setup).other().all().stream())
                                .toList()));
    }

    /** Clones of maps that nothing slows are explained by that. */
    private void shares(List<Experiment> experiments, Setup setup) {
        if (experiments.stream()
                .flatMap(one -> pairs(one, setup).stock().all().stream())
                .anyMatch(run -> run.equalShares().equals(Run.HOSTS))) {
            block.line(
                    "In these rounds hosts had equal shares of the processors, not containers: three maps on"
                            + " one host look slow beside two on another, and were cloned with nothing in"
                            + " their way ([what came after](docs/results-history.md#whole-jobs)).");
        }
    }

    /** Whether a straggler was Hadoop's, too: one that it doesn't see it can't rescue. */
    private void tried(List<Experiment> experiments, Setup setup) {
        String tried =
                experiments.stream()
                        .flatMap(
                                one ->
                                        one
                                                .lateTask()
                                                .flatMap(pairs(one, setup).stock()::triedIn)
                                                .map(in -> in + " of `" + one.key() + "`")
                                                .stream())
                        .collect(Collectors.joining(" and "));
        if (!tried.isEmpty()) {
            block.line("Hadoop began a second attempt of the late task in " + tried + ".");
        }
    }

    /** What was measured before tasks that wait were thought of. */
    private void besides() {
        String usual =
                USUAL.stream()
                        .flatMap(one -> jobs.enoughPairs(one.key()).stream())
                        .map(pairs -> code(pairs.trouble()) + " " + pairs.overStock().text())
                        .collect(Collectors.joining(", "));
        if (!usual.isEmpty()) {
            block.line(
                    "These tasks wait for 40 s of their time, as for a service. So two processors carry them;"
                            + " tasks that compute all the time are each other's stragglers here. Those were"
                            + " measured first, over Hadoop's: "
                            + usual
                            + " ([job time](docs/results.md#job-time)).");
        }
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
