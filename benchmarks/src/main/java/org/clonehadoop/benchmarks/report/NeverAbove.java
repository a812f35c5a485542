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

import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Whether CloneHadoop is slower than Hadoop by more than a little anywhere: one line. */
final class NeverAbove {
    static final double BOUND = 1.03;

    private final Map<String, MeanRatio> cells = new LinkedHashMap<>();

    /** All of a benchmark's troubles and workloads, those of the sweep as well. */
    void add(String prefix, WholeJobs jobs) {
        for (String trouble : jobs.troubles()) {
            jobs.pairs(trouble)
                    .ifPresent(pairs -> cells.put(prefix + trouble, pairs.overStock().mean()));
        }
    }

    /**
     * Such as "Never above 1.03 of Hadoop's: **missed** by a; open in b, c; reached in 2 of 5
     * cells."
     */
    @Override
    public String toString() {
        Map<Verdict, List<String>> by = new EnumMap<>(Verdict.class);
        for (Verdict verdict : Verdict.values()) {
            by.put(verdict, names(verdict));
        }
        List<String> missed = by.get(Verdict.MISSED);
        List<String> open = by.get(Verdict.OPEN);
        String result =
                Stream.of(
                                missed.isEmpty()
                                        ? ""
                                        : Verdict.MISSED.text()
                                                + " in "
                                                + String.join(", ", missed),
                                open.isEmpty() ? "" : "open in " + String.join(", ", open),
                                "reached in "
                                        + by.get(Verdict.REACHED).size()
                                        + " of "
                                        + cells.size()
                                        + " cells")
                        .filter(text -> !text.isEmpty())
                        .collect(Collectors.joining("; "));
        return "Never above " + BOUND + " of Hadoop's: " + result + ".";
    }

    private List<String> names(Verdict verdict) {
        return cells.entrySet().stream()
                .filter(cell -> Verdict.of(cell.getValue(), BOUND) == verdict)
                .map(cell -> Markdown.code(cell.getKey()))
                .toList();
    }
}
