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

/**
 * What the page says of runs that no row counts, since their round lacks Hadoop's or CloneHadoop's:
 * that they are left out is no reason to hide them.
 */
final class AloneRuns {
    private AloneRuns() {}

    /** Nothing if there are none. */
    static void write(WholeJobs jobs, Markdown page) {
        List<Runs> all =
                jobs.troubles().stream().flatMap(trouble -> jobs.alone(trouble).stream()).toList();
        if (all.isEmpty()) {
            return;
        }
        page.paragraph("In no row, since their rounds lack the other one's run:");
        page.heads("", "whose", "runs", "time", "second attempts", "thrown away, a job", "version");
        for (Runs runs : all) {
            page.row(
                    code(trouble(runs)),
                    whose(runs),
                    String.valueOf(runs.count()),
                    runs.toString(),
                    String.valueOf(runs.sum(JobLine::extraAttempts)),
                    String.format(Locale.ROOT, "%.1f s", runs.thrownAwaySeconds()),
                    code(runs.all().get(0).setup().version()));
        }
        page.line("");
    }

    private static String trouble(Runs runs) {
        return runs.all().get(0).job().trouble();
    }

    private static String whose(Runs runs) {
        return Variants.name(runs.all().get(0).job().variant());
    }
}
