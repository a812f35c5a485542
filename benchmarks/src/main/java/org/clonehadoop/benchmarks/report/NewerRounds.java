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

import java.util.List;
import java.util.Locale;

/** A table of rounds that are newer than what the page shows: they mustn't be hidden. */
final class NewerRounds {
    private NewerRounds() {}

    /** Nothing if there are none. */
    static void write(WholeJobs jobs, Markdown page) {
        List<Pairs> newer =
                jobs.newer().stream()
                        .filter(pairs -> !Experiment.of(pairs.trouble()).isOfSweep())
                        .toList();
        if (newer.isEmpty()) {
            return;
        }
        page.paragraph(
                "Rounds that are newer than those above, and too few yet to be shown there; the last"
                        + " ones below:");
        page.heads(
                "", "until", "runs", "over Hadoop's", "thrown away, a job", "Hadoop's", "version");
        for (Pairs pairs : newer) {
            page.row(
                    code(pairs.trouble()),
                    pairs.lastRound().day(),
                    String.valueOf(pairs.count()),
                    pairs.overStock().text(),
                    String.format(Locale.ROOT, "%.0f s", pairs.other().thrownAwaySeconds()),
                    String.format(Locale.ROOT, "%.0f s", pairs.stock().thrownAwaySeconds()),
                    code(pairs.setup().version()));
        }
        page.line("");
    }
}
