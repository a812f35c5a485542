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
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.clonehadoop.simulator.Rules;
import org.clonehadoop.simulator.figures.Interval;
import org.clonehadoop.simulator.mapreduce.JobSpec;
import org.clonehadoop.simulator.mapreduce.RunRecord;

/**
 * Scenarios at all points of a sweep, beside stock's speculation there.
 *
 * @param cells by point, and for each by scenario
 */
record Sweep(List<Axis> axes, List<Cell> cells) {

    /**
     * @param first seed of so many runs
     * @throws IllegalArgumentException if a scenario hasn't what is to be varied
     */
    static Sweep of(Map<String, JobSpec> scenarios, List<Axis> axes, long first, int runs) {
        Map<Point, List<Trial>> trials = new LinkedHashMap<>();
        List<Asked> asked = new ArrayList<>();
        for (Point point : Point.crossed(axes)) {
            List<Trial> there =
                    scenarios.entrySet().stream()
                            .map(one -> new Trial(one.getKey(), one.getValue(), Rules.PRESET))
                            .map(point::set)
                            .toList();
            trials.put(point, there);
            for (Trial trial : there) {
                asked.addAll(Asked.each(trial, first, runs));
                asked.addAll(Asked.stocks(trial, first, runs));
            }
        }
        Map<Asked, RunRecord> done = Asked.run(asked);
        List<Cell> cells = new ArrayList<>();
        trials.forEach(
                (point, there) ->
                        there.forEach(
                                trial ->
                                        cells.add(
                                                new Cell(
                                                        trial.scenario(),
                                                        point,
                                                        first,
                                                        results(
                                                                done,
                                                                Asked.each(trial, first, runs)),
                                                        results(
                                                                done,
                                                                Asked.stocks(
                                                                        trial, first, runs))))));
        return new Sweep(axes, cells);
    }

    private static List<RunRecord> results(Map<Asked, RunRecord> done, List<Asked> asked) {
        return asked.stream().map(done::get).toList();
    }

    private List<Point> points() {
        return cells.stream().map(Cell::point).distinct().toList();
    }

    private List<Cell> at(Point point) {
        return cells.stream().filter(cell -> cell.point().equals(point)).toList();
    }

    /** The geometric mean of all scenarios' job times over stock's. */
    Interval mean(Point point) {
        List<Cell> there = at(point);
        return Interval.ofGeometricMeans(
                there.stream().map(cell -> Cell.each(cell.ours(), RunRecord::jobSeconds)).toList(),
                there.stream()
                        .map(cell -> Cell.each(cell.stocks(), RunRecord::jobSeconds))
                        .toList());
    }

    Rows table() {
        Rows rows = new Rows();
        rows.add(
                row(
                        "scenario",
                        axes.stream().map(Axis::key).toList(),
                        "job",
                        "over stock's",
                        "95 %",
                        "thrown away",
                        "stock's",
                        "clones won"));
        cells.forEach(cell -> rows.add(row(cell)));
        boolean several = cells.size() > points().size();
        if (several) {
            points().forEach(point -> rows.add(means(point)));
        }
        return rows;
    }

    private static List<String> row(String scenario, List<String> settings, String... numbers) {
        List<String> row = new ArrayList<>();
        row.add(scenario);
        row.addAll(settings);
        row.addAll(Arrays.asList(numbers));
        return row;
    }

    private static List<String> row(Cell cell) {
        Interval over = cell.overStocks();
        return row(
                cell.scenario(),
                List.copyOf(cell.point().settings().values()),
                Rows.text("%.1f s", Cell.mean(cell.ours(), RunRecord::jobSeconds)),
                Rows.text("%.3f", over.value()),
                Rows.text("%.3f–%.3f", over.low(), over.high()),
                Rows.text("%.0f s", Cell.mean(cell.ours(), RunRecord::thrownAwaySeconds)),
                Rows.text("%.0f s", Cell.mean(cell.stocks(), RunRecord::thrownAwaySeconds)),
                won(List.of(cell)));
    }

    private List<String> means(Point point) {
        Interval over = mean(point);
        List<Cell> there = at(point);
        return row(
                "geometric mean",
                List.copyOf(point.settings().values()),
                "",
                Rows.text("%.3f", over.value()),
                Rows.text("%.3f–%.3f", over.low(), over.high()),
                "",
                "",
                won(there));
    }

    private static String won(List<Cell> cells) {
        long won =
                cells.stream().flatMap(c -> c.ours().stream()).mapToLong(r -> r.wonClones()).sum();
        long ran =
                cells.stream().flatMap(c -> c.ours().stream()).mapToLong(r -> r.ranClones()).sum();
        return won + " of " + ran;
    }

    /** What was varied last tells colours, all else rows. */
    String picture() {
        Axis colours = axes.get(axes.size() - 1);
        Map<String, List<Interval>> rows = new LinkedHashMap<>();
        for (Cell cell : cells) {
            rows.computeIfAbsent(
                            label(cell.scenario(), cell.point(), colours), x -> new ArrayList<>())
                    .add(cell.overStocks());
        }
        if (cells.size() > points().size()) {
            for (Point point : points()) {
                rows.computeIfAbsent(
                                label("geometric mean", point, colours), x -> new ArrayList<>())
                        .add(mean(point));
            }
        }
        return DotChart.svg("Job time over stock's", colours.key(), colours.values(), rows);
    }

    private static String label(String scenario, Point point, Axis colours) {
        StringBuilder label = new StringBuilder(scenario);
        point.settings()
                .forEach(
                        (key, value) -> {
                            if (!key.equals(colours.key())) {
                                label.append(", ").append(key).append(' ').append(value);
                            }
                        });
        return label.toString();
    }
}
