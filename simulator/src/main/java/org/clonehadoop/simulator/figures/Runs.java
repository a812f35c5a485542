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

import java.util.HashMap;
import java.util.Map;
import java.util.stream.LongStream;
import org.clonehadoop.simulator.Simulation;
import org.clonehadoop.simulator.mapreduce.JobSpec;
import org.clonehadoop.simulator.platform.CostBook;
import org.clonehadoop.simulator.speculators.Kind;

/** Simulates what is asked for, on all processors, each job once: figures have many in common. */
final class Runs {
    private record Asked(JobSpec spec, Kind kind, int seeds) {
        Outcome run() {
            return new Outcome(
                    LongStream.rangeClosed(1, seeds)
                            .parallel()
                            .mapToObj(seed -> Simulation.run(spec, kind, seed))
                            .toList());
        }
    }

    /** Of the seeds, for all readings but the first, of which only the band is drawn. */
    private static final int LESS = 4;

    private final int seeds;
    private final Map<Asked, Outcome> known = new HashMap<>();

    Runs(int seeds) {
        this.seeds = seeds;
    }

    /** So many runs stand behind each number. */
    int seeds(Reading reading) {
        return reading == Reading.FIRST ? seeds : Math.max(1, seeds / LESS);
    }

    Outcome of(JobSpec spec, Variant variant, CostBook costs, Reading reading) {
        return known.computeIfAbsent(
                new Asked(variant.of(spec, costs), variant.kind, seeds(reading)), Asked::run);
    }
}
