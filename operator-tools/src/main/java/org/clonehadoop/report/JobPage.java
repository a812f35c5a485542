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
package org.clonehadoop.report;

import java.util.List;
import java.util.Locale;

/** A job's report for a browser: one page that needs nothing else. Pure. */
final class JobPage {
    private JobPage() {}

    static String html(Job job, List<String> summary, List<CloneLine> clones) {
        StringBuilder page = new StringBuilder();
        page.append("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>")
                .append(escape(job.id()))
                .append("</title>\n<style>body{font-family:sans-serif;margin:2em}")
                .append("td,th{padding:.2em 1em .2em 0;text-align:left}</style></head><body>\n<h1>")
                .append(escape(job.id()))
                .append("</h1>\n");
        summary.forEach(line -> page.append("<p>").append(escape(line)).append("</p>\n"));
        page.append(SwimLanes.svg(job.name(), job));
        page.append(
                "<p>Time begins with the job's submission; its AppMaster starts before its first"
                        + " attempt. Reduces are paler than maps. A line leads from an original to"
                        + " its clone, where the clone's container was launched.</p>\n");
        if (!clones.isEmpty()) {
            page.append("<h2>Clones</h2>\n<table>\n");
            row(page, "th", ReportCommand.HEAD);
            clones.forEach(clone -> row(page, "td", ReportCommand.cells(clone)));
            page.append("</table>\n");
        }
        return page.append("</body></html>\n").toString();
    }

    private static void row(StringBuilder page, String cell, List<String> texts) {
        page.append("<tr>");
        texts.forEach(
                text ->
                        page.append(
                                String.format(
                                        Locale.ROOT, "<%s>%s</%s>", cell, escape(text), cell)));
        page.append("</tr>\n");
    }

    static String escape(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;")
                .replace("'", "&#39;");
    }
}
