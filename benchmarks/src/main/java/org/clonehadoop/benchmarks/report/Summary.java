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

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What the page's first lines say: where CloneHadoop is quicker, and where that isn't shown. */
final class Summary {
    private static final List<PairColumn> COLUMNS =
            List.of(
                    PairColumn.OVER_HADOOPS,
                    PairColumn.RUNS,
                    PairColumn.SESSIONS,
                    PairColumn.WINNERS,
                    PairColumn.VERSION);

    /** Whether it is at most Hadoop's time: in words. */
    private static final Map<Verdict, String> WORDS =
            Map.of(
                    Verdict.REACHED,
                    "quicker, by all of the interval",
                    Verdict.OPEN,
                    "may be quicker or slower",
                    Verdict.MISSED,
                    "slower, by all of the interval");

    /**
     * A row.
     *
     * @param ever its rounds of every version
     */
    private record Cell(String name, Pairs pairs, Optional<Pairs> ever) {
        Verdict verdict() {
            return Verdict.of(pairs, pairs.overStock().mean(), 1);
        }

        /** Such as "1.02 (0.88–1.19), 21 runs"; empty if there is none. */
        String everOn(TestMachine machine) {
            return ever.flatMap(machine::of)
                    .map(all -> all.overStock().text() + ", " + all.countText())
                    .orElse("");
        }

        boolean isQuickerWithoutAClone() {
            return verdict() == Verdict.REACHED && pairs.other().sum(JobLine::clonesWon) == 0;
        }
    }

    private final List<Cell> cells = new ArrayList<>();

    /** All of a benchmark's troubles and workloads. */
    void add(String prefix, WholeJobs jobs) {
        for (Experiment experiment : Experiment.ofRows(jobs.troubles())) {
            String key = experiment.key();
            jobs.pairs(key)
                    .ifPresent(pairs -> cells.add(new Cell(prefix + key, pairs, jobs.ever(key))));
        }
    }

    void write(Markdown page) {
        Map<Verdict, List<Cell>> sides =
                cells.stream()
                        .collect(
                                Collectors.groupingBy(
                                        Cell::verdict,
                                        () -> new EnumMap<>(Verdict.class),
                                        Collectors.toList()));
        List<Cell> few = Optional.ofNullable(sides.remove(Verdict.TOO_FEW)).orElse(List.of());
        if (!sides.isEmpty()) {
            table(sides, page);
        }
        String withoutClones = names(cells.stream().filter(Cell::isQuickerWithoutAClone).toList());
        if (!withoutClones.isEmpty()) {
            page.paragraph(
                    "No clone won in "
                            + withoutClones
                            + ": what is gained there is where attempts are placed, and when they"
                            + " are begun again from zero.");
        }
        if (!few.isEmpty()) {
            page.paragraph("Too few runs or sessions to tell: " + names(few) + ".");
        }
    }

    private static String names(List<Cell> some) {
        return some.stream().map(Summary::name).collect(Collectors.joining(", "));
    }

    private static void table(Map<Verdict, List<Cell>> sides, Markdown page) {
        page.heads(
                Markdown.cells(
                        List.of("CloneHadoop's jobs beside Hadoop's", ""),
                        COLUMNS,
                        PairColumn::head,
                        Stream.of(TestMachine.values())
                                .map(machine -> "every version, " + machine.text() + " machine")
                                .toArray(String[]::new)));
        sides.forEach((verdict, rows) -> rows.forEach(row -> row(verdict, row, page)));
        page.line("");
    }

    private static String name(Cell cell) {
        return code(cell.name()) + cell.pairs().mark();
    }

    private static void row(Verdict verdict, Cell cell, Markdown page) {
        page.row(
                Markdown.cells(
                        List.of(WORDS.get(verdict), name(cell)),
                        COLUMNS,
                        column -> column.of(cell.pairs()),
                        Stream.of(TestMachine.values()).map(cell::everOn).toArray(String[]::new)));
    }
}
