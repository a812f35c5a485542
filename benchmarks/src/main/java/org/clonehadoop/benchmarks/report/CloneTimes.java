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

import java.util.Locale;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Stream;
import org.clonehadoop.benchmarks.harness.Series;

/** How long clones took in whole jobs, and for how long their originals stood still. */
final class CloneTimes {
    private CloneTimes() {}

    /** Nothing if no clone ran. */
    static void write(WholeJobs jobs, Markdown page) {
        if (millis(jobs.all(), JobLine::freezeMillis).length == 0) {
            return;
        }
        page.heading("###", "How long clones took");
        page.paragraph(
                "Of all jobs in which a clone ran, whatever their trouble, variant and version, by"
                        + " [machine](results.md#where-and-when); of several clones of a job it is their"
                        + " mean.");
        page.heads("", "machine", "jobs", "median", "least", "most");
        rows("an original's freeze", "%.0f ms", 1, JobLine::freezeMillis, jobs, page);
        rows(
                "from a clone's order until it runs",
                "%.1f s",
                1000,
                JobLine::orderToRunningMillis,
                jobs,
                page);
        page.line("");
    }

    /**
     * @param format of a number of the unit that is to be shown
     * @param unit in milliseconds
     */
    private static void rows(
            String name,
            String format,
            double unit,
            Function<JobLine, Double> of,
            WholeJobs jobs,
            Markdown page) {
        for (TestMachine machine : TestMachine.values()) {
            double[] millis =
                    millis(jobs.all().filter(run -> TestMachine.of(run.round()) == machine), of);
            if (millis.length > 0) {
                Series series = Series.of(millis);
                page.row(
                        name,
                        machine.text(),
                        String.valueOf(millis.length),
                        text(format, series.median() / unit),
                        text(format, series.min() / unit),
                        text(format, series.max() / unit));
            }
        }
    }

    private static String text(String format, double value) {
        return String.format(Locale.ROOT, format, value);
    }

    /** Lines of jobs without a clone have none, or 0. */
    private static double[] millis(Stream<Run> runs, Function<JobLine, Double> of) {
        return runs.map(run -> of.apply(run.job()))
                .filter(Objects::nonNull)
                .mapToDouble(Double::doubleValue)
                .filter(millis -> millis > 0)
                .toArray();
    }
}
