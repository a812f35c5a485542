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
import java.util.function.BiFunction;

/** What the page says of an {@link OnsetSweep}, and of the simulated one. */
final class OnsetSection {
    private static final String TITLE = "From when on, and how much slower";

    /** Ratios are shown with two digits. */
    private static final double ROUNDING = 0.005;

    private final Markdown page;

    OnsetSection(Markdown page) {
        this.page = page;
    }

    void measured(OnsetSweep sweep, Pictures pictures) {
        page.heading("###", TITLE);
        page.paragraph(
                "One map goes on slowly: CloneHadoop's time over Hadoop's; in how many runs; and how many"
                        + " clones and attempts from zero won. Bold where the interval leaves 1 out. All of"
                        + " version "
                        + Markdown.code(sweep.setup().version())
                        + ".");
        table(
                sweep.percents(),
                sweep.factors(),
                (percent, factor) -> sweep.pairs(percent, factor).map(OnsetSection::cell));
        pictures.show(Plot.ONSET, page);
        sweep.cloneShare().ifPresent(share -> formula(share, Plot.FORMULA, pictures));
    }

    private void formula(double share, Plot plot, Pictures pictures) {
        page.paragraph(
                String.format(
                        Locale.ROOT,
                        "By [the formula](speculation.md#clonescore), of the map alone and had its pace been"
                                + " known at once: how long it still takes with the best of itself, a clone"
                                + " and an attempt from zero, over that without clones. A clone took %.2f of"
                                + " a map's time here.",
                        share));
        pictures.show(plot, page);
    }

    void simulated(SimulatedOnset sweep, Pictures pictures) {
        page.heading("###", TITLE + ", simulated");
        page.paragraph(
                "One of the 24 maps of [the catalogue's](simulator.md#the-catalogue) `slow-map` goes"
                        + " on slowly, where hosts don't share two processors. Job time with CloneHadoop over that"
                        + " with Hadoop's speculation, "
                        + sweep.runs()
                        + (sweep.runs() == 1 ? " seed" : " seeds")
                        + ", by version "
                        + Markdown.code(sweep.version())
                        + "; and how many clones and attempts from zero won in all of these. Bold where the"
                        + " interval leaves 1 out. The simulator is"
                        + " [not validated](simulator.md#validation).");
        table(
                sweep.percents(),
                sweep.factors(),
                (percent, factor) ->
                        sweep.cell(percent, factor)
                                .map(cell -> text(cell.overStock()) + "; " + cell.winners()));
        pictures.show(Plot.SIMULATED, page);
        sweep.cloneShare().ifPresent(share -> formula(share, Plot.SIMULATED_FORMULA, pictures));
    }

    private void table(
            List<Integer> percents,
            List<Integer> factors,
            BiFunction<Integer, Integer, Optional<String>> cells) {
        page.heads(Markdown.cells(List.of("after"), factors, factor -> factor + " times slower"));
        for (int percent : percents) {
            page.row(
                    Markdown.cells(
                            List.of(percent + " %"),
                            factors,
                            factor -> cells.apply(percent, factor).orElse("not measured")));
        }
        page.line("");
    }

    private static String cell(Pairs pairs) {
        return text(pairs.overStock()) + "; " + pairs.countText() + "; " + pairs.other().winners();
    }

    /** Bold if it is sure that it isn't 1, by what is shown. */
    private static String text(Ratios ratios) {
        MeanRatio mean = ratios.mean();
        boolean isSure =
                ratios.tellAlone() && (mean.high() < 1 - ROUNDING || mean.low() >= 1 + ROUNDING);
        return isSure ? "**" + mean + "**" : ratios.text();
    }
}
