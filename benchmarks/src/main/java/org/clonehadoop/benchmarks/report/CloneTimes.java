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

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import org.clonehadoop.benchmarks.harness.Series;

/** How long clones took in whole jobs, and for how long their originals stood still. */
final class CloneTimes {
    private CloneTimes() {}

    /** Nothing if no clone ran. */
    static void write(WholeJobs jobs, Markdown page) {
        List<Run> runs = jobs.all();
        if (millis(runs, JobLine::freezeMillis).isEmpty()) {
            return;
        }
        page.heading("###", "How long clones took");
        page.paragraph(
                "Of all jobs in which a clone ran, whatever their trouble, variant and version, by"
                        + " [machine](results.md#where-and-when); of several clones of a job it is their"
                        + " mean.");
        page.heads("", "machine", "jobs", "median", "least", "most");
        rows("an original's freeze", "%.0f ms", 1, JobLine::freezeMillis, runs, page);
        rows(
                "from a clone's order until it runs",
                "%.1f s",
                1000,
                JobLine::orderToRunningMillis,
                runs,
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
            List<Run> runs,
            Markdown page) {
        for (TestMachine machine : TestMachine.values()) {
            millis(machine.of(runs), of)
                    .ifPresent(
                            series ->
                                    page.row(
                                            name,
                                            machine.text(),
                                            String.valueOf(series.size()),
                                            text(format, series.median() / unit),
                                            text(format, series.min() / unit),
                                            text(format, series.max() / unit)));
        }
    }

    private static String text(String format, double value) {
        return String.format(Locale.ROOT, format, value);
    }

    /** Lines of jobs without a clone have none, or 0. */
    private static Optional<Series> millis(List<Run> runs, Function<JobLine, Double> of) {
        return new Runs(runs)
                .known(
                        run -> {
                            Double millis = of.apply(run.job());
                            return millis != null && millis > 0 ? millis : null;
                        });
    }
}
