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
import java.util.function.Function;
import java.util.stream.Collectors;

/** What the page says of CloneHadoop's jobs beside Hadoop's, trouble by trouble. */
final class JobTimes {
    private final WholeJobs jobs;
    private final List<Experiment> experiments;
    private final Markdown page;

    JobTimes(WholeJobs jobs, Markdown page) {
        this.jobs = jobs;
        this.page = page;
        experiments =
                Experiment.ofRows(jobs.troubles()).stream()
                        .filter(experiment -> jobs.enoughPairs(experiment.key()).isPresent())
                        .toList();
    }

    /** Those that have a row: of which there are enough rounds for a verdict. */
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
                        + " alone: median, least and greatest. Rounds of one session share its cluster, its"
                        + " input, what was learned and its hour. So \"over Hadoop's\" is the geometric mean of"
                        + " the sessions' means, with their interval. \"Median\" is of rounds, as is in how many"
                        + " CloneHadoop was quicker.");
        page.paragraph(
                "Rows may be of two [machines](#where-and-when), of which the second is half as fast: they"
                        + " are to be compared with what Hadoop's job took without trouble in the same"
                        + " rounds, \"even, then\". What has fewer than five rounds or three sessions stands in"
                        + " [every round](results-history.md) only.");
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
        onSlowHost("Maps", JobLine::slowHostMaps);
        onSlowHost("Reduces", JobLine::slowHostReduces);
        draws();
    }

    /**
     * A seed draws the same delays each time: rounds that share one are fewer draws than rounds.
     */
    private void draws() {
        String seeds =
                experiments.stream()
                        .filter(Experiment::isDrawn)
                        .map(this::pairs)
                        .map(pairs -> code(pairs.trouble()) + " " + pairs.seeds())
                        .collect(Collectors.joining("; "));
        if (!seeds.isEmpty()) {
            page.paragraph("Seeds of the delays, round by round: " + seeds + ".");
        }
    }

    /** Luck, by which such a job takes half as long, or twice. */
    private void onSlowHost(String tasks, Function<JobLine, Integer> begun) {
        String known =
                experiments.stream()
                        .filter(experiment -> experiment.key().contains("slow-host"))
                        .map(this::pairs)
                        .filter(pairs -> !counts(pairs.stock(), begun).isEmpty())
                        .map(
                                pairs ->
                                        code(pairs.trouble())
                                                + " "
                                                + counts(pairs.stock(), begun)
                                                + (counts(pairs.other(), begun).isEmpty()
                                                        ? ""
                                                        : " (CloneHadoop's "
                                                                + counts(pairs.other(), begun)
                                                                + ")"))
                        .collect(Collectors.joining("; "));
        if (!known.isEmpty()) {
            page.paragraph(
                    tasks
                            + " of Hadoop's jobs that began on the slow host, round by round: "
                            + known
                            + ".");
        }
    }

    private static String counts(Runs runs, Function<JobLine, Integer> begun) {
        return runs.all().stream()
                .map(Run::job)
                .map(begun)
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
                "\"Had nothing straggled\" is CloneHadoop's time on an even cluster over Hadoop's time here,"
                        + " in the same rounds: about the best that a rescue can bring. An aim that is below"
                        + " all of its interval is out of reach here. \"Over even\" is CloneHadoop's time over"
                        + " Hadoop's on an even cluster.");
        page.heads("", "had nothing straggled", "over even", "aim");
        for (Experiment experiment : experiments) {
            Pairs pairs = pairs(experiment);
            Optional<Ratios> overEven =
                    experiment.isEven() ? Optional.empty() : jobs.overEven(pairs.other());
            Optional<Ratios> atBest =
                    experiment.isEven() ? Optional.empty() : jobs.evenOver(pairs.stock());
            page.row(
                    code(experiment.key()),
                    text(atBest.map(Ratios::text)),
                    text(overEven.map(Ratios::text)),
                    experiment
                            .aim()
                            .map(
                                    aim ->
                                            aim.said(pairs, overEven.map(Ratios::mean))
                                                    + aim.outOfReach(pairs, atBest))
                            .orElse("unknown to the report"));
        }
        page.line("");
    }

    private void attempts() {
        page.heading("###", "Second attempts");
        page.paragraph(
                "Times a job are means. \"Begun elsewhere\" are winners that ran beside no other attempt of"
                        + " their task: it had been killed, or had given its container back. They couldn't"
                        + " lose. \"The late task\" is the one that is made late: in how many jobs it had two"
                        + " attempts at once, and another one than the first won, if the lines tell; and how"
                        + " often another task had two, which nothing slows down.");
        page.heads(
                "",
                "",
                "the late task, jobs",
                "another task",
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
        ThrownAway.write(experiments.stream().map(this::pairs).toList(), page);
    }

    private void attempts(Experiment experiment, String whose, Runs runs) {
        page.row(
                code(experiment.key()),
                whose,
                text(experiment.lateTask().flatMap(runs::triedIn))
                        + experiment
                                .lateTask()
                                .flatMap(runs::wonIn)
                                .map(won -> ", " + won + " won")
                                .orElse(""),
                text(experiment.lateTask().flatMap(runs::othersTried)),
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
}
