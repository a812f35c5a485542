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
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/** What the pages say of benchmarks of one part each. */
final class SingleResults {
    private final Map<String, SingleResult> results = new LinkedHashMap<>();
    private final Markdown page;

    SingleResults(Collection<SingleResult> results, Markdown page) {
        results.forEach(result -> this.results.put(result.name(), result));
        this.page = page;
    }

    /** Those of clones, and any of which nobody has said what matters. */
    void ofClones() {
        explain();
        parts(part -> !part.isOfReads());
        List<String> known = Part.all().stream().map(Part::name).toList();
        results.values().stream()
                .filter(result -> !known.contains(result.name()))
                .forEach(this::keys);
    }

    void ofReads() {
        explain();
        parts(Part::isOfReads);
    }

    private void explain() {
        page.paragraph(
                "One benchmark each: medians of its runs, in brackets the interval that it gives with"
                        + " them, or of few runs the least and the greatest. Its own JSON in"
                        + " `benchmarks/results/` has all that it measured.");
    }

    private void parts(Predicate<Part> such) {
        for (Part part : Part.all()) {
            if (such.test(part)) {
                Optional.ofNullable(results.get(part.name()))
                        .ifPresent(result -> part(part, result));
            }
        }
    }

    private void part(Part part, SingleResult result) {
        page.heading("##", part.title());
        page.paragraph(
                String.format(
                        "`%s`, version `%s`%s%s. [What is measured](%s).",
                        result.command().orElse("benchmarks/" + part.command()),
                        result.commit(),
                        runs(result),
                        result.machine().isEmpty() ? "" : ", on " + result.machine(),
                        part.page()));
        page.heads("", "", "aim");
        for (Part.Row row : part.rows()) {
            Optional<String> value = row.value(result.values());
            page.row(
                    row.what(),
                    value.orElse("not measured"),
                    value.map(known -> row.aim(result.values())).orElse(""));
        }
        page.line("");
    }

    private static String runs(SingleResult result) {
        String runs = result.values().get("runs");
        return runs == null ? "" : ", " + (runs.equals("1") ? "one run" : runs + " runs");
    }

    // Of a benchmark for which nobody has said what matters.
    private void keys(SingleResult result) {
        page.heading("##", result.name());
        page.paragraph("Version `" + result.commit() + "`" + runs(result) + ".");
        page.heads("key", "value");
        result.values().forEach((key, value) -> page.row("`" + key + "`", value));
        page.line("");
    }
}
