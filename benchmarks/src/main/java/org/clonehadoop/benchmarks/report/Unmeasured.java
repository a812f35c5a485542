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
                    "paced-log-normal");

    private static final List<String> WITH_BASELINES =
            List.of("even", "late-map", "late-reduce", "slow-host");

    private static final List<Integer> PERCENTS = List.of(10, 50, 90);
    private static final List<Integer> FACTORS = List.of(2, 20, 300);

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

    private final int enough;
    private final Markdown page;

    /**
     * @param enough runs for a row
     */
    Unmeasured(int enough, Markdown page) {
        this.enough = enough;
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
                Stream.concat(Stream.of(Trouble.values()).map(Trouble::key), OTHER_TASKS.stream()),
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
        row("from when on, and how much slower", points(), point(jobs));
        for (String benchmark : List.of("hibench", "workloads")) {
            WholeJobs runs = workloads.getOrDefault(benchmark, new WholeJobs(List.of(), enough));
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
                        + " which makes its input. \"From when on\" has nine points here: the"
                        + " others are simulated.");
    }

    private static Stream<String> points() {
        return PERCENTS.stream()
                .flatMap(percent -> FACTORS.stream().map(factor -> percent + "-" + factor));
    }

    private Function<String, Optional<Pairs>> point(WholeJobs jobs) {
        Optional<OnsetSweep> sweep = OnsetSweep.of(jobs, enough);
        return point -> {
            String[] of = point.split("-");
            return sweep.flatMap(
                    some -> some.pairs(Integer.parseInt(of[0]), Integer.parseInt(of[1])));
        };
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
