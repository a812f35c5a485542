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

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Whether CloneHadoop is slower than Hadoop by more than a little anywhere: one line. */
final class NeverAbove {
    static final double BOUND = 1.03;

    private final Map<String, Pairs> cells = new LinkedHashMap<>();

    /** All of a benchmark's troubles and workloads, those of the sweep as well. */
    void add(String prefix, WholeJobs jobs) {
        for (String trouble : jobs.troubles()) {
            jobs.pairs(trouble).ifPresent(pairs -> cells.put(prefix + trouble, pairs));
        }
    }

    /**
     * Such as "Never above 1.03 of Hadoop's: **missed** in a; open in b, c; reached in 2 of 5 cells
     * with five runs or more, of three sessions or more."
     */
    @Override
    public String toString() {
        int few = names(Verdict.TOO_FEW).size();
        String result =
                Stream.of(
                                list(Verdict.MISSED),
                                list(Verdict.OPEN),
                                "reached in "
                                        + names(Verdict.REACHED).size()
                                        + " of "
                                        + (cells.size() - few)
                                        + " cells with five runs or more, of three sessions or"
                                        + " more")
                        .filter(text -> !text.isEmpty())
                        .collect(Collectors.joining("; "));
        return "Never above " + BOUND + " of Hadoop's: " + result + ".";
    }

    private String list(Verdict verdict) {
        List<String> names = names(verdict);
        return names.isEmpty() ? "" : verdict.text() + " in " + String.join(", ", names);
    }

    private List<String> names(Verdict verdict) {
        return cells.entrySet().stream()
                .filter(cell -> verdict(cell.getValue()) == verdict)
                .map(cell -> Markdown.code(cell.getKey()))
                .toList();
    }

    private static Verdict verdict(Pairs pairs) {
        return Verdict.of(pairs, pairs.overStock().mean(), BOUND);
    }
}
