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

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;

/** What is planned and has fewer runs than a verdict needs, so that what is missing can be seen. */
final class Unmeasured {
    private static final List<String> OTHER_TASKS =
            List.of(
                    "paced-even",
                    "paced-late-map",
                    "paced-late-reduce",
                    "paced-log-normal",
                    "paced-slow-host",
                    "long-even",
                    "long-late-map",
                    "long-late-reduce",
                    "long-fading-host");

    private static final List<String> WITH_PARTS =
            List.of(
                    "even",
                    "late-map",
                    "late-reduce",
                    "log-normal",
                    "slow-host",
                    "slow-host-full",
                    "paced-even",
                    "paced-late-map",
                    "paced-late-reduce",
                    "paced-log-normal",
                    "paced-slow-host");

    private static final List<String> WITH_BASELINES =
            List.of("even", "late-map", "late-reduce", "slow-host");

    /** What two processors can't show: see {@link Reservations#leftToTheSimulator}. */
    private static final Set<String> LEFT_TO_THE_SIMULATOR =
            Set.of("slow-link", "fading-host", "four-jobs");

    private static final Map<String, List<String>> WORKLOADS =
            Map.of(
                    "hibench",
                    Stream.concat(
                                    Stream.of("sort", "terasort", "wordcount")
                                            .flatMap(
                                                    name ->
                                                            Stream.of(
                                                                    name,
                                                                    WorkloadLine.withSlowHost(
                                                                            name))),
                                    Stream.of("pagerank", "kmeans", "bayes"))
                            .toList(),
                    "workloads",
                    List.of("sort", "terasort", "wordcount", "pagerank", "kmeans"));

    private final Markdown page;

    Unmeasured(Markdown page) {
        this.page = page;
    }

    void write(WholeJobs jobs, Map<String, WholeJobs> workloads, Collection<SingleResult> others) {
        page.heading("##", "Not measured yet");
        page.paragraph(
                "What is planned and has fewer than "
                        + Verdict.RUNS
                        + " runs of one version, or of fewer than three sessions; in brackets how many, if there"
                        + " are any.");
        page.heads("", "");
        row(
                "job time",
                Stream.concat(Stream.of(Trouble.values()).map(Trouble::key), OTHER_TASKS.stream())
                        .filter(key -> !LEFT_TO_THE_SIMULATOR.contains(key)),
                key -> jobs.pairs(key));
        row("what each part brings", WITH_PARTS.stream(), key -> rounds(jobs, key, Variants.PARTS));
        row(
                "Hadoop with other settings",
                WITH_BASELINES.stream(),
                key -> rounds(jobs, key, Variants.BASELINES));
        row(
                "the paper's figures 6 and 8, in small",
                Stream.of(Trouble.values())
                        .map(Trouble::key)
                        .filter(key -> Experiment.of(key).isOfPapers()),
                key -> rounds(jobs, key, Variants.PAPERS));
        for (String benchmark : List.of("hibench", "workloads")) {
            WholeJobs runs = workloads.getOrDefault(benchmark, new WholeJobs(List.of()));
            row(ResultsPage.title(benchmark), WORKLOADS.get(benchmark).stream(), runs::pairs);
        }
        List<String> kept = others.stream().map(SingleResult::name).toList();
        List<String> missing =
                Part.all().stream()
                        .map(Part::name)
                        .filter(name -> !kept.contains(name))
                        .map(Markdown::code)
                        .toList();
        if (!missing.isEmpty()) {
            page.row("parts", String.join(", ", missing));
        }
        page.line("");
        page.paragraph(
                "[Of HiBench](internals/hibench.md#what-it-needs) `pagerank` needs its generator and Pegasus,"
                        + " built; `kmeans` the generator and Mahout's distribution; `bayes` these and Spark,"
                        + " which makes its input.");
    }

    private static Optional<Pairs> rounds(WholeJobs jobs, String trouble, List<String> variants) {
        return jobs.together(trouble, variants).map(of -> of.get(variants.get(0)));
    }

    private void row(String what, Stream<String> keys, Function<String, Optional<Pairs>> runs) {
        List<String> planned = keys.toList();
        if (planned.stream().allMatch(key -> runs.apply(key).isEmpty())) {
            page.row(what, "all, " + planned.size());
            return;
        }
        List<String> missing =
                planned.stream()
                        .filter(key -> !isEnough(runs.apply(key)))
                        .map(key -> code(key) + runs.apply(key).map(Unmeasured::counted).orElse(""))
                        .toList();
        if (!missing.isEmpty()) {
            page.row(what, String.join(", ", missing));
        }
    }

    private static boolean isEnough(Optional<Pairs> pairs) {
        return pairs.filter(Pairs::isEnough).isPresent();
    }

    /** Such as " (5 of 1 session)". */
    private static String counted(Pairs pairs) {
        long sessions = pairs.sessions();
        return " ("
                + pairs.count()
                + " of "
                + sessions
                + (sessions == 1 ? " session)" : " sessions)");
    }
}
