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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.clonehadoop.simulator.figures.Interval;
import org.clonehadoop.simulator.mapreduce.RunRecord;

/**
 * One scenario at one point of a sweep.
 *
 * @param first the first run's seed; each further one has the next
 * @param ours with today's rules, seed by seed
 * @param stocks with stock's, of the same seeds
 */
record Cell(
        String scenario, Point point, long first, List<RunRecord> ours, List<RunRecord> stocks) {

    static double[] each(List<RunRecord> runs, ToDoubleFunction<RunRecord> of) {
        return runs.stream().mapToDouble(of).toArray();
    }

    static double mean(List<RunRecord> runs, ToDoubleFunction<RunRecord> of) {
        return runs.stream().mapToDouble(of).average().orElseThrow();
    }

    /** Job time over stock's. */
    Interval overStocks() {
        return Interval.ofMeans(
                each(ours, RunRecord::jobSeconds), each(stocks, RunRecord::jobSeconds));
    }

    /** One flat line for each run, stock's first. */
    List<Map<String, Object>> lines() {
        List<Map<String, Object>> lines = new ArrayList<>();
        for (int i = 0; i < ours.size(); i++) {
            lines.add(line("stock", first + i, stocks.get(i)));
            lines.add(line("ours", first + i, ours.get(i)));
        }
        return lines;
    }

    private Map<String, Object> line(String speculator, long seed, RunRecord run) {
        Map<String, Object> line = new LinkedHashMap<>();
        line.put("scenario", scenario);
        line.putAll(point.settings());
        line.put("speculator", speculator);
        line.put("seed", seed);
        line.put("job_s", run.jobSeconds());
        line.put("maps_end_s", run.mapsEndSeconds());
        line.put("map_end_s", usualMapsEnd(run));
        line.put("thrown_away_s", run.thrownAwaySeconds());
        line.put("ordered_new", run.orderedNew());
        line.put("ordered_clones", run.orderedClones());
        line.put("won_new", run.wonNew());
        line.put("ran_clones", run.ranClones());
        line.put("won_clones", run.wonClones());
        line.put("order_to_running_ms", run.orderToRunningMillis());
        line.put("frozen_ms", run.frozenMillis());
        return line;
    }

    /** When half of the maps have ended, in seconds since the job's beginning; 0 without maps. */
    private static double usualMapsEnd(RunRecord run) {
        double[] ends =
                run.ends().stream()
                        .filter(RunRecord.End::map)
                        .mapToDouble(RunRecord.End::seconds)
                        .sorted()
                        .toArray();
        return ends.length == 0 ? 0 : ends[ends.length / 2];
    }
}
