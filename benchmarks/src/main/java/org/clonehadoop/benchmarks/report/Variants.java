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
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** Tables of what parts of CloneHadoop bring, and of what Hadoop's own settings do. */
final class Variants {
    private static final String NO_CLONES = "no-clones";

    private static final String CLONE = "clone";

    /** In the order in which one comes on top of the other. */
    static final List<String> PARTS = List.of("spill", NO_CLONES, CLONE, WholeJobs.ALL);

    /** All that there ever were but Hadoop's, CloneHadoop's last. */
    private static final List<String> EVER =
            List.of(
                    "stock-eager",
                    "stock-smoothed",
                    "spill",
                    "speculator",
                    NO_CLONES,
                    CLONE,
                    WholeJobs.ALL);

    static final List<String> BASELINES = List.of("stock-eager", "stock-smoothed", WholeJobs.ALL);

    /** What the paper compares with Hadoop: its CloneHadoop with LATE, and with clones. */
    static final List<String> PAPERS = List.of("spill", WholeJobs.ALL);

    private static final Map<String, String> NAMES =
            Map.of(
                    WholeJobs.STOCK,
                    "Hadoop",
                    "stock-eager",
                    "Hadoop with 1 s of rest between two second attempts, not 15",
                    "stock-smoothed",
                    "Hadoop's exponentially smoothed estimates",
                    "speculator",
                    "our speculator in Hadoop's AppMaster",
                    NO_CLONES,
                    "our speculator in CloneAppMaster, clones priced out",
                    CLONE,
                    "our speculator in CloneAppMaster, with clones",
                    "spill",
                    "per-spill outputs, Hadoop's speculator",
                    WholeJobs.ALL,
                    "CloneHadoop");

    private final WholeJobs jobs;
    private final List<Experiment> experiments;
    private final Markdown page;

    Variants(WholeJobs jobs, Markdown page) {
        this.jobs = jobs;
        experiments = Experiment.ofRows(jobs.troubles());
        this.page = page;
    }

    /** For people. */
    static String name(String variant) {
        return NAMES.getOrDefault(variant, variant);
    }

    void write() {
        table(
                "What each part brings",
                "Job time over Hadoop's, and how many clones won, of rounds in which all of these took"
                        + " turns. Hadoop's AppMaster can't clone, and lacks more that CloneAppMaster has:"
                        + " [placement by what hosts were seen to do](speculation.md#where-another-attempt-should-run),"
                        + " [first attempts that give a slow host's container back](speculation.md#first-attempts-and-slow-hosts),"
                        + " [reduces that yield to waiting maps](speculation.md#where-reduces-hold-all-containers),"
                        + " starts that are heard of at once, and containers that are asked for at once."
                        + " So \"what clones bring\" is the time of CloneAppMaster with them over that without,"
                        + " round by round. The DataNodes have their plugin under all of these. Rounds of"
                        + " other versions: [every round](results-history.md#what-each-part-brings-and-other-settings-of-hadoop).",
                experiments,
                PARTS,
                Variants::cell);
        table(
                "Hadoop with other settings",
                "Job time over Hadoop's as it is by default, of rounds in which all of these took turns.",
                experiments,
                BASELINES,
                Variants::cell);
        table(
                "The paper's figures 6 and 8, in small",
                "Job time over Hadoop's, and that of the maps' phase, with the delays of"
                        + " [the simulated ones](paper-figures.md) (`benchmarks/stragglers/run`). Six maps and"
                        + " three reduces on three hosts, where the paper has 96 tasks on 64.",
                experiments.stream().filter(Experiment::isOfPapers).toList(),
                PAPERS,
                Variants::cellWithMaps);
    }

    /** Rounds in which Hadoop's job and such a one took turns, of every version. */
    static void everyRound(WholeJobs jobs, Markdown page) {
        List<String[]> rows = new ArrayList<>();
        for (Experiment experiment : Experiment.inOrder(jobs.troubles())) {
            for (TestMachine machine : TestMachine.values()) {
                List<Optional<Pairs>> row =
                        EVER.stream()
                                .map(variant -> jobs.ever(experiment.key(), variant))
                                .map(ever -> ever.flatMap(machine::of))
                                .toList();
                // CloneHadoop's own have a table.
                if (row.subList(0, EVER.size() - 1).stream().anyMatch(Optional::isPresent)) {
                    rows.add(
                            Markdown.cells(
                                    List.of(experiment.what(), machine.text()),
                                    row,
                                    pairs -> pairs.map(Variants::counted).orElse(""),
                                    clonesBring(jobs, experiment, machine)));
                }
            }
        }
        if (rows.isEmpty()) {
            return;
        }
        page.heading("###", "What each part brings, and other settings of Hadoop");
        page.paragraph(
                "Of each variant the rounds in which it and Hadoop's job took turns: how many, and over"
                        + " Hadoop's. \"What clones bring\" is the time with clones over that with clones priced"
                        + " out, of the rounds that have both.");
        page.heads(
                Markdown.cells(List.of("", "machine"), EVER, Variants::name, "what clones bring"));
        rows.forEach(page::row);
        page.line("");
    }

    /**
     * Of every setup's rounds in which both took turns with Hadoop's: how many, and what clones
     * bring.
     */
    private static String clonesBring(WholeJobs jobs, Experiment experiment, TestMachine machine) {
        return jobs.ever(experiment.key(), NO_CLONES, CLONE)
                .flatMap(machine::of)
                .map(pairs -> pairs.count() + ": " + pairs.overStock().text())
                .orElse("");
    }

    private static String counted(Pairs pairs) {
        return pairs.count() + ": " + cell(pairs);
    }

    private void table(
            String title,
            String explanation,
            List<Experiment> some,
            List<String> variants,
            Function<Pairs, String> cell) {
        List<Map<String, Pairs>> rows =
                some.stream()
                        .map(experiment -> row(experiment, variants))
                        .filter(row -> !row.isEmpty())
                        .toList();
        if (rows.isEmpty()) {
            return;
        }
        page.heading("###", title);
        page.paragraph(explanation);
        page.heads(
                Markdown.cells(
                        List.of("", "runs"),
                        variants,
                        Variants::name,
                        last(variants, "what clones bring", "version")));
        for (Map<String, Pairs> row : rows) {
            Pairs any = row.values().iterator().next();
            page.row(
                    Markdown.cells(
                            List.of(code(any.trouble()), String.valueOf(any.count())),
                            variants,
                            variant -> cell.apply(row.get(variant)),
                            last(variants, clonesBring(row), code(any.setup().version()))));
        }
        page.line("");
    }

    /** Empty if there is no such round. */
    private Map<String, Pairs> row(Experiment experiment, List<String> variants) {
        return jobs.together(experiment.key(), variants).orElse(Map.of());
    }

    private static String[] last(List<String> variants, String clonesBring, String version) {
        return variants.contains(NO_CLONES)
                ? new String[] {clonesBring, version}
                : new String[] {version};
    }

    private static String clonesBring(Map<String, Pairs> row) {
        return row.containsKey(NO_CLONES) ? row.get(CLONE).over(row.get(NO_CLONES)).text() : "";
    }

    private static String cellWithMaps(Pairs pairs) {
        return cell(pairs)
                + pairs.mapsOverStock().map(ratios -> "; maps " + ratios.text()).orElse("");
    }

    private static String cell(Pairs pairs) {
        int clones = pairs.other().sum(JobLine::clonesWon);
        return pairs.overStock().text() + (clones == 0 ? "" : "; " + clones + " won");
    }
}
