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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.clonehadoop.simulator.requests.rpc.RpcResult;
import org.clonehadoop.simulator.requests.rpc.RpcSpec;

/**
 * A figure as it was simulated, and as it was measured.
 *
 * @param simulated null if that would say nothing
 * @param measured null if it wasn't
 */
record SideBySide(RequestFigure simulated, RequestFigure measured) {
    /** Further apart, neither side says anything about the other. */
    private static final double VALIDATED = 1.2;

    /**
     * One run on both sides.
     *
     * @param measured 99 % in microseconds
     * @param simulated the same
     */
    record Point(RpcSpec spec, double measured, double simulated) {
        double ratio() {
            return measured / simulated;
        }

        boolean isValidated() {
            return ratio() <= VALIDATED && ratio() >= 1 / VALIDATED;
        }
    }

    /** One side that is there. */
    RequestFigure any() {
        return simulated == null ? measured : simulated;
    }

    /** All runs that are on both sides. */
    List<Point> points() {
        if (measured == null || simulated == null) {
            return List.of();
        }
        Map<RpcSpec, RpcResult> simulatedRuns = new HashMap<>();
        for (Object run : simulated.runs()) {
            RpcResult result = (RpcResult) run;
            simulatedRuns.put(result.spec().withRequests(0), result);
        }
        List<Point> points = new ArrayList<>();
        for (Object run : measured.runs()) {
            RpcResult result = (RpcResult) run;
            RpcResult other = simulatedRuns.get(result.spec().withRequests(0));
            points.add(new Point(result.spec(), result.p99(), other.p99()));
        }
        return points;
    }

    long validated() {
        return points().stream().filter(Point::isValidated).count();
    }
}
