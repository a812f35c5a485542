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
package org.apache.hadoop.clone.speculate;

import org.apache.hadoop.clone.estimate.EstimateRules;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.v2.app.AppContext;

/** Lets a program drive a speculator that it hasn't started, at its own pace. */
public final class SpeculatorDoor {
    private SpeculatorDoor() {}

    /** With other numbers than those of today. */
    public static CloneSpeculator make(
            Configuration conf,
            AppContext context,
            Cloner cloner,
            SpeculationRules rules,
            EstimateRules estimates) {
        return new CloneSpeculator(conf, context, cloner, rules, estimates);
    }

    /** One look at all tasks, as the speculator's own thread takes it. */
    public static void look(CloneSpeculator speculator) {
        speculator.scan();
    }
}
