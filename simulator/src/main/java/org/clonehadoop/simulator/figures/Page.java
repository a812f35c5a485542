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
package org.clonehadoop.simulator.figures;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** One page with all figures, beside what the paper says of them. It needs no other file. */
final class Page {
    private static final String STYLE =
            """
            :root { color-scheme: light; }
            body { font: 15px/1.55 system-ui, sans-serif; color: #23272e; background: #f5f6f8;
                   margin: 0 auto; max-width: 1200px; padding: 1.5rem; }
            section { background: white; border: 1px solid #e3e6ea; border-radius: 8px;
                      padding: 1rem 1.4rem; margin: 1.4rem 0; }
            h1 { font-size: 1.7rem; margin-bottom: .2rem; }
            h2 { font-size: 1.2rem; margin: .2rem 0 .8rem; }
            .warning { border-left: 4px solid #d98324; padding: .5rem 1rem; background: #fdf5ea; }
            .charts { display: grid; grid-template-columns: repeat(auto-fit, minmax(440px, 1fr));
                      gap: 1rem; }
            .charts svg { width: 100%; height: auto; }
            table { border-collapse: collapse; font-size: 14px; }
            th, td { text-align: left; padding: .25rem .7rem; border-bottom: 1px solid #e3e6ea;
                     vertical-align: top; }
            .holds { color: #1f6b40; font-weight: 600; }
            .doesnt { color: #b03a2e; font-weight: 600; }
            .matrix td.answer { text-align: center; }
            summary { cursor: pointer; color: #4a5260; }
            .claim { margin: 1rem 0 .3rem; }
            """;

    /** With the style, the seeds of the first reading, and those of the others. */
    private static final String HEAD =
            """
            <!DOCTYPE html>
            <html lang="en"><head><meta charset="utf-8">
            <meta name="viewport" content="width=device-width">
            <title>The paper's figures, simulated</title>
            <style>%s</style></head>
            <body><h1>The paper's figures, simulated</h1>
            <p class="warning">Not validated: no real runs stand beside these. Compare rules with
            each other, and take no number for a measurement.</p>
            <section><h2>How to read this page</h2><ul>
            <li>Each job runs on 64 simulated nodes with seeds 1 to %d. A seed delays the same
            attempts from zero in all variants.</li>
            <li>A bar or a curve is the mean of all runs. The thin line over a bar is the 95&nbsp;%%
            interval over seeds.</li>
            <li>Costs <b>paper</b>: a clone takes 15 s, its files travel at 40 MB/s, and the
            original stands still meanwhile. Costs <b>measured</b>: what this project's clones
            take.</li>
            <li>Observations are judged by the paper's own algorithm.</li>
            <li>The paper leaves open how its caps are meant and how long its delays are. Bars and
            curves are with the first of these readings. The grey band goes from the least to the
            greatest mean of them all; those after the first have seeds 1 to %d.<ol>
            """;

    private final StringBuilder html = new StringBuilder();

    private Page() {}

    /**
     * @param panels of all figures, in their order
     * @param runs that they were made of
     */
    static String of(List<Panel> panels, Runs runs) {
        Page page = new Page();
        page.head(runs);
        page.matrix(panels);
        Map<Figure, List<Panel>> figures = new LinkedHashMap<>();
        for (Panel panel : panels) {
            figures.merge(
                    panel.figure(),
                    List.of(panel),
                    (some, more) -> Stream.concat(some.stream(), more.stream()).toList());
        }
        figures.forEach(page::figure);
        return page.html.append("</body></html>\n").toString();
    }

    private void head(Runs runs) {
        add(HEAD.formatted(STYLE, runs.seeds(Reading.FIRST), runs.seeds(Reading.STOCK_CAPS)));
        for (Reading reading : Reading.values()) {
            add("<li>" + Svg.escape(reading.title) + "</li>");
        }
        add("</ol></li></ul></section>");
    }

    private void matrix(List<Panel> panels) {
        List<String> books = panels.stream().map(panel -> panel.costs().name()).distinct().toList();
        add("<section><h2>Observations</h2><table class=\"matrix\"><tr><th></th><th></th>");
        for (String book : books) {
            add("<th colspan=\"" + Reading.values().length + "\">costs: " + book + "</th>");
        }
        add("</tr><tr><th></th><th>reading</th>");
        for (int i = 0; i < books.size() * Reading.values().length; i++) {
            add("<th>" + (i % Reading.values().length + 1) + "</th>");
        }
        add("</tr>");
        for (Observation observation : Observation.values()) {
            List<Panel> rows =
                    panels.stream().filter(p -> p.figure() == observation.figure).toList();
            if (!rows.isEmpty()) {
                matrixRow(observation, rows);
            }
        }
        add(
                """
                <tr><td>12</td><td>Several jobs in a row gain as single ones do.</td>
                <td colspan="%d">Not simulated: jobs in a row have nothing in common here, so their
                gain is the mean of theirs by arithmetic.</td></tr>\
                """
                        .formatted(books.size() * Reading.values().length));
        add("</table></section>");
    }

    private void matrixRow(Observation observation, List<Panel> panels) {
        add(
                "<tr><td>"
                        + observation.number
                        + "</td><td>"
                        + Svg.escape(observation.claim)
                        + "</td>");
        for (Panel panel : panels) {
            for (Reading reading : Reading.values()) {
                Verdict verdict = panel.verdict(observation, reading);
                add(
                        "<td class=\"answer %s\" title=\"%s\">%s</td>"
                                .formatted(
                                        style(verdict),
                                        Svg.escape(verdict.numbers()),
                                        verdict.holds() ? "✓" : "✗"));
            }
        }
        add("</tr>");
    }

    private void figure(Figure figure, List<Panel> panels) {
        add("<section><h2>Figure " + figure.number + ". " + figure.title + "</h2>");
        add("<div class=\"charts\">");
        panels.forEach(panel -> Drawing.of(panel).forEach(this::add));
        add("</div>");
        for (Observation observation : Observation.of(figure)) {
            observation(observation, panels);
        }
        add("</section>");
    }

    private void observation(Observation observation, List<Panel> panels) {
        add("<p class=\"claim\"><b>" + observation.title() + "</b>: ");
        add(Svg.escape(observation.claim) + "</p>");
        if (panels.stream().anyMatch(panel -> !panel.verdict(observation, Reading.FIRST).holds())) {
            add("<p>It doesn't, because " + Svg.escape(observation.cause) + ".</p>");
        }
        add("<table>");
        for (Panel panel : panels) {
            verdict(panel, observation, Reading.FIRST);
        }
        add("</table><details><summary>with the other readings</summary><table>");
        for (Panel panel : panels) {
            Stream.of(Reading.values())
                    .filter(reading -> reading != Reading.FIRST)
                    .forEach(reading -> verdict(panel, observation, reading));
        }
        add("</table></details>");
    }

    private void verdict(Panel panel, Observation observation, Reading reading) {
        Verdict verdict = panel.verdict(observation, reading);
        add(
                "<tr><td>costs: %s</td><td>%s</td><td class=\"%s\">%s</td><td>%s</td></tr>"
                        .formatted(
                                panel.costs().name(),
                                reading == Reading.FIRST ? "" : Svg.escape(reading.title),
                                style(verdict),
                                verdict.word(),
                                Svg.escape(verdict.numbers())));
    }

    private static String style(Verdict verdict) {
        return verdict.holds() ? "holds" : "doesnt";
    }

    private void add(String text) {
        html.append(text).append('\n');
    }
}
