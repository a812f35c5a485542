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

import java.util.Optional;

/**
 * A table of all kept rounds, of whatever version, so that it can be seen what a row's choice of
 * them leaves out.
 */
final class AllRounds {
    private AllRounds() {}

    static void write(WholeJobs jobs, Markdown page) {
        page.paragraph(
                "All that are kept, by [machine](results.md#where-and-when), and by what has equal shares of the"
                        + " processors there: hosts, until 29 November, or containers. The last two columns sort them by what became of"
                        + " Hadoop's job: whether a second attempt of it won, where one task is made late"
                        + " one of that task. They say why rounds differ, and neither is a gain to"
                        + " expect. Rounds whose lines don't tell that are in neither.");
        page.heads(
                "",
                "machine",
                "equal shares",
                "runs",
                "of them †",
                "sessions",
                "versions",
                "over Hadoop's",
                "without †",
                "median",
                "quicker in",
                "at worst",
                "where Hadoop's won",
                "where none of Hadoop's won");
        for (String trouble : jobs.troubles()) {
            if (!Experiment.of(trouble).isOfSweep()) {
                jobs.ever(trouble).ifPresent(ever -> rows(ever, page));
            }
        }
        page.line("");
    }

    private static void rows(Pairs ever, Markdown page) {
        for (TestMachine machine : TestMachine.values()) {
            machine.of(ever).ifPresent(there -> rows(machine, there, page));
        }
    }

    private static void rows(TestMachine machine, Pairs there, Markdown page) {
        there.stock().all().stream()
                .map(Run::equalShares)
                .distinct()
                .forEach(
                        shares ->
                                there.only(pair -> pair.stock().equalShares().equals(shares))
                                        .ifPresent(pairs -> row(machine, shares, pairs, page)));
    }

    private static void row(TestMachine machine, String shares, Pairs pairs, Markdown page) {
        page.row(
                code(pairs.trouble()),
                machine.text(),
                shares,
                String.valueOf(pairs.count()),
                String.valueOf(pairs.distrusted()),
                String.valueOf(pairs.sessions()),
                String.valueOf(pairs.versions()),
                pairs.overStock().text(),
                pairs.distrusted() == 0 ? "" : some(pairs.trusted()),
                pairs.roundsOverStock().medianText(),
                pairs.roundsOverStock().quicker(),
                Ratios.text(pairs.roundsOverStock().greatest()),
                some(pairs.whereHadoops(true)),
                some(pairs.whereHadoops(false)));
    }

    private static String some(Optional<Pairs> pairs) {
        return pairs.map(of -> of.count() + ": " + of.overStock().text()).orElse("");
    }
}
