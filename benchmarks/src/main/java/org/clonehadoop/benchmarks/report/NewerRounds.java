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
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** A table of rounds that are newer than what the results show. */
final class NewerRounds {
    private NewerRounds() {}

    /** Nothing if there are none. */
    static void write(WholeJobs jobs, Markdown page) {
        Map<String, List<Pairs>> newer =
                jobs.newer().stream()
                        .filter(pairs -> !Experiment.of(pairs.trouble()).isOfSweep())
                        .collect(
                                Collectors.groupingBy(
                                        Pairs::trouble, LinkedHashMap::new, Collectors.toList()));
        if (newer.isEmpty()) {
            return;
        }
        page.paragraph(
                "Those that are newer than what the results show, and too few yet to be shown there: how"
                        + " many, over Hadoop's, what CloneHadoop's job threw away and what Hadoop's did; the"
                        + " last ones first.");
        page.heads("", "");
        newer.forEach(
                (trouble, versions) -> {
                    List<Pairs> latestFirst = new ArrayList<>(versions);
                    Collections.reverse(latestFirst);
                    page.row(
                            code(trouble),
                            latestFirst.stream()
                                    .map(NewerRounds::said)
                                    .collect(Collectors.joining("; ")));
                });
        page.line("");
    }

    private static String said(Pairs pairs) {
        return String.format(
                Locale.ROOT,
                "%s, %s: %d, %s, %.0f s and %.0f s",
                code(pairs.setup().version()),
                pairs.lastRound().day(),
                pairs.count(),
                pairs.overStock().text(),
                pairs.other().thrownAwaySeconds(),
                pairs.stock().thrownAwaySeconds());
    }
}
