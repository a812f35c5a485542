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

/** What the page says of an {@link OnsetSweep}. */
final class OnsetSection {
    private final OnsetSweep sweep;
    private final Markdown page;

    OnsetSection(OnsetSweep sweep, Markdown page) {
        this.sweep = sweep;
        this.page = page;
    }

    void write(Pictures pictures) {
        page.heading("###", "From when on, and how much slower");
        page.paragraph(
                "One map goes on slowly: CloneHadoop's time over Hadoop's; in how many runs; and how many"
                        + " clones and attempts from zero won. Bold where the interval leaves 1 out. All of"
                        + " version "
                        + Markdown.code(sweep.setup().version())
                        + ".");
        page.heads(
                Markdown.cells(
                        List.of("after"), sweep.factors(), factor -> factor + " times slower"));
        for (int percent : sweep.percents()) {
            page.row(
                    Markdown.cells(
                            List.of(percent + " %"),
                            sweep.factors(),
                            factor ->
                                    sweep.pairs(percent, factor)
                                            .map(OnsetSection::cell)
                                            .orElse("not measured")));
        }
        page.line("");
        pictures.show(Plot.ONSET, page);
        sweep.cloneShare()
                .ifPresent(
                        share -> {
                            page.paragraph(
                                    String.format(
                                            Locale.ROOT,
                                            "By [the formula](speculation.md#clonescore), of the map alone and had"
                                                    + " its pace been known at once: how long it still takes with the"
                                                    + " best of itself, a clone and an attempt from zero, over that"
                                                    + " without clones. A clone took %.2f of a map's time here.",
                                            share));
                            pictures.show(Plot.FORMULA, page);
                        });
    }

    private static String cell(Pairs pairs) {
        MeanRatio mean = pairs.overStock().mean();
        boolean isSure = mean.high() < 1 || mean.low() > 1;
        return (isSure ? "**" + mean + "**" : mean.toString())
                + "; "
                + pairs.count()
                + (pairs.count() == 1 ? " run; " : " runs; ")
                + pairs.other().winners();
    }
}
