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
package org.clonehadoop.simulator.requests.figures;

import java.util.ArrayList;
import java.util.DoubleSummaryStatistics;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.clonehadoop.simulator.requests.rpc.RpcResult;
import org.clonehadoop.simulator.requests.rpc.RpcSpec;

/**
 * A figure as it was simulated, and as it was measured.
 *
 * @param simulated null if that would say nothing
 * @param measured null if it wasn't
 * @param points all runs that are on both sides
 */
record SideBySide(RequestFigure simulated, RequestFigure measured, List<Point> points) {
    /** Further apart, neither side says anything about the other. */
    private static final double VALIDATED = 1.2;

    private static final int SEEDS = 20;

    /**
     * One run on both sides.
     *
     * @param measured 99 % in microseconds
     * @param simulated the same
     * @param chance what simulated runs of as many requests as were measured have; null where the
     *     two are near each other
     */
    record Point(RpcSpec spec, double measured, double simulated, Chance chance) {
        boolean isValidated() {
            return chance == null;
        }

        /** Whether they may differ only because few requests were measured. */
        boolean mayBeChance() {
            return chance != null && chance.least() <= measured && measured <= chance.most();
        }
    }

    /** From the least to the most. */
    record Chance(double least, double most) {}

    /**
     * @param again simulates what was measured
     */
    static SideBySide of(RequestFigure simulated, RequestFigure measured, RpcRuns again) {
        List<Point> points = new ArrayList<>();
        if (measured != null && simulated != null) {
            Map<RpcSpec, RpcResult> simulatedRuns = new HashMap<>();
            for (Object run : simulated.runs()) {
                RpcResult result = (RpcResult) run;
                simulatedRuns.put(result.spec().withRequests(0), result);
            }
            for (Object run : measured.runs()) {
                RpcResult result = (RpcResult) run;
                double other = simulatedRuns.get(result.spec().withRequests(0)).p99();
                points.add(point(result, other, again));
            }
        }
        return new SideBySide(simulated, measured, points);
    }

    private static Point point(RpcResult measured, double simulated, RpcRuns again) {
        double ratio = measured.p99() / simulated;
        boolean near = ratio <= VALIDATED && ratio >= 1 / VALIDATED;
        return new Point(
                measured.spec(),
                measured.p99(),
                simulated,
                near ? null : chance(measured.spec(), again));
    }

    private static Chance chance(RpcSpec spec, RpcRuns again) {
        DoubleSummaryStatistics tails =
                LongStream.rangeClosed(1, SEEDS)
                        .mapToDouble(seed -> again.of(spec.withSeed(seed)).p99())
                        .summaryStatistics();
        return new Chance(tails.getMin(), tails.getMax());
    }

    /** One side that is there. */
    RequestFigure any() {
        return simulated == null ? measured : simulated;
    }

    long validated() {
        return points.stream().filter(Point::isValidated).count();
    }

    long mayBeChance() {
        return points.stream().filter(Point::mayBeChance).count();
    }

    /** How many of the points, in a sentence. */
    String validation() {
        String sentence = "%d of %d points are validated".formatted(validated(), points.size());
        return mayBeChance() == 0
                ? sentence + "."
                : sentence
                        + "; within what %d simulated runs of as many requests give: %d more."
                                .formatted(SEEDS, mayBeChance());
    }
}
