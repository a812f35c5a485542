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
import java.util.stream.Collectors;

/**
 * What the page says of runs that no row counts: that they are left out is no reason to hide them.
 */
final class AloneRuns {
    private AloneRuns() {}

    /** Nothing if there are none. */
    static void write(WholeJobs jobs, List<Pairs> rows, Markdown page) {
        List<String> alone =
                rows.stream()
                        .filter(pairs -> !jobs.alone(pairs).isEmpty())
                        .map(pairs -> code(pairs.trouble()) + " " + times(jobs.alone(pairs)))
                        .toList();
        if (!alone.isEmpty()) {
            page.paragraph(
                    "Not counted in these rows, since their round lacks the other one: "
                            + String.join("; ", alone)
                            + ".");
        }
    }

    private static String times(List<Run> alone) {
        return alone.stream().map(AloneRuns::time).collect(Collectors.joining(", "));
    }

    private static String time(Run run) {
        return String.format(
                Locale.ROOT,
                "%s %.1f s",
                run.job().variant().equals(WholeJobs.STOCK) ? "Hadoop's" : "CloneHadoop's",
                run.seconds());
    }
}
