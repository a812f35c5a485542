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
package org.clonehadoop.simulator;

import org.apache.hadoop.clone.estimate.EstimateRules;
import org.apache.hadoop.clone.placement.PlacementRules;
import org.apache.hadoop.clone.score.CostRules;
import org.apache.hadoop.clone.speculate.SpeculationRules;

/** The numbers of today's rules, of which no key sets any. */
public record Rules(
        SpeculationRules speculation,
        EstimateRules estimates,
        PlacementRules placement,
        CostRules costs) {
    public static final Rules PRESET =
            new Rules(
                    SpeculationRules.PRESET,
                    EstimateRules.PRESET,
                    PlacementRules.PRESET,
                    CostRules.PRESET);
}
