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

import java.util.EnumMap;
import java.util.Map;
import org.clonehadoop.simulator.platform.CostBook;

/** A figure's runs with one cost book, in all readings. */
record Panel(Figure figure, CostBook costs, Map<Reading, Grid> grids) {

    static Panel of(Figure figure, CostBook costs, Runs runs) {
        Map<Reading, Grid> grids = new EnumMap<>(Reading.class);
        for (Reading reading : Reading.values()) {
            grids.put(reading, Grid.of(figure, costs, reading, runs));
        }
        return new Panel(figure, costs, grids);
    }

    Grid first() {
        return grids.get(Reading.FIRST);
    }

    /**
     * @param observation of this figure
     */
    Verdict verdict(Observation observation, Reading reading) {
        return observation.of(grids.get(reading));
    }
}
