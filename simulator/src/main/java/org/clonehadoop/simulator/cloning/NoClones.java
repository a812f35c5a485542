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
package org.clonehadoop.simulator.cloning;

import java.util.Optional;
import org.apache.hadoop.clone.score.CloneCosts;
import org.apache.hadoop.clone.score.CloneScore;
import org.apache.hadoop.clone.speculate.Cloner;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.clonehadoop.simulator.mapreduce.CloneLead;
import org.clonehadoop.simulator.platform.SimHost;

/** Stock Hadoop: every attempt begins at zero, wherever there is room. */
public final class NoClones implements CloneLead, Cloner {
    @Override
    public Cloner cloner() {
        return this;
    }

    @Override
    public Optional<Placement> placement() {
        return Optional.empty();
    }

    @Override
    public boolean launching(TaskAttemptId attempt, SimHost host) {
        return false;
    }

    @Override
    public void started(TaskAttemptId attempt) {}

    @Override
    public void ended(TaskAttemptId attempt, boolean succeeded) {}

    @Override
    public void tick() {}

    @Override
    public Optional<String> obstacle(TaskAttemptId attempt) {
        return Optional.of("there are no clones");
    }

    @Override
    public boolean isBeingCloned(TaskAttemptId attempt) {
        return false;
    }

    @Override
    public Optional<Long> cloneBytes(TaskAttemptId attempt) {
        return Optional.empty();
    }

    @Override
    public CloneCosts costs() {
        return new CloneCosts(1, 0, 1);
    }

    @Override
    public Optional<TaskAttemptId> originalOf(TaskAttemptId attempt) {
        return Optional.empty();
    }

    @Override
    public void clone(TaskAttemptId original, CloneScore score) {
        throw new IllegalStateException("there are no clones");
    }
}
