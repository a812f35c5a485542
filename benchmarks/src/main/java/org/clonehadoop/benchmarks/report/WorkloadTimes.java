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

import static org.clonehadoop.benchmarks.report.Markdown.text;

import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** What the page says of one benchmark's workloads. */
final class WorkloadTimes {
    private final WholeJobs workloads;
    private final List<Pairs> rows;
    private final Markdown page;

    WorkloadTimes(WholeJobs workloads, Markdown page) {
        this.workloads = workloads;
        rows =
                workloads.troubles().stream()
                        .sorted()
                        .map(workloads::enoughPairs)
                        .flatMap(Optional::stream)
                        .toList();
        this.page = page;
    }

    /** Nothing, if there are too few rounds of all. */
    void write(String title) {
        if (rows.isEmpty()) {
            return;
        }
        page.heading("##", title);
        page.paragraph(
                "Time of all of a workload's jobs, of rounds in which both took turns. Outputs were"
                        + " compared byte by byte, but for those of floating point. \"Over even\" is the"
                        + " time of these runs over that of Hadoop's on an even cluster, in any round. Nothing keeps a job's"
                        + " AppMaster off the slow host, where it needs longer to start, whoever"
                        + " speculates. Unless a row says otherwise there are 8 maps and 8 reduces: with"
                        + " the AppMaster they fill all nine containers. [Every round](results-history.md) has a page of its own.");
        times();
        aims();
        attempts();
    }

    private void times() {
        page.heads(Markdown.cells(List.of("", "size"), PairColumn.TIMES, PairColumn::head));
        for (Pairs pairs : rows) {
            page.row(
                    Markdown.cells(
                            List.of(pairs.trouble(), pairs.setup().size()),
                            PairColumn.TIMES,
                            column -> column.of(pairs)));
        }
        page.line("");
    }

    private void aims() {
        page.heads("", "Hadoop, over even", "CloneHadoop, over even", "aim");
        for (Pairs pairs : rows) {
            String even = WorkloadLine.even(pairs.trouble());
            boolean isEven = even.equals(pairs.trouble());
            Optional<MeanRatio> overEven =
                    isEven ? Optional.empty() : workloads.overAny(pairs.other(), even);
            page.row(
                    pairs.trouble(),
                    isEven ? "" : text(workloads.overAny(pairs.stock(), even)),
                    text(overEven),
                    WorkloadLine.aim(pairs.trouble()).said(pairs, overEven));
        }
        page.line("");
    }

    private void attempts() {
        page.paragraph(
                "\"Reported\" is what the workload's own harness says that a run took, the median: its"
                        + " clock has the client's start in it, too.");
        page.heads(
                "",
                "",
                "reported",
                "second attempts",
                "of them won",
                "clones that ran",
                "of them won",
                "thrown away, a run");
        for (Pairs pairs : rows) {
            attempts(pairs.trouble(), "Hadoop", pairs.stock());
            attempts(pairs.trouble(), "CloneHadoop", pairs.other());
        }
        page.line("");
        ThrownAway.write(rows, page);
    }

    private void attempts(String workload, String whose, Runs runs) {
        page.row(
                workload,
                whose,
                runs.median(Run::reportedSeconds)
                        .map(seconds -> String.format(Locale.ROOT, "%.1f s", seconds))
                        .orElse(""),
                String.valueOf(runs.sum(JobLine::extraAttempts)),
                String.valueOf(runs.sum(JobLine::extraAttemptsWon)),
                String.valueOf(runs.sum(JobLine::clonesLaunched)),
                String.valueOf(runs.sum(JobLine::clonesWon)),
                String.format(Locale.ROOT, "%.1f s", runs.thrownAwaySeconds()));
    }
}
