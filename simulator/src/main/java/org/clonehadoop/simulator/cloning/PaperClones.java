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

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.clone.score.CloneCosts;
import org.apache.hadoop.clone.score.CloneScore;
import org.apache.hadoop.clone.speculate.Cloner;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskId;
import org.clonehadoop.simulator.mapreduce.CloneLead;
import org.clonehadoop.simulator.platform.CostBook;
import org.clonehadoop.simulator.platform.Load;
import org.clonehadoop.simulator.platform.SimHost;

/**
 * As the paper has it: what is ordered is done. The clone's container is launched, the original
 * stands still until its image has gone, and the clone runs. Its costs are known and the same for
 * all; nobody asks again whether it is still worth it.
 */
public final class PaperClones implements CloneLead, Cloner {
    private static final double BETA = 1.2;

    /** Hadoop's ipc.client.connect.timeout: after it a host that is gone is known to be. */
    private static final long CONNECT_MILLIS = 20_000;

    private final Site site;
    private final CostBook costs;
    private final Map<TaskId, TaskAttemptId> ordered = new HashMap<>();
    private final Map<TaskAttemptId, TaskAttemptId> originals = new HashMap<>();

    /** By the attempt that is to be a clone. */
    private final Map<TaskAttemptId, Passage> passages = new HashMap<>();

    public PaperClones(Site site) {
        this.site = site;
        costs = site.spec().costs();
    }

    // --- the speculator ---

    @Override
    public Cloner cloner() {
        return this;
    }

    @Override
    public Optional<String> obstacle(TaskAttemptId attempt) {
        return Optional.empty();
    }

    @Override
    public boolean isBeingCloned(TaskAttemptId attempt) {
        return attempt.equals(ordered.get(attempt.getTaskId()));
    }

    @Override
    public Optional<Long> cloneBytes(TaskAttemptId attempt) {
        return Optional.of(Load.bytes(site.fileMegabytes(attempt) + site.imageMegabytes(attempt)));
    }

    @Override
    public CloneCosts costs() {
        return new CloneCosts(
                BETA, costs.vmMillis(), costs.megabytesPerSecond() * (1 << 20) / 1000);
    }

    @Override
    public Optional<TaskAttemptId> originalOf(TaskAttemptId attempt) {
        return Optional.ofNullable(originals.get(attempt));
    }

    @Override
    public void clone(TaskAttemptId original, CloneScore score) {
        ordered.put(original.getTaskId(), original);
        site.addAttempt(original.getTaskId());
    }

    // --- the AppMaster ---

    @Override
    public Optional<Placement> placement() {
        return Optional.empty();
    }

    @Override
    public boolean launching(TaskAttemptId attempt, SimHost host) {
        TaskAttemptId original = ordered.remove(attempt.getTaskId());
        if (original == null || !site.isUnderWay(original)) {
            return false;
        }
        site.awaitImage(attempt);
        if (!site.hears(original)) {
            site.timeline().after(CONNECT_MILLIS, () -> beginAtZero(attempt));
            return true;
        }
        Passage passage = new Passage(site, original, host);
        passages.put(attempt, passage);
        passage.begin(() -> freeze(original, attempt, passage));
        return true;
    }

    private void beginAtZero(TaskAttemptId attempt) {
        if (site.isUnderWay(attempt)) {
            site.beginAtZero(attempt);
        }
    }

    private void freeze(TaskAttemptId original, TaskAttemptId attempt, Passage passage) {
        if (!site.isUnderWay(attempt)) {
            return;
        }
        if (!site.isUnderWay(original)) {
            site.beginAtZero(attempt);
            return;
        }
        passage.freeze(site.imageMegabytes(original), () -> run(original, attempt));
    }

    private void run(TaskAttemptId original, TaskAttemptId attempt) {
        if (site.isUnderWay(attempt)) {
            originals.put(attempt, original);
            site.beginAsClone(original, attempt);
        }
    }

    @Override
    public void started(TaskAttemptId attempt) {}

    @Override
    public void ended(TaskAttemptId attempt, boolean succeeded) {
        ordered.remove(attempt.getTaskId(), attempt);
        Passage passage = passages.remove(attempt);
        if (passage != null) {
            passage.stop();
        }
    }

    @Override
    public void tick() {}
}
