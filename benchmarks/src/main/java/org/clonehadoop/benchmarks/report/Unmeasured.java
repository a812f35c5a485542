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

/** What is planned and has fewer runs than a row needs, so that what is missing can be seen. */
final class Unmeasured {
    private static final List<String> LONG =
            List.of("long-even", "long-late-map", "long-late-reduce", "long-fading-host");

    private static final List<String> WITH_PARTS =
            List.of("even", "late-map", "late-reduce", "log-normal", "slow-host", "slow-host-full");

    private static final List<String> WITH_BASELINES =
            List.of("even", "late-map", "late-reduce", "slow-host");

    private static final List<Integer> PERCENTS = List.of(10, 30, 50, 70, 90);
    private static final List<Integer> FACTORS = List.of(2, 5, 20, 300);

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
                        + enough
                        + " runs of one version; in brackets how many, if there are any.");
        page.heads("", "");
        row(
                "job time",
                Stream.concat(Stream.of(Trouble.values()).map(Trouble::key), LONG.stream()),
                key -> count(jobs.pairs(key)));
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
            row(
                    ResultsPage.title(benchmark),
                    WORKLOADS.get(benchmark).stream(),
                    key -> count(runs.pairs(key)));
        }
        List<String> kept = others.stream().map(SingleResult::name).toList();
        row("parts", Part.all().stream().map(Part::name), name -> kept.contains(name) ? enough : 0);
        page.line("");
        page.paragraph(
                "HiBench's `pagerank` needs the generator and Pegasus' jar that HiBench's own build makes,"
                        + " `kmeans` that generator and Mahout, `bayes` these and Spark: `scripts/hibench"
                        + " check` says which are missing. None of them was built here yet.");
    }

    private static Stream<String> points() {
        return PERCENTS.stream()
                .flatMap(percent -> FACTORS.stream().map(factor -> percent + "-" + factor));
    }

    private Function<String, Integer> point(WholeJobs jobs) {
        Optional<OnsetSweep> sweep = OnsetSweep.of(jobs, enough);
        return point -> {
            String[] of = point.split("-");
            return count(
                    sweep.flatMap(
                            some -> some.pairs(Integer.parseInt(of[0]), Integer.parseInt(of[1]))));
        };
    }

    private static int count(Optional<Pairs> pairs) {
        return pairs.map(Pairs::count).orElse(0);
    }

    private static int rounds(WholeJobs jobs, String trouble, List<String> variants) {
        return count(jobs.together(trouble, variants).map(of -> of.get(variants.get(0))));
    }

    private void row(String what, Stream<String> keys, Function<String, Integer> runs) {
        List<String> planned = keys.toList();
        if (planned.stream().allMatch(key -> runs.apply(key) == 0)) {
            page.row(what, "all, " + planned.size());
            return;
        }
        List<String> missing =
                planned.stream()
                        .filter(key -> runs.apply(key) < enough)
                        .map(
                                key ->
                                        code(key)
                                                + (runs.apply(key) == 0
                                                        ? ""
                                                        : " (" + runs.apply(key) + ")"))
                        .toList();
        if (!missing.isEmpty()) {
            page.row(what, String.join(", ", missing));
        }
    }
}
