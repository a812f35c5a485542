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
package org.clonehadoop.simulator.validate;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * A variant's job time over stock's with the same trouble: the geometric mean over rounds in which
 * both ran.
 */
record Ratio(String commit, String trouble, String variant, double real, double simulated) {
    private static final double MOST_ERROR = 0.1;

    /** So far from 1 the real one says which of the two is quicker. */
    private static final double CLEAR = 0.05;

    private record Round(String commit, String trouble, String round) {}

    private record Cell(String commit, String trouble, String variant) {}

    private record Both(Pair variant, Pair stock) {}

    static List<Ratio> of(List<Pair> pairs) {
        Map<Round, Pair> stock = new LinkedHashMap<>();
        for (Pair pair : pairs) {
            if (pair.real().variant().equals("stock")) {
                stock.put(round(pair), pair);
            }
        }
        Map<Cell, List<Both>> cells = new LinkedHashMap<>();
        for (Pair pair : pairs) {
            Pair beside = stock.get(round(pair));
            if (beside != null && beside != pair) {
                Cell cell =
                        new Cell(
                                pair.real().commit(), pair.real().trouble(), pair.real().variant());
                cells.computeIfAbsent(cell, some -> new ArrayList<>()).add(new Both(pair, beside));
            }
        }
        List<Ratio> ratios = new ArrayList<>();
        cells.forEach(
                (cell, both) ->
                        ratios.add(
                                new Ratio(
                                        cell.commit(),
                                        cell.trouble(),
                                        cell.variant(),
                                        mean(both, pair -> pair.real().seconds()),
                                        mean(both, pair -> pair.simulated().seconds()))));
        return ratios;
    }

    private static Round round(Pair pair) {
        return new Round(pair.real().commit(), pair.real().trouble(), pair.real().round());
    }

    private static double mean(List<Both> both, ToDoubleFunction<Pair> seconds) {
        return Math.exp(
                both.stream()
                        .mapToDouble(
                                one ->
                                        Math.log(
                                                seconds.applyAsDouble(one.variant())
                                                        / seconds.applyAsDouble(one.stock())))
                        .average()
                        .orElseThrow());
    }

    double error() {
        return simulated - real;
    }

    boolean isWithin() {
        boolean sameSide = Math.abs(real - 1) < CLEAR || (real < 1) == (simulated < 1);
        return Math.abs(error()) <= MOST_ERROR && sameSide;
    }
}
