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

/**
 * What {@code scripts/simulate sweep slow-map --vary onset=… --vary brake=… --json FILE} left: the
 * points of an {@link OnsetSweep}, and those that it hasn't.
 *
 * @param version what was simulated by
 * @param points our job times over Hadoop's, seed by seed
 */
record SimulatedOnset(String version, Map<OnsetSweep.Point, Ratios> points) {
    private static final String STOCK = "stock";

    /** A run of a sweep, as the simulator writes it. */
    @JsonIgnoreProperties(ignoreUnknown = true)
    record Line(
            @JsonProperty(value = "onset", required = true) double onset,
            @JsonProperty(value = "brake", required = true) int factor,
            @JsonProperty(value = "speculator", required = true) String speculator,
            @JsonProperty(value = "seed", required = true) long seed,
            @JsonProperty(value = "job_s", required = true) double jobSeconds) {

        private OnsetSweep.Point point() {
            return new OnsetSweep.Point((int) Math.round(100 * onset), factor);
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
        for (Line line : lines) {
            if (line.speculator().equals(STOCK)) {
                stock.computeIfAbsent(line.point(), point -> new LinkedHashMap<>())
                        .put(line.seed(), line.jobSeconds());
            }
        }
        Map<OnsetSweep.Point, List<Double>> ratios = new LinkedHashMap<>();
        for (Line line : lines) {
            if (!line.speculator().equals(STOCK)) {
                Double stocks = stock.getOrDefault(line.point(), Map.of()).get(line.seed());
                if (stocks == null) {
                    throw new IllegalArgumentException(
                            line.point() + " has no run of Hadoop's with seed " + line.seed());
                }
                ratios.computeIfAbsent(line.point(), point -> new ArrayList<>())
                        .add(line.jobSeconds() / stocks);
            }
        }
        Map<OnsetSweep.Point, Ratios> points = new LinkedHashMap<>();
        ratios.forEach((point, of) -> points.put(point, new Ratios(of)));
        return new SimulatedOnset(version, points);
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
        return points.values().stream().mapToInt(Ratios::count).min().orElse(0);
    }

    /** Our job time over Hadoop's; empty if there is no such point. */
    Optional<MeanRatio> overStock(int percent, int factor) {
        return Optional.ofNullable(points.get(new OnsetSweep.Point(percent, factor)))
                .map(Ratios::mean);
    }
}
