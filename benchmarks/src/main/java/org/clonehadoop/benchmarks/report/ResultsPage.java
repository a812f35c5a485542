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

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;

/** docs/results.md: one page, the latest version of each measurement, and nothing by hand. */
final class ResultsPage {
    private static final Map<String, String> TITLES =
            Map.of(
                    "hibench",
                    "HiBench",
                    "workloads",
                    "HiBench's kinds of jobs by our own programs");

    private final WholeJobs jobs;
    private final Map<String, WholeJobs> workloads;
    private final Collection<SingleResult> others;
    private final Optional<SimulatedOnset> simulated;
    private final Markdown page = new Markdown();

    /**
     * @param workloads by the benchmark that ran them
     */
    ResultsPage(
            WholeJobs jobs,
            Map<String, WholeJobs> workloads,
            Collection<SingleResult> others,
            Optional<SimulatedOnset> simulated) {
        this.jobs = jobs;
        this.workloads = workloads;
        this.others = others;
        this.simulated = simulated;
    }

    /** Of a benchmark of workloads, for people. */
    static String title(String benchmark) {
        return TITLES.getOrDefault(benchmark, benchmark);
    }

    /**
     * @param plots beside the page, those that there are
     */
    String markdown(Map<Plot, String> plots) {
        Pictures pictures = new Pictures(plots);
        introduction();
        wholeJobs(pictures);
        workloads.forEach((name, of) -> new WorkloadTimes(of, page).write(title(name)));
        Reservations.leftToTheSimulator(page);
        simulated.ifPresent(sweep -> new OnsetSection(page).simulated(sweep, pictures));
        new Unmeasured(page).write(jobs, workloads, others);
        new Circumstances(page).write(jobs, workloads);
        return page.toString();
    }

    /** docs/part-results.md: benchmarks of one part of what clones need. */
    static String ofParts(Collection<SingleResult> others) {
        Markdown page = new Markdown();
        page.begin(
                "Results of single parts",
                "[Whole jobs](results.md) are another page, and so are"
                        + " [reads, logins and the network](read-results.md), and requests' figures:"
                        + " [NetClone's](request-figures.md) and [NetRS'](replica-figures.md). Numbers in"
                        + " internals' pages were measured once, for the choice that stands beside them,"
                        + " and aren't kept.");
        new SingleResults(others, page).ofClones();
        return page.toString();
    }

    /** docs/read-results.md: what has nothing to do with clones. */
    static String ofReads(Collection<SingleResult> others) {
        Markdown page = new Markdown();
        page.begin(
                "Results of reads, logins and the network",
                "[What clones do](results.md) is another page.");
        new SingleResults(others, page).ofReads();
        return page.toString();
    }

    private void introduction() {
        page.begin(
                "Results",
                "Numbers below are CloneHadoop's time over Hadoop's; what the troubles are called stands in"
                        + " [job time](#job-time).");
        Summary summary = new Summary();
        addAll(summary::add);
        summary.write(page);
        page.paragraph(
                "Each row is of one version, one size and one JDK: the last of those with five runs or"
                        + " more, or if there is none the last one. Fewer than five runs are no evidence,"
                        + " nor are those of fewer than three sessions. What other versions did is in"
                        + " [every round](results-history.md), and [single parts](part-results.md) have a page."
                        + " A † marks rows in whose hours more than 1 % of the"
                        + " processors' time was [others'](#where-and-when): to be distrusted.");
        page.paragraph(
                "An aim is reached or missed if all of the interval is on one side of it, and else open."
                        + " What is of fewer than three sessions has no interval: its rounds stand there one by"
                        + " one, or the least and the greatest.");
        NeverAbove bound = new NeverAbove();
        addAll(bound::add);
        page.paragraph(bound.toString());
        Reservations.ofEverything(page);
    }

    /** All benchmarks' jobs, with what their names begin with. */
    private void addAll(BiConsumer<String, WholeJobs> to) {
        to.accept("", jobs);
        workloads.forEach((name, of) -> to.accept(title(name) + ": ", of));
    }

    private void wholeJobs(Pictures pictures) {
        page.heading("##", "Whole jobs");
        page.paragraph(
                "TeraSort on [three hosts on one machine](internals/cluster.md)"
                        + " (`benchmarks/whole-jobs/run`). Outputs are compared byte by byte: of a"
                        + " job whose output differs there is no time. Ratios are taken within a round of jobs that took turns:"
                        + " geometric mean, and the interval in which it lies with 95 % confidence."
                        + " Unless a row says otherwise a job has six maps, each of a file of 83 MB, and"
                        + " three reduces, and the three hosts have nine containers. Hadoop's speculation"
                        + " is on, as it is by default, with its 15 s of rest between two second attempts."
                        + " All jobs' hosts have the [DataNodes' plugin](operate.md#bringing-it-in), and"
                        + " NodeManagers that report every 200 ms, not every second. A job's AppMaster is"
                        + " never on the host that is slow.");
        page.paragraph(
                "Maps of 83 MB have two spills, so per-spill map outputs save a merge also where nothing"
                        + " straggles. Those of eight, of 62.5 MB, have one and save nothing.");
        page.paragraph(
                "\"CloneHadoop\" is clones and"
                        + " [per-spill map outputs](internals/per-spill-shuffle.md)"
                        + ", as `conf/mapred-site-clones-per-spill.xml` brings them, but for two keys: what a"
                        + " clone costs is configured as 1.6 s and 600 MB/s, as by an operator that measured"
                        + " it, where the defaults are 1.5 s and 100 MB/s. From there on it is learned from job"
                        + " to job; in busier hours it was"
                        + " [measured as 3.7 s and 244 MB/s](part-results.md#what-clones-cost-random-sorts-each-with-a-straggler)."
                        + " `conf/mapred-site-clones.xml` has clones alone.");
        Reservations.ofStragglers(page);
        pictures.show(Plot.RATIOS, page);
        JobTimes times = new JobTimes(jobs, page);
        times.write();
        new Variants(jobs, page).write();
        OnsetSweep.of(jobs).ifPresent(sweep -> new OnsetSection(page).measured(sweep, pictures));
    }

    /** CloneHadoop's job time over Hadoop's, of each trouble that was measured. */
    Map<String, MeanRatio> overStock() {
        Map<String, MeanRatio> ratios = new LinkedHashMap<>();
        for (Experiment experiment : new JobTimes(jobs, page).experiments()) {
            Pairs pairs = jobs.pairs(experiment.key()).orElseThrow();
            ratios.put(experiment.key() + " " + pairs.setup().version(), pairs.overStock().mean());
        }
        return ratios;
    }
}
