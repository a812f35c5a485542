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
import java.util.Optional;

/**
 * A table of all kept rounds, of whatever version: which of them a row shows is a choice, and this
 * is none.
 */
final class AllRounds {
    private AllRounds() {}

    static void write(WholeJobs jobs, Markdown page) {
        List<Pairs> all =
                jobs.troubles().stream()
                        .filter(trouble -> !Experiment.of(trouble).isOfSweep())
                        .map(jobs::ever)
                        .flatMap(Optional::stream)
                        .toList();
        page.paragraph(
                "All rounds that are kept, of every version, those above among them. How it went beside"
                        + " Hadoop depends on whether a second attempt of Hadoop's won, where one task is"
                        + " made late one of that task: the last two columns have the rounds where"
                        + " one did, and where none did.");
        page.heads(
                "",
                "runs",
                "sessions",
                "versions",
                "over Hadoop's",
                "quicker in",
                "at worst",
                "where Hadoop's won",
                "where none of Hadoop's won");
        for (Pairs pairs : all) {
            page.row(
                    code(pairs.trouble()),
                    String.valueOf(pairs.count()),
                    String.valueOf(pairs.sessions()),
                    String.valueOf(pairs.versions()),
                    pairs.overStock().text(),
                    pairs.overStock().quicker(),
                    Ratios.text(pairs.overStock().greatest()),
                    some(pairs.whereHadoops(true)),
                    some(pairs.whereHadoops(false)));
        }
        page.line("");
    }

    private static String some(Optional<Pairs> pairs) {
        return pairs.map(of -> of.count() + ": " + of.overStock().text()).orElse("");
    }
}
