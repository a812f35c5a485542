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
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.clonehadoop.benchmarks.harness.Table;
import org.clonehadoop.simulator.speculators.Kind;

/**
 * Ours' job time over stock's in the {@linkplain Scenarios#further further scenarios}. They have no
 * bound but what was accepted: one of them is above stock's time.
 *
 * @param ratios by scenario
 */
public record FurtherRatios(Map<String, Double> ratios) {
    /** As few as tell: each build runs them. */
    private static final int SEEDS = 2;

    private static final ObjectMapper JSON =
            new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

    /** Runs all of them. */
    public static FurtherRatios simulate() {
        Map<String, Double> ratios = new TreeMap<>();
        Scenarios.further()
                .forEach(
                        (name, spec) ->
                                ratios.put(
                                        name,
                                        Results.mean(spec, Kind.OURS, SEEDS)
                                                / Results.mean(spec, Kind.STOCK, SEEDS)));
        return new FurtherRatios(ratios);
    }

    public static FurtherRatios read(Path file) throws IOException {
        return new FurtherRatios(JSON.readValue(file.toFile(), new TypeReference<>() {}));
    }

    public void write(Path file) throws IOException {
        Map<String, Double> rounded = new TreeMap<>(ratios);
        rounded.replaceAll((name, ratio) -> Math.round(1000 * ratio) / 1000.0);
        JSON.writeValue(file.toFile(), rounded);
    }

    /**
     * What is wrong, each in one line; empty if nothing is.
     *
     * @param before what was accepted last
     */
    List<String> failures(FurtherRatios before) {
        List<String> failures = new ArrayList<>();
        if (!ratios.keySet().equals(before.ratios.keySet())) {
            failures.add(
                    "other further scenarios than those that were accepted: " + Comparison.ACCEPT);
        }
        ratios.forEach(
                (name, ratio) -> {
                    double most = Comparison.WORSE * before.of(name);
                    if (ratio > most) {
                        failures.add(
                                String.format(
                                        Locale.ROOT,
                                        "%s: ours takes %.3f times stock's time, and may take %.3f",
                                        name,
                                        ratio,
                                        most));
                    }
                });
        return failures;
    }

    /** NaN for a scenario that there wasn't. */
    private double of(String scenario) {
        return ratios.getOrDefault(scenario, Double.NaN);
    }

    /**
     * @param before what was accepted last
     */
    Table table(FurtherRatios before) {
        Table table = new Table();
        table.row("further", "ours/stock", "before");
        ratios.forEach((name, ratio) -> table.row(name, text(ratio), text(before.of(name))));
        return table;
    }

    private static String text(double ratio) {
        return String.format(Locale.ROOT, "%.3f", ratio);
    }
}
