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
import java.util.Map;
import java.util.stream.Collectors;

/**
 * docs/results-history.md: every round that is kept, of whatever version, so that it can be seen
 * what the page of results leaves out.
 */
final class HistoryPage {
    private HistoryPage() {}

    /**
     * @param failed jobs of which nothing else is known
     * @param workloads by the benchmark that ran them
     */
    static String markdown(
            WholeJobs jobs,
            List<JobLine> failed,
            UnfinishedSessions unfinished,
            Map<String, WholeJobs> workloads) {
        Markdown page = new Markdown();
        page.begin(
                "Every round",
                "[Results](results.md)"
                        + " have one version of each experiment; here are all rounds that are kept, by trouble. Rounds of"
                        + " versions that lived for some hours weren't all kept: of 27 November one round and"
                        + " another's even jobs are missing, which ran beside builds; of 30 November four"
                        + " rounds, in tasks that wait: with a slow host 1.35, by a rule that was taken back,"
                        + " 1.06 and 0.88, with a late map 0.65; and three of a form of a rule that was never"
                        + " committed: with a slow host 0.97 and 1.01, full 0.45. So `paced-slow-host` was 1.35"
                        + " at worst, whatever stands below. Numbers are times over Hadoop's; what the troubles are stands in"
                        + " [job time](results.md#job-time). A † is of rounds in which more than 1 % of the"
                        + " processors' time was others'.");
        page.heading("##", "Whole jobs");
        page.paragraph(
                "Jobs that failed, never ended, or whose output differed, since 30 November, when lines began to tell: "
                        + (failed.isEmpty() ? "none" : names(failed))
                        + ". "
                        + unfinished);
        rounds(jobs, page);
        Variants.everyRound(jobs, page);
        CloneTimes.write(jobs, page);
        workloads.forEach(
                (name, of) -> {
                    page.heading("##", ResultsPage.title(name));
                    rounds(of, page);
                });
        return page.toString();
    }

    /** Such as "`late-map`, CloneHadoop, `abcdef0`". */
    private static String names(List<JobLine> failed) {
        return failed.stream()
                .map(
                        job ->
                                code(job.trouble())
                                        + ", "
                                        + Variants.name(job.variant())
                                        + ", "
                                        + code(job.commit()))
                .collect(Collectors.joining("; "));
    }

    private static void rounds(WholeJobs jobs, Markdown page) {
        AllRounds.write(jobs, page);
        NewerRounds.write(jobs, page);
        AloneRuns.write(jobs, page);
    }
}
