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
import java.util.stream.LongStream;
import org.clonehadoop.simulator.Simulation;
import org.clonehadoop.simulator.mapreduce.JobSpec;

/**
 * All runs of a figure.
 *
 * @param outcomes by the points of its x axis, in their order
 */
record Grid(Map<String, Map<Variant, Outcome>> outcomes) {

    static Grid run(Map<String, JobSpec> points, int seeds) {
        Map<String, Map<Variant, Outcome>> outcomes = new LinkedHashMap<>();
        points.forEach(
                (point, spec) -> {
                    Map<Variant, Outcome> variants = new EnumMap<>(Variant.class);
                    for (Variant variant : Variant.values()) {
                        variants.put(
                                variant,
                                new Outcome(
                                        LongStream.rangeClosed(1, seeds)
                                                .mapToObj(
                                                        seed ->
                                                                Simulation.run(
                                                                        variant.of(spec),
                                                                        variant.kind,
                                                                        seed))
                                                .toList()));
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

    /** Job time over Hadoop's, seed by seed alike. */
    double normalised(String point, Variant variant) {
        return at(point, variant).jobSeconds() / at(point, Variant.HADOOP).jobSeconds();
    }

    List<Double> normalised(Variant variant) {
        return points().stream().map(point -> normalised(point, variant)).toList();
    }

    /** One variant's job time over another's. */
    List<Double> ratios(Variant variant, Variant base) {
        return points().stream()
                .map(point -> at(point, variant).jobSeconds() / at(point, base).jobSeconds())
                .toList();
    }
}
