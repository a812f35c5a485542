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

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** What came out: a table for people, and a flat JSON object for programs. */
public final class Summary {
    private static final ObjectMapper MAPPER =
            new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

    private final Table table = new Table();
    private final Map<String, Object> values = new LinkedHashMap<>();

    /** A heading, and the heads of the columns below it. */
    public void section(String title) {
        table.row("");
        table.row(title, "median", "min", "max", "", "goal");
    }

    /** The median under this key; the key says the unit. */
    public void add(String key, String label, Series series) {
        addRow(key, label, series, "");
    }

    public void add(String key, String label, Series series, Goal goal) {
        addRow(key, label, series, goal.judge(series.median(), Unit.ofKey(key)));
    }

    /** As add(), of paired ratios: their interval of confidence is as telling as their median. */
    public void addPaired(String key, String label, Series ratios, Goal goal) {
        add(key, label, ratios, goal);
        Series.Interval interval = ratios.medianInterval();
        Unit unit = Unit.ofKey(key);
        table.row(
                String.format(
                        "    with %.0f %% confidence from %s to %s",
                        100 * interval.confidence(),
                        unit.format(interval.low()),
                        unit.format(interval.high())));
        put(key + "_low", rounded(interval.low()));
        put(key + "_high", rounded(interval.high()));
    }

    /** A heading, with columns of its own. */
    public void heading(String title, String... columns) {
        table.row("");
        row(title, columns);
    }

    /** Below such a heading: one number for each key, in its unit; what isn't finite is "-". */
    public void addAll(String label, List<String> keys, List<Double> numbers, String remark) {
        String[] cells = new String[keys.size() + 1];
        for (int i = 0; i < keys.size(); i++) {
            double number = numbers.get(i);
            boolean known = Double.isFinite(number);
            put(keys.get(i), known ? rounded(number) : null);
            cells[i] = known ? Unit.ofKey(keys.get(i)).format(number) : "-";
        }
        cells[keys.size()] = remark;
        row("  " + label, cells);
    }

    private void row(String first, String... others) {
        table.row(Stream.concat(Stream.of(first), Stream.of(others)).toArray(String[]::new));
    }

    /** For programs only. */
    public void put(String key, Object value) {
        if (values.containsKey(key)) {
            throw new IllegalArgumentException("two values for " + key);
        }
        values.put(key, value);
    }

    private void addRow(String key, String label, Series series, String goal) {
        Unit unit = Unit.ofKey(key);
        put(key, rounded(series.median()));
        table.row(
                "  " + label,
                unit.format(series.median()),
                unit.format(series.min()),
                unit.format(series.max()),
                unit.symbol(),
                goal);
    }

    /** More digits than any measurement here is good for, and no more. */
    private static Object rounded(double value) {
        return value == Math.rint(value) && Math.abs(value) < 1e15
                ? (Object) (long) value
                : (Object) (Math.round(value * 1e4) / 1e4);
    }

    public String table() {
        return table.toString();
    }

    public String json() throws IOException {
        return MAPPER.writeValueAsString(values) + "\n";
    }

    /** The file appears whole or not at all. */
    public void write(Path file) throws IOException {
        Path temporary = file.resolveSibling(file.getFileName() + ".new");
        Files.writeString(temporary, json());
        Files.move(
                temporary,
                file,
                StandardCopyOption.ATOMIC_MOVE,
                StandardCopyOption.REPLACE_EXISTING);
    }
}
