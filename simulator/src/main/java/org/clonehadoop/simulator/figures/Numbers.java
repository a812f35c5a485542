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

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.clonehadoop.simulator.mapreduce.RunRecord;

/** What was simulated, as flat names and numbers, like the benchmarks' JSON. */
final class Numbers {
    private final Map<String, Object> numbers = new LinkedHashMap<>();

    static Map<String, Object> of(Panel panel) {
        Numbers all = new Numbers();
        panel.grids().forEach((reading, grid) -> all.grid(panel, reading, grid));
        return all.numbers;
    }

    private void grid(Panel panel, Reading reading, Grid grid) {
        String which = panel.costs().name() + "_" + name(reading);
        for (String point : grid.points()) {
            for (Variant variant : Variant.values()) {
                run(
                        String.join(
                                "_",
                                "fig" + panel.figure().number,
                                which,
                                point.replaceAll("[ ,]+", "-"),
                                name(variant)),
                        grid.at(point, variant),
                        grid.normalised(point, variant));
            }
        }
        for (Observation observation : Observation.of(panel.figure())) {
            Verdict verdict = panel.verdict(observation, reading);
            String prefix = name(observation) + "_" + which;
            numbers.put(prefix + "_holds", verdict.holds());
            numbers.put(prefix + "_numbers", verdict.numbers());
        }
    }

    private void run(String prefix, Outcome outcome, Interval normalised) {
        numbers.put(prefix + "_s", outcome.jobSeconds());
        numbers.put(prefix + "_over_hadoop", normalised.value());
        numbers.put(prefix + "_over_hadoop_low", normalised.low());
        numbers.put(prefix + "_over_hadoop_high", normalised.high());
        numbers.put(prefix + "_maps_end_s", outcome.mapsEndSeconds());
        numbers.put(prefix + "_first_reduce_s", outcome.mean(RunRecord::firstReduceSeconds));
        numbers.put(prefix + "_shuffle_end_s", outcome.mean(RunRecord::shuffleEndSeconds));
        numbers.put(prefix + "_ordered_new", outcome.mean(RunRecord::orderedNew));
        numbers.put(prefix + "_ordered_clones", outcome.mean(RunRecord::orderedClones));
        numbers.put(prefix + "_won_new", outcome.mean(RunRecord::wonNew));
        numbers.put(prefix + "_ran_clones", outcome.mean(RunRecord::ranClones));
        numbers.put(prefix + "_won_clones", outcome.mean(RunRecord::wonClones));
        numbers.put(prefix + "_thrown_away_s", outcome.mean(RunRecord::thrownAwaySeconds));
        numbers.put(prefix + "_frozen_s", outcome.mean(run -> run.frozenMillis() / 1e3));
    }

    private static String name(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }
}
