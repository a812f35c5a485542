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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import org.clonehadoop.benchmarks.harness.Series;
import org.clonehadoop.benchmarks.report.JobLine;

/**
 * How quick machines were in their sessions. In one without an even stock run a machine was as
 * quick as it mostly is.
 */
final class Paces {
    private final Map<String, Double> ofSessions = new HashMap<>();
    private final Map<Object, List<Double>> ofMachines = new HashMap<>();

    /**
     * @param sessions the lines of each
     */
    Paces(Map<String, List<JobLine>> sessions) {
        sessions.forEach(
                (session, lines) -> Pace.of(lines).ifPresent(pace -> add(session, lines, pace)));
    }

    private void add(String session, List<JobLine> lines, double pace) {
        ofSessions.put(session, pace);
        ofMachines.computeIfAbsent(machine(lines), some -> new ArrayList<>()).add(pace);
    }

    /**
     * @return empty if no session on that machine tells
     */
    OptionalDouble of(String session, List<JobLine> lines) {
        Double own = ofSessions.get(session);
        List<Double> all = ofMachines.get(machine(lines));
        if (own != null) {
            return OptionalDouble.of(own);
        }
        return all == null
                ? OptionalDouble.empty()
                : OptionalDouble.of(
                        Series.of(all.stream().mapToDouble(one -> one).toArray()).median());
    }

    private static Object machine(List<JobLine> lines) {
        return Counterpart.machine(lines.get(0));
    }
}
