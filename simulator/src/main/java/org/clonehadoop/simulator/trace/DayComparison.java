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
package org.clonehadoop.simulator.trace;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.clonehadoop.benchmarks.harness.Table;
import org.clonehadoop.simulator.speculators.Kind;

/**
 * The same day with several speculators, one of which is stock's.
 *
 * @param days what became of the jobs, in the same order
 */
record DayComparison(Map<Kind, List<DayJob>> days) {
    private static final double MEDIAN = 0.5;
    private static final double LATE = 0.99;

    /** Of classes in which there are jobs. */
    private Map<SizeClass, ClassSummary> classes(Kind kind) {
        Map<SizeClass, List<DayJob>> jobs = new LinkedHashMap<>();
        for (SizeClass size : SizeClass.values()) {
            jobs.put(size, new ArrayList<>());
        }
        days.get(kind).forEach(job -> jobs.get(job.size()).add(job));
        jobs.values().removeIf(List::isEmpty);
        Map<SizeClass, ClassSummary> classes = new LinkedHashMap<>();
        jobs.forEach((size, some) -> classes.put(size, new ClassSummary(some)));
        return classes;
    }

    Table table() {
        Table table = new Table();
        table.row(
                "",
                "jobs",
                "mean",
                "median",
                "p99",
                "mean/stock",
                "median/stock",
                "p99/stock",
                "from zero",
                "clones",
                "won",
                "thrown away");
        classes(Kind.STOCK)
                .forEach(
                        (size, stock) ->
                                days.keySet()
                                        .forEach(
                                                kind ->
                                                        row(
                                                                table,
                                                                size.title + ", " + name(kind),
                                                                classes(kind).get(size),
                                                                stock)));
        return table;
    }

    private static void row(Table table, String title, ClassSummary jobs, ClassSummary stock) {
        table.row(
                title,
                String.valueOf(jobs.jobs().size()),
                format("%.1f s", jobs.meanSeconds()),
                format("%.1f s", jobs.seconds(MEDIAN)),
                format("%.1f s", jobs.seconds(LATE)),
                format("%.3f", jobs.meanSeconds() / stock.meanSeconds()),
                format("%.3f", jobs.seconds(MEDIAN) / stock.seconds(MEDIAN)),
                format("%.3f", jobs.seconds(LATE) / stock.seconds(LATE)),
                format("%.0f", jobs.sum(DayJob::orderedNew)),
                format("%.0f", jobs.sum(DayJob::ranClones)),
                format("%.0f", jobs.sum(DayJob::wonClones)),
                format("%.0f s", jobs.sum(DayJob::thrownAwaySeconds)));
    }

    private static String format(String format, double number) {
        return String.format(Locale.ROOT, format, number);
    }

    static String name(Kind kind) {
        return kind.name().toLowerCase(Locale.ROOT);
    }

    /** The same as one flat object. */
    Map<String, Object> flat() {
        Map<String, Object> flat = new LinkedHashMap<>();
        classes(Kind.STOCK)
                .forEach(
                        (size, stock) -> {
                            String name = size.name().toLowerCase(Locale.ROOT);
                            flat.put(name + "_jobs", stock.jobs().size());
                            days.keySet()
                                    .forEach(
                                            kind ->
                                                    put(
                                                            flat,
                                                            name + "_" + name(kind) + "_",
                                                            classes(kind).get(size),
                                                            stock));
                        });
        return flat;
    }

    private static void put(
            Map<String, Object> flat, String key, ClassSummary jobs, ClassSummary stock) {
        flat.put(key + "mean_s", jobs.meanSeconds());
        flat.put(key + "median_s", jobs.seconds(MEDIAN));
        flat.put(key + "p99_s", jobs.seconds(LATE));
        flat.put(key + "mean_over_stock", jobs.meanSeconds() / stock.meanSeconds());
        flat.put(key + "median_over_stock", jobs.seconds(MEDIAN) / stock.seconds(MEDIAN));
        flat.put(key + "p99_over_stock", jobs.seconds(LATE) / stock.seconds(LATE));
        flat.put(key + "ordered_new", (long) jobs.sum(DayJob::orderedNew));
        flat.put(key + "clones", (long) jobs.sum(DayJob::ranClones));
        flat.put(key + "clones_won", (long) jobs.sum(DayJob::wonClones));
        flat.put(key + "thrown_away_s", jobs.sum(DayJob::thrownAwaySeconds));
    }
}
