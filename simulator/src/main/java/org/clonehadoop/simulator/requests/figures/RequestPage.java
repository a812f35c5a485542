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
package org.clonehadoop.simulator.requests.figures;

import java.util.List;
import org.clonehadoop.simulator.figures.Svg;

/** All figures on one page, beside what the papers say of them. It needs no other file. */
final class RequestPage {
    static final String TITLE = "NetRS' and NetClone's figures";

    private static final String HEAD =
            """
            <!DOCTYPE html>
            <html lang="en"><head><meta charset="utf-8">
            <meta name="viewport" content="width=device-width">
            <title>NetRS' and NetClone's figures</title>
            <style>
            body { font: 15px/1.55 system-ui, sans-serif; color: #23272e; background: #f5f6f8;
                   margin: 0 auto; max-width: 1320px; padding: 1.5rem; }
            section { background: white; border: 1px solid #e3e6ea; border-radius: 8px;
                      padding: 1rem 1.4rem; margin: 1.4rem 0; }
            h2 { font-size: 1.2rem; margin: .2rem 0 .8rem; }
            .charts { display: grid; grid-template-columns: repeat(auto-fit, minmax(440px, 1fr)); gap: 1rem; }
            .charts svg { width: 100%; height: auto; }
            table { border-collapse: collapse; font-size: 14px; }
            td { padding: .25rem .7rem; border-bottom: 1px solid #e3e6ea; vertical-align: top; }
            .holds { color: #1f6b40; font-weight: 600; white-space: nowrap; }
            .doesnt { color: #b03a2e; font-weight: 600; white-space: nowrap; }
            </style></head>
            <body><h1>NetRS' and NetClone's figures</h1>
            """;

    private RequestPage() {}

    /**
     * @param how they were made, in a sentence
     */
    static String of(List<SideBySide> figures, String how) {
        StringBuilder page = new StringBuilder(HEAD);
        page.append("<p>").append(Svg.escape(how)).append("</p>\n");
        figures.forEach(figure -> add(page, figure));
        return page.append("</body></html>\n").toString();
    }

    private static void add(StringBuilder page, SideBySide both) {
        RequestFigure figure = both.any();
        page.append("<section><h2>").append(figure.id()).append(". ");
        page.append(Svg.escape(figure.title())).append("</h2>\n");
        if (!figure.note().isEmpty()) {
            page.append("<p>").append(Svg.escape(figure.note())).append("</p>\n");
        }
        if (both.simulated() != null) {
            page.append("<h3>Simulated</h3>\n");
            add(page, both.simulated());
        }
        if (both.measured() != null) {
            page.append("<h3>Measured</h3>\n");
            if (!both.points().isEmpty()) {
                page.append("<p>").append(both.validation()).append("</p>\n");
            }
            add(page, both.measured());
        }
        page.append("</section>\n");
    }

    private static void add(StringBuilder page, RequestFigure figure) {
        page.append("<div class=\"charts\">\n");
        for (Chart chart : figure.charts()) {
            page.append(chart.svg().substring(chart.svg().indexOf("<svg"))).append('\n');
        }
        page.append("</div><table>\n");
        for (Claim claim : figure.claims()) {
            page.append(
                    "<tr><td>%s</td><td class=\"%s\">%s</td><td>%s</td></tr>\n"
                            .formatted(
                                    Svg.escape(claim.text()),
                                    claim.holds() ? "holds" : "doesnt",
                                    claim.words(),
                                    Svg.escape(claim.because())));
        }
        page.append("</table>\n");
    }
}
