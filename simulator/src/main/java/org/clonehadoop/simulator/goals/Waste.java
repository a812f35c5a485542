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
package org.clonehadoop.simulator.goals;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import org.clonehadoop.simulator.mapreduce.RunRecord;
import org.clonehadoop.simulator.mapreduce.ThrownAway;
import org.clonehadoop.simulator.mapreduce.ThrownAway.Share;
import org.clonehadoop.simulator.sweep.Rows;

/** Where containers' time went that a job threw away, in the mean of its runs: ours and stock's. */
final class Waste {
    private static final Map<String, Function<ThrownAway, Share>> SHARES = new LinkedHashMap<>();
    private static final String REST = "otherwise";

    static {
        SHARES.put("by originals beside second attempts that won", ThrownAway::originals);
        SHARES.put("by second attempts that lost to their originals", ThrownAway::seconds);
        SHARES.put("by second attempts that were replaced", ThrownAway::replaced);
        SHARES.put(REST, ThrownAway::rest);
    }

    private final Map<String, List<RunRecord>> columns = new LinkedHashMap<>();
    private final Map<String, Double> heldOverStocks = new LinkedHashMap<>();

    /**
     * @param job its name
     */
    void add(String job, List<RunRecord> ours, List<RunRecord> stocks) {
        String name = job + ": ours";
        columns.put(name, ours);
        columns.put(job + ": stock's", stocks);
        heldOverStocks.put(
                name, mean(ours, RunRecord::heldSeconds) / mean(stocks, RunRecord::heldSeconds));
    }

    Rows table() {
        Rows rows = new Rows();
        rows.add(row("thrown away", columns.keySet()));
        SHARES.forEach(
                (name, share) -> {
                    List<String> cells =
                            columns.values().stream().map(runs -> cell(runs, share)).toList();
                    if (!name.equals(REST) || cells.stream().anyMatch(cell -> !cell.isEmpty())) {
                        rows.add(row(name, cells));
                    }
                });
        rows.add(
                row(
                        "for each second attempt that won",
                        columns.values().stream()
                                .map(Waste::forEachThatWon)
                                .map(each -> Double.isFinite(each) ? Rows.text("%.0f s", each) : "")
                                .toList()));
        rows.add(
                row(
                        "containers held in all, over stock's",
                        columns.keySet().stream()
                                .map(heldOverStocks::get)
                                .map(over -> over == null ? "" : Rows.text("%.2f", over))
                                .toList()));
        return rows;
    }

    private static List<String> row(String name, Iterable<String> cells) {
        List<String> row = new ArrayList<>(List.of(name));
        cells.forEach(row::add);
        return row;
    }

    private static String cell(List<RunRecord> runs, Function<ThrownAway, Share> share) {
        double attempts = attempts(runs, share);
        return attempts == 0 ? "" : Rows.text("%.0f s, of %.1f", seconds(runs, share), attempts);
    }

    /** Flat names, as the benchmarks' JSON has them. */
    Map<String, Double> numbers() {
        Map<String, Double> numbers = new LinkedHashMap<>();
        columns.forEach(
                (column, runs) -> {
                    String name = column + " thrown away ";
                    SHARES.forEach(
                            (what, share) -> {
                                numbers.put(name + what + " s", seconds(runs, share));
                                numbers.put(name + what + " attempts", attempts(runs, share));
                            });
                    if (attempts(runs, ThrownAway::originals) > 0) {
                        numbers.put(name + "for each that won s", forEachThatWon(runs));
                    }
                    numbers.put(column + " held s", mean(runs, RunRecord::heldSeconds));
                });
        return numbers;
    }

    /** Beside each of them there was an original. */
    private static double forEachThatWon(List<RunRecord> runs) {
        return mean(runs, RunRecord::thrownAwaySeconds) / attempts(runs, ThrownAway::originals);
    }

    private static double seconds(List<RunRecord> runs, Function<ThrownAway, Share> share) {
        return mean(runs, run -> share.apply(run.thrownAway()).seconds());
    }

    private static double attempts(List<RunRecord> runs, Function<ThrownAway, Share> share) {
        return mean(runs, run -> share.apply(run.thrownAway()).attempts());
    }

    private static double mean(List<RunRecord> runs, ToDoubleFunction<RunRecord> of) {
        return runs.stream().mapToDouble(of).average().orElseThrow();
    }
}
