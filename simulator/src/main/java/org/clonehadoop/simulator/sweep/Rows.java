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
package org.clonehadoop.simulator.sweep;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.clonehadoop.benchmarks.harness.Table;

/** A table, for a terminal or a document. The first row is its heading. */
public final class Rows {
    private final List<List<String>> rows = new ArrayList<>();

    public void add(List<String> cells) {
        rows.add(List.copyOf(cells));
    }

    /**
     * @param format of the number, as of {@link String#format}
     */
    public static String text(String format, Object... numbers) {
        return String.format(Locale.ROOT, format, numbers);
    }

    public String text() {
        Table table = new Table();
        rows.forEach(row -> table.row(row.toArray(String[]::new)));
        return table.toString();
    }

    public String markdown() {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < rows.size(); i++) {
            List<String> row = rows.get(i);
            text.append("| ").append(String.join(" | ", row)).append(" |\n");
            if (i == 0) {
                text.append("|---".repeat(row.size())).append("|\n");
            }
        }
        return text.toString();
    }
}
