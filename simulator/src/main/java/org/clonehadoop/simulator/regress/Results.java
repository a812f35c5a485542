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
package org.clonehadoop.simulator.regress;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.clonehadoop.simulator.Simulation;
import org.clonehadoop.simulator.mapreduce.JobSpec;
import org.clonehadoop.simulator.mapreduce.RunRecord;
import org.clonehadoop.simulator.speculators.Kind;

/**
 * Mean job times in seconds, by scenario and speculator.
 *
 * @param seconds by {@code SCENARIO KIND}
 */
public record Results(Map<String, Double> seconds) {
    private static final int SEEDS = 5;
    private static final List<Kind> KINDS = List.of(Kind.STOCK, Kind.PAPER, Kind.OURS, Kind.ORACLE);
    private static final ObjectMapper JSON =
            new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

    /** Runs all of it. */
    public static Results simulate() {
        Map<String, Double> seconds = new TreeMap<>();
        Scenarios.all()
                .forEach(
                        (name, spec) -> {
                            for (Kind kind : KINDS) {
                                seconds.put(key(name, kind), mean(spec, kind));
                            }
                        });
        return new Results(seconds);
    }

    private static double mean(JobSpec spec, Kind kind) {
        double mean =
                IntStream.rangeClosed(1, SEEDS)
                        .mapToObj(seed -> Simulation.run(spec, kind, seed))
                        .mapToDouble(RunRecord::jobSeconds)
                        .average()
                        .orElseThrow();
        return Math.round(10 * mean) / 10.0;
    }

    public static Results read(Path file) throws IOException {
        return new Results(JSON.readValue(file.toFile(), new TypeReference<>() {}));
    }

    public void write(Path file) throws IOException {
        JSON.writeValue(file.toFile(), new TreeMap<>(seconds));
    }

    private static String key(String scenario, Kind kind) {
        return scenario + " " + kind.name().toLowerCase(Locale.ROOT);
    }

    /** NaN for a scenario that there wasn't. */
    double of(String scenario, Kind kind) {
        return seconds.getOrDefault(key(scenario, kind), Double.NaN);
    }

    /** Our job time over another's. */
    double ratio(String scenario, Kind other) {
        return of(scenario, Kind.OURS) / of(scenario, other);
    }

    /** The geometric mean of all {@linkplain #ratio ratios}. */
    double meanRatio(Kind other) {
        return Math.exp(
                Scenarios.all().keySet().stream()
                        .mapToDouble(scenario -> ratio(scenario, other))
                        .filter(ratio -> !Double.isNaN(ratio))
                        .map(Math::log)
                        .average()
                        .orElse(0));
    }
}
