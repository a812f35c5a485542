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
import static org.clonehadoop.benchmarks.report.Markdown.text;

import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;

/** What the page says of CloneHadoop's jobs beside Hadoop's, trouble by trouble. */
final class JobTimes {
    /** As often more container time is thrown away than Hadoop throws, before it is pointed at. */
    private static final double MUCH = 1.5;

    private static final double SOME_SECONDS = 10;

    private final WholeJobs jobs;
    private final List<Experiment> experiments;
    private final Markdown page;

    JobTimes(WholeJobs jobs, Markdown page) {
        this.jobs = jobs;
        this.page = page;
        experiments =
                Experiment.inOrder(jobs.troubles()).stream()
                        .filter(experiment -> !experiment.isOfSweep())
                        .filter(experiment -> jobs.pairs(experiment.key()).isPresent())
                        .toList();
    }

    /** Those that have a row. */
    List<Experiment> experiments() {
        return experiments;
    }

    private Pairs pairs(Experiment experiment) {
        return jobs.pairs(experiment.key()).orElseThrow();
    }

    void write() {
        times();
        aims();
        attempts();
    }

    private void times() {
        page.heading("###", "Job time");
        page.paragraph(
                "A run is a round in which Hadoop's job and CloneHadoop's took turns. Times are of these"
                        + " alone: median, least and greatest. \"Over Hadoop's\" is the geometric mean of"
                        + " the rounds' ratios, with its interval. Single rounds may carry it: so their"
                        + " median is there too, and in how many rounds CloneHadoop was quicker.");
        page.paragraph(
                "Rounds of one session share its cluster, its input, what was learned and its hour. Where"
                        + " the input's blocks are says how many maps begin on a slow host: one, two or"
                        + " three of six. So rounds of a session aren't independent, and the interval takes"
                        + " them as if they were; the column \"sessions\" says of how many they are.");
        page.paragraph(
                "Rows are of two [machines](#where-and-when), of which the second is half as fast: so they"
                        + " may only be compared with what Hadoop's job took without trouble in the same"
                        + " rounds, \"even, then\". [Every round](results-history.md), of this and all other"
                        + " versions, has a page of its own.");
        page.heads(Markdown.cells(List.of("", "even, then"), PairColumn.TIMES, PairColumn::head));
        for (Experiment experiment : experiments) {
            Pairs pairs = pairs(experiment);
            page.row(
                    Markdown.cells(
                            List.of(
                                    code(experiment.key())
                                            + pairs.mark()
                                            + ": "
                                            + experiment.what(),
                                    even(experiment, pairs)),
                            PairColumn.TIMES,
                            column -> column.of(pairs)));
        }
        page.line("");
        slowHostMaps();
    }

    private void slowHostMaps() {
        String known =
                experiments.stream()
                        .filter(experiment -> experiment.key().contains("slow-host"))
                        .map(this::pairs)
                        .filter(pairs -> !slowHostMaps(pairs.stock()).isEmpty())
                        .map(pairs -> code(pairs.trouble()) + " " + slowHostMaps(pairs.stock()))
                        .collect(Collectors.joining("; "));
        if (!known.isEmpty()) {
            page.paragraph(
                    "Maps of Hadoop's jobs that began on the slow host, round by round: "
                            + known
                            + ".");
        }
    }

    private static String slowHostMaps(Runs runs) {
        return runs.all().stream()
                .map(run -> run.job().slowHostMaps())
                .filter(Objects::nonNull)
                .map(String::valueOf)
                .collect(Collectors.joining(", "));
    }

    private String even(Experiment experiment, Pairs pairs) {
        return experiment.isEven()
                ? ""
                : jobs.even(pairs)
                        .map(even -> String.format(Locale.ROOT, "%.1f s", even.seconds().median()))
                        .orElse("");
    }

    private void aims() {
        page.heading("###", "Aims");
        page.paragraph(
                "\"Had nothing straggled\" is CloneHadoop's time on an even cluster over Hadoop's time here:"
                        + " it can bring no more than that. \"Over even\" is CloneHadoop's time over"
                        + " Hadoop's on an even cluster, in the same round.");
        page.heads("", "had nothing straggled", "over even", "median", "aim");
        for (Experiment experiment : experiments) {
            Pairs pairs = pairs(experiment);
            Optional<Ratios> overEven =
                    experiment.isEven() ? Optional.empty() : jobs.overEven(pairs.other());
            Optional<Ratios> atBest =
                    experiment.isEven() ? Optional.empty() : jobs.evenOver(pairs.stock());
            page.row(
                    experiment.what(),
                    text(atBest.map(Ratios::text)),
                    text(overEven.map(Ratios::text)),
                    text(overEven.map(Ratios::medianText)),
                    experiment
                            .aim()
                            .map(aim -> aim.said(pairs, overEven))
                            .orElse("unknown to the report"));
        }
        page.line("");
    }

    private void attempts() {
        page.heading("###", "Second attempts");
        page.paragraph(
                "Times a job are means. \"Begun elsewhere\" are winners that ran beside no other attempt of"
                        + " their task: it had been killed, or had given its container back. They couldn't"
                        + " lose.");
        page.heads(
                "",
                "",
                "second attempts",
                "of them won",
                "begun elsewhere",
                "clones that ran",
                "of them won",
                "thrown away, a job",
                "all containers' time, a job",
                "original frozen",
                "clone runs after its order");
        for (Experiment experiment : experiments) {
            attempts(experiment, "Hadoop", pairs(experiment).stock());
            attempts(experiment, "CloneHadoop", pairs(experiment).other());
        }
        page.line("");
        thrownAway();
    }

    private void attempts(Experiment experiment, String whose, Runs runs) {
        page.row(
                experiment.what(),
                whose,
                String.valueOf(runs.sum(JobLine::extraAttempts)),
                String.valueOf(runs.sum(JobLine::extraAttemptsWon)),
                String.valueOf(runs.sum(JobLine::winnersBesideNobody)),
                String.valueOf(runs.sum(JobLine::clonesLaunched)),
                String.valueOf(runs.sum(JobLine::clonesWon)),
                String.format(Locale.ROOT, "%.1f s", runs.thrownAwaySeconds()),
                runs.containersSeconds()
                        .map(seconds -> String.format(Locale.ROOT, "%.0f s", seconds))
                        .orElse(""),
                runs.median(run -> run.job().freezeMillis())
                        .map(ms -> String.format(Locale.ROOT, "%.0f ms", ms))
                        .orElse(""),
                runs.median(run -> run.job().orderToRunningMillis())
                        .map(ms -> String.format(Locale.ROOT, "%.1f s", ms / 1000))
                        .orElse(""));
    }

    private void thrownAway() {
        List<String> much =
                experiments.stream()
                        .map(this::pairs)
                        .filter(JobTimes::isMuch)
                        .map(JobTimes::times)
                        .toList();
        if (!much.isEmpty()) {
            page.paragraph(
                    "CloneHadoop throws half as much container time again away as Hadoop, or more, in "
                            + String.join(", ", much)
                            + ". [A job's budget](limits.md#a-jobs-budget) bounds it.");
        }
    }

    private static boolean isMuch(Pairs pairs) {
        double ours = pairs.other().thrownAwaySeconds();
        return ours > SOME_SECONDS && ours > MUCH * pairs.stock().thrownAwaySeconds();
    }

    private static String times(Pairs pairs) {
        return String.format(
                Locale.ROOT,
                "`%s` (%.0f s a job, Hadoop's %.0f%s)",
                pairs.trouble(),
                pairs.other().thrownAwaySeconds(),
                pairs.stock().thrownAwaySeconds(),
                ofAll(pairs));
    }

    private static String ofAll(Pairs pairs) {
        Optional<Double> ours = pairs.other().containersSeconds();
        Optional<Double> stocks = pairs.stock().containersSeconds();
        return ours.isEmpty() || stocks.isEmpty()
                ? ""
                : String.format(
                        Locale.ROOT,
                        "; all its containers ran for %.0f s, Hadoop's for %.0f",
                        ours.get(),
                        stocks.get());
    }
}
