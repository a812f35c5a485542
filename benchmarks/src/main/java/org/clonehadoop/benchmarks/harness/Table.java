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
package org.clonehadoop.benchmarks.harness;

import java.util.ArrayList;
import java.util.List;

/** A table for people: the first column to the left, the others to the right. */
public final class Table {
    private static final String GAP = "  ";

    private final List<List<String>> rows = new ArrayList<>();

    /** Rows may differ in length: one cell alone is a heading, and widens no column. */
    public void row(String... cells) {
        rows.add(List.of(cells));
    }

    @Override
    public String toString() {
        List<Integer> widths = widths();
        StringBuilder text = new StringBuilder();
        for (List<String> row : rows) {
            StringBuilder line = new StringBuilder();
            for (int column = 0; column < row.size(); column++) {
                String cell = row.get(column);
                String padding =
                        " ".repeat(row.size() == 1 ? 0 : widths.get(column) - cell.length());
                line.append(column == 0 ? cell + padding : GAP + padding + cell);
            }
            text.append(line.toString().stripTrailing()).append('\n');
        }
        return text.toString();
    }

    private List<Integer> widths() {
        List<Integer> widths = new ArrayList<>();
        for (List<String> row : rows) {
            for (int column = 0; column < row.size() && row.size() > 1; column++) {
                if (column == widths.size()) {
                    widths.add(0);
                }
                widths.set(column, Math.max(widths.get(column), row.get(column).length()));
            }
        }
        return widths;
    }
}
