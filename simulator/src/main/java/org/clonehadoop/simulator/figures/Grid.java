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
package org.clonehadoop.simulator.figures;

import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.clonehadoop.simulator.mapreduce.RunRecord;
import org.clonehadoop.simulator.platform.CostBook;

/**
 * All runs of a figure, with one cost book and one reading.
 *
 * @param outcomes by the points of its x axis, in their order
 */
record Grid(Map<String, Map<Variant, Outcome>> outcomes) {

    static Grid of(Figure figure, CostBook costs, Reading reading, Runs runs) {
        Map<String, Map<Variant, Outcome>> outcomes = new LinkedHashMap<>();
        figure.points(reading)
                .forEach(
                        (point, spec) -> {
                            Map<Variant, Outcome> variants = new EnumMap<>(Variant.class);
                            for (Variant variant : Variant.values()) {
                                variants.put(variant, runs.of(spec, variant, costs, reading));
                            }
                            outcomes.put(point, variants);
                        });
        return new Grid(outcomes);
    }

    List<String> points() {
        return List.copyOf(outcomes.keySet());
    }

    Outcome at(String point, Variant variant) {
        return outcomes.get(point).get(variant);
    }

    /** Of figures with a single point. */
    Outcome of(Variant variant) {
        return at(points().get(0), variant);
    }

    Outcome last(Variant variant) {
        return at(points().get(points().size() - 1), variant);
    }

    /** Job time over Hadoop's. */
    Interval normalised(String point, Variant variant) {
        return Interval.ofMeans(
                at(point, variant).each(RunRecord::jobSeconds),
                at(point, Variant.HADOOP).each(RunRecord::jobSeconds));
    }

    /** One variant's job time over another's, point by point. */
    List<Double> ratios(Variant variant, Variant base) {
        return points().stream()
                .map(point -> at(point, variant).jobSeconds() / at(point, base).jobSeconds())
                .toList();
    }
}
