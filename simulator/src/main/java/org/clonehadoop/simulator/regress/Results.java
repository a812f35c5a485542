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
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
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

    /** With whom ours is compared. */
    static final List<Kind> OTHERS = List.of(Kind.STOCK, Kind.PAPER, Kind.ORACLE);

    private static final ObjectMapper JSON =
            new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

    /** Runs all of it. */
    public static Results simulate() {
        Map<String, Double> seconds = new TreeMap<>();
        Scenarios.all()
                .forEach(
                        (name, spec) -> {
                            seconds.put(key(name, Kind.OURS), mean(spec, Kind.OURS));
                            for (Kind kind : OTHERS) {
                                seconds.put(key(name, kind), mean(spec, kind));
                            }
                        });
        return new Results(seconds);
    }

    private static double mean(JobSpec spec, Kind kind) {
        return Math.round(10 * mean(spec, kind, SEEDS)) / 10.0;
    }

    /**
     * @param seeds how many, from 1
     */
    static double mean(JobSpec spec, Kind kind, int seeds) {
        return IntStream.rangeClosed(1, seeds)
                .mapToObj(seed -> Simulation.run(spec, kind, seed))
                .mapToDouble(RunRecord::jobSeconds)
                .average()
                .orElseThrow();
    }

    public static Results read(Path file) throws IOException {
        return new Results(JSON.readValue(file.toFile(), new TypeReference<>() {}));
    }

    public void write(Path file) throws IOException {
        JSON.writeValue(file.toFile(), new TreeMap<>(seconds));
    }

    private static String key(String scenario, Kind kind) {
        return scenario + " " + name(kind);
    }

    static String name(Kind kind) {
        return kind.name().toLowerCase(Locale.ROOT);
    }

    /** Those that have the time of each speculator. */
    SortedSet<String> scenarios() {
        SortedSet<String> scenarios = new TreeSet<>();
        for (String key : seconds.keySet()) {
            String scenario = key.substring(0, key.lastIndexOf(' '));
            if (has(scenario, Kind.OURS) && OTHERS.stream().allMatch(kind -> has(scenario, kind))) {
                scenarios.add(scenario);
            }
        }
        return scenarios;
    }

    private boolean has(String scenario, Kind kind) {
        return seconds.containsKey(key(scenario, kind));
    }

    /** NaN for a scenario that there wasn't. */
    double of(String scenario, Kind kind) {
        return seconds.getOrDefault(key(scenario, kind), Double.NaN);
    }

    /** Our job time over another's. */
    double ratio(String scenario, Kind other) {
        return of(scenario, Kind.OURS) / of(scenario, other);
    }

    /** The geometric mean of these scenarios' {@linkplain #ratio ratios}; NaN of none. */
    double meanRatio(Collection<String> scenarios, Kind other) {
        return Math.exp(
                scenarios.stream()
                        .mapToDouble(scenario -> Math.log(ratio(scenario, other)))
                        .average()
                        .orElse(Double.NaN));
    }
}
