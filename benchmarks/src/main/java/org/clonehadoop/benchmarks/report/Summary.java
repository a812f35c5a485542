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

import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

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

    private final Map<String, Pairs> cells = new LinkedHashMap<>();

    /** All of a benchmark's troubles and workloads. */
    void add(String prefix, WholeJobs jobs) {
        for (Experiment experiment : Experiment.inOrder(jobs.troubles())) {
            if (!experiment.isOfSweep()) {
                jobs.pairs(experiment.key())
                        .ifPresent(pairs -> cells.put(prefix + experiment.key(), pairs));
            }
        }
    }

    void write(Markdown page) {
        Map<Verdict, List<Map.Entry<String, Pairs>>> sides =
                cells.entrySet().stream()
                        .collect(
                                Collectors.groupingBy(
                                        cell -> verdict(cell.getValue()),
                                        () -> new EnumMap<>(Verdict.class),
                                        Collectors.toList()));
        List<Map.Entry<String, Pairs>> few =
                Optional.ofNullable(sides.remove(Verdict.TOO_FEW)).orElse(List.of());
        if (!sides.isEmpty()) {
            table(sides, page);
        }
        if (!few.isEmpty()) {
            page.paragraph(
                    "Too few runs or sessions to tell: "
                            + few.stream()
                                    .map(cell -> name(cell.getKey(), cell.getValue()))
                                    .collect(Collectors.joining(", "))
                            + ".");
        }
    }

    private static void table(Map<Verdict, List<Map.Entry<String, Pairs>>> sides, Markdown page) {
        page.heads(
                "CloneHadoop's jobs beside Hadoop's",
                "",
                "over Hadoop's",
                "runs",
                "sessions",
                "second attempts that won",
                "version");
        sides.forEach(
                (verdict, rows) ->
                        rows.forEach(row -> row(verdict, row.getKey(), row.getValue(), page)));
        page.line("");
    }

    private static Verdict verdict(Pairs pairs) {
        return Verdict.of(pairs.overStock().mean(), pairs.sessions(), 1);
    }

    private static String name(String key, Pairs pairs) {
        return code(key) + pairs.mark();
    }

    private static void row(Verdict verdict, String name, Pairs pairs, Markdown page) {
        page.row(
                Markdown.cells(
                        List.of(WORDS.get(verdict), name(name, pairs)),
                        COLUMNS,
                        column -> column.of(pairs)));
    }
}
