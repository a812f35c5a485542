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

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToIntFunction;

/**
 * What {@code scripts/simulate sweep slow-map --vary onset=… --vary brake=… --json FILE} left: the
 * points of an {@link OnsetSweep}, and those that it hasn't.
 *
 * @param version what was simulated by
 * @param points in the order in which they were simulated
 */
record SimulatedOnset(String version, Map<OnsetSweep.Point, Cell> points) {
    private static final String STOCK = "stock";

    /** A run of a sweep, as the simulator writes it. */
    @JsonIgnoreProperties(ignoreUnknown = true)
    record Line(
            @JsonProperty(value = "onset", required = true) double onset,
            @JsonProperty(value = "brake", required = true) int factor,
            @JsonProperty(value = "speculator", required = true) String speculator,
            @JsonProperty(value = "seed", required = true) long seed,
            @JsonProperty(value = "job_s", required = true) double jobSeconds,
            @JsonProperty(value = "map_end_s", required = true) double mapEndSeconds,
            @JsonProperty(value = "won_new", required = true) int wonNew,
            @JsonProperty(value = "ran_clones", required = true) int ranClones,
            @JsonProperty(value = "won_clones", required = true) int wonClones,
            @JsonProperty(value = "order_to_running_ms", required = true)
                    double orderToRunningMillis) {

        private OnsetSweep.Point point() {
            return new OnsetSweep.Point((int) Math.round(100 * onset), factor);
        }

        private boolean isStocks() {
            return speculator.equals(STOCK);
        }
    }

    /**
     * A point's runs.
     *
     * @param ours seed by seed
     * @param overStock our job times over Hadoop's, of the same seeds
     */
    record Cell(List<Line> ours, Ratios overStock) {
        /** Such as "9 clones, 1 from zero". */
        String winners() {
            return sum(Line::wonClones) + " clones, " + sum(Line::wonNew) + " from zero";
        }

        private int sum(ToIntFunction<Line> of) {
            return ours.stream().mapToInt(of).sum();
        }
    }

    /**
     * @param file kept as NAME-COMMIT.ndjson
     * @throws IOException if it isn't one
     */
    static SimulatedOnset read(Path file) throws IOException {
        String name = file.getFileName().toString();
        String version = name.substring(name.lastIndexOf('-') + 1).replace(".ndjson", "");
        return of(version, Lines.read(file, Line.class, "run of a sweep over onset and brake"));
    }

    /**
     * @throws IllegalArgumentException if a run of ours has none of Hadoop's beside it
     */
    static SimulatedOnset of(String version, List<Line> lines) {
        Map<OnsetSweep.Point, Map<Long, Double>> stock = new LinkedHashMap<>();
        Map<OnsetSweep.Point, List<Line>> ours = new LinkedHashMap<>();
        for (Line line : lines) {
            if (line.isStocks()) {
                stock.computeIfAbsent(line.point(), point -> new LinkedHashMap<>())
                        .put(line.seed(), line.jobSeconds());
            } else {
                ours.computeIfAbsent(line.point(), point -> new ArrayList<>()).add(line);
            }
        }
        Map<OnsetSweep.Point, Cell> points = new LinkedHashMap<>();
        ours.forEach(
                (point, of) ->
                        points.put(point, cell(point, of, stock.getOrDefault(point, Map.of()))));
        return new SimulatedOnset(version, points);
    }

    private static Cell cell(OnsetSweep.Point point, List<Line> ours, Map<Long, Double> stock) {
        List<Double> ratios = new ArrayList<>();
        for (Line line : ours) {
            Double stocks = stock.get(line.seed());
            if (stocks == null) {
                throw new IllegalArgumentException(
                        point + " has no run of Hadoop's with seed " + line.seed());
            }
            ratios.add(line.jobSeconds() / stocks);
        }
        return new Cell(ours, new Ratios(ratios, true));
    }

    /** In order. */
    List<Integer> percents() {
        return OnsetSweep.percents(points.keySet());
    }

    /** In order. */
    List<Integer> factors() {
        return OnsetSweep.factors(points.keySet());
    }

    /** Seeds of a point. */
    int runs() {
        return points.values().stream().mapToInt(cell -> cell.ours().size()).min().orElse(0);
    }

    /** Empty if there is no such point. */
    Optional<Cell> cell(int percent, int factor) {
        return Optional.ofNullable(points.get(new OnsetSweep.Point(percent, factor)));
    }

    /** Our job time over Hadoop's; empty if there is no such point. */
    Optional<Double> overStock(int percent, int factor) {
        return cell(percent, factor).map(cell -> cell.overStock().mean().mean());
    }

    /**
     * What a clone takes over what a map usually takes, t_clone / t̄, in the mean of all of them;
     * empty if no clone ran.
     */
    Optional<Double> cloneShare() {
        List<Line> cloned =
                points.values().stream()
                        .flatMap(cell -> cell.ours().stream())
                        .filter(line -> line.ranClones() > 0)
                        .toList();
        return cloned.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        cloned.stream()
                                .mapToDouble(
                                        line ->
                                                line.orderToRunningMillis()
                                                        / 1000
                                                        / line.ranClones()
                                                        / line.mapEndSeconds())
                                .average()
                                .orElseThrow());
    }
}
