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
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/** A page that grows by lines and tables. */
final class Markdown {
    private final StringBuilder page = new StringBuilder();

    /**
     * Begins one that the report makes.
     *
     * @param text that goes on in its first paragraph
     */
    void begin(String title, String text) {
        heading("#", title);
        paragraph("Made by `benchmarks/report` from `benchmarks/results/`; don't edit it. " + text);
    }

    void heading(String marks, String title) {
        paragraph(marks + " " + title);
    }

    void paragraph(String text) {
        line(text);
        line("");
    }

    void line(String text) {
        page.append(text).append('\n');
    }

    void heads(String... cells) {
        row(cells);
        line("|" + "---|".repeat(cells.length));
    }

    void row(String... cells) {
        line("| " + String.join(" | ", cells) + " |");
    }

    /** A row's cells: its first ones, one of each column, and its last ones. */
    static <C> String[] cells(
            List<String> first, List<C> columns, Function<C, String> cell, String... last) {
        return Stream.of(first.stream(), columns.stream().map(cell), Stream.of(last))
                .flatMap(some -> some)
                .toArray(String[]::new);
    }

    /** Empty for nothing. */
    static String text(Optional<?> value) {
        return value.map(Object::toString).orElse("");
    }

    static String code(String text) {
        return "`" + text + "`";
    }

    @Override
    public String toString() {
        return page.toString();
    }
}
