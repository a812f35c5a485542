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

import java.util.List;
import java.util.function.ToDoubleFunction;
import org.clonehadoop.simulator.mapreduce.RunRecord;

/** What became of the runs of one variant at one point of a figure, seed by seed. */
record Outcome(List<RunRecord> runs) {

    double mean(ToDoubleFunction<RunRecord> of) {
        return runs.stream().mapToDouble(of).average().orElse(Double.NaN);
    }

    double jobSeconds() {
        return mean(RunRecord::jobSeconds);
    }

    double mapsEndSeconds() {
        return mean(RunRecord::mapsEndSeconds);
    }

    double reducesSeconds() {
        return jobSeconds() - mapsEndSeconds();
    }

    /** When such orders were given, in the middle; NaN if there were none. */
    double medianOrder(boolean cloned, boolean map) {
        double[] seconds =
                runs.stream()
                        .flatMap(run -> run.orders().stream())
                        .filter(order -> order.cloned() == cloned && order.map() == map)
                        .mapToDouble(RunRecord.Order::seconds)
                        .sorted()
                        .toArray();
        return seconds.length == 0 ? Double.NaN : seconds[seconds.length / 2];
    }
}
