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

import java.util.Map;

/**
 * docs/results-history.md: every round that is kept, of whatever version. Which rounds the page of
 * results shows is a choice, and this is none.
 */
final class HistoryPage {
    private HistoryPage() {}

    /**
     * @param workloads by the benchmark that ran them
     */
    static String markdown(WholeJobs jobs, Map<String, WholeJobs> workloads) {
        Markdown page = new Markdown();
        page.begin(
                "Every round",
                "[Results](results.md)"
                        + " have one version of each experiment; here are all that are kept, so that none"
                        + " is hidden. Numbers are times over Hadoop's; what the troubles are stands in"
                        + " [job time](results.md#job-time). A † is of rounds in which more than 1 % of the"
                        + " processors' time was others'.");
        page.heading("##", "Whole jobs");
        rounds(jobs, page);
        Variants.everyRound(jobs, page);
        workloads.forEach(
                (name, of) -> {
                    page.heading("##", ResultsPage.title(name));
                    rounds(of, page);
                });
        return page.toString();
    }

    private static void rounds(WholeJobs jobs, Markdown page) {
        AllRounds.write(jobs, page);
        NewerRounds.write(jobs, page);
        AloneRuns.write(jobs, page);
    }
}
