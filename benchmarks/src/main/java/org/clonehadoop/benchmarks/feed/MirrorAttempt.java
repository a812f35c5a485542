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
package org.clonehadoop.benchmarks.feed;

import org.apache.hadoop.mapreduce.Counters;
import org.apache.hadoop.mapreduce.v2.api.records.Phase;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptState;
import org.apache.hadoop.yarn.api.records.NodeId;

/** An attempt as its AppMaster knows it. */
public final class MirrorAttempt extends UnaskedAttempt {
    private static final int ANY_PORT = 1;

    private final TaskAttemptId id;
    private final Counters counters = new Counters();
    private volatile TaskAttemptState state = TaskAttemptState.NEW;
    private volatile float progress;
    private volatile Phase phase = Phase.STARTING;
    private volatile NodeId node;
    private volatile long launched;
    private volatile long finished;

    MirrorAttempt(TaskAttemptId id) {
        this.id = id;
    }

    @Override
    public TaskAttemptId getID() {
        return id;
    }

    @Override
    public TaskAttemptState getState() {
        return state;
    }

    public void setState(TaskAttemptState state) {
        this.state = state;
    }

    @Override
    public float getProgress() {
        return progress;
    }

    public void setProgress(float progress) {
        this.progress = progress;
    }

    @Override
    public Phase getPhase() {
        return phase;
    }

    public void setPhase(Phase phase) {
        this.phase = phase;
    }

    /** Where it runs; null before it has a container. */
    @Override
    public NodeId getNodeId() {
        return node;
    }

    public void setHost(String host) {
        node = NodeId.newInstance(host, ANY_PORT);
    }

    /** There is only one. */
    @Override
    public String getNodeRackName() {
        return "/default-rack";
    }

    /** As the AppMaster's clock has it; 0 before. */
    @Override
    public long getLaunchTime() {
        return launched;
    }

    public void setLaunchTime(long millis) {
        launched = millis;
    }

    /** As the AppMaster's clock has it; 0 before. */
    @Override
    public long getFinishTime() {
        return finished;
    }

    public void setFinishTime(long millis) {
        finished = millis;
    }

    @Override
    public Counters getCounters() {
        return counters;
    }
}
