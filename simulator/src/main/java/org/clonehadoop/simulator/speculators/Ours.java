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
package org.clonehadoop.simulator.speculators;

import java.util.Optional;
import org.apache.hadoop.clone.estimate.EstimateRules;
import org.apache.hadoop.clone.score.CloneScore;
import org.apache.hadoop.clone.speculate.CloneSpeculator;
import org.apache.hadoop.clone.speculate.Cloner;
import org.apache.hadoop.clone.speculate.SpeculationRules;
import org.apache.hadoop.clone.speculate.SpeculatorDoor;
import org.apache.hadoop.clone.speculate.YieldOutlook;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.apache.hadoop.mapreduce.v2.app.AppContext;
import org.apache.hadoop.mapreduce.v2.app.speculate.SpeculatorEvent;
import org.clonehadoop.benchmarks.feed.FeedPlayer;

/** The real {@link CloneSpeculator}, as it is today. */
public final class Ours implements FeedPlayer.Listener {
    private final CloneSpeculator speculator;

    public Ours(Configuration conf, AppContext context, Cloner cloner) {
        this(conf, context, cloner, SpeculationRules.PRESET, EstimateRules.PRESET);
    }

    /** With other numbers than those of today. */
    public Ours(
            Configuration conf,
            AppContext context,
            Cloner cloner,
            SpeculationRules rules,
            EstimateRules estimates) {
        speculator = SpeculatorDoor.make(conf, context, cloner, rules, estimates);
        speculator.init(conf);
    }

    @Override
    public void handle(SpeculatorEvent event) {
        speculator.handle(event);
    }

    @Override
    public void look() {
        SpeculatorDoor.look(speculator);
    }

    public YieldOutlook outlook() {
        return speculator;
    }

    /** What the coordinator asks before a freeze. */
    public Optional<CloneScore> rescore(TaskAttemptId original, long sinceLaunchMillis) {
        return speculator.rescore(original, sinceLaunchMillis);
    }
}
