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

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptState;
import org.apache.hadoop.mapreduce.v2.app.job.TaskAttempt;
import org.clonehadoop.simulator.mapreduce.CloneLead;
import org.clonehadoop.simulator.platform.SimHost;

/** Asks for the host that a second attempt is promised, and takes none that is no gain. */
public final class BestHosts implements CloneLead.Placement {
    private final CloneLead.Site site;
    private final Foresight foresight;
    private final Map<TaskAttemptId, List<String>> stocks = new HashMap<>();
    private final List<TaskAttemptId> refused = new ArrayList<>();

    public BestHosts(CloneLead.Site site, Foresight foresight) {
        this.site = site;
        this.foresight = foresight;
    }

    @Override
    public List<String> request(TaskAttemptId attempt, List<String> stock) {
        stocks.put(attempt, stock);
        return foresight
                .promisedTo(attempt.getTaskId())
                .map(host -> List.of(host.name()))
                .orElse(stock);
    }

    @Override
    public boolean refuse(TaskAttemptId attempt, SimHost host) {
        Optional<TaskAttemptId> original = runningBeside(attempt);
        boolean gains =
                original.isEmpty() || foresight.score(original.get(), host).gainMillis() > 0;
        if (!gains) {
            refused.add(attempt);
        }
        return !gains;
    }

    private Optional<TaskAttemptId> runningBeside(TaskAttemptId attempt) {
        return site
                .context()
                .getJob(attempt.getTaskId().getJobId())
                .getTask(attempt.getTaskId())
                .getAttempts()
                .values()
                .stream()
                .filter(other -> other.getState() == TaskAttemptState.RUNNING)
                .map(TaskAttempt::getID)
                .filter(other -> !other.equals(attempt))
                .findFirst();
    }

    @Override
    public Map<TaskAttemptId, List<String>> due() {
        Map<TaskAttemptId, List<String>> due = new LinkedHashMap<>();
        refused.forEach(attempt -> due.put(attempt, request(attempt, stocks.get(attempt))));
        refused.clear();
        return due;
    }

    @Override
    public void changed(TaskAttempt attempt) {
        boolean works = !Double.isNaN(site.remainingMillis(attempt.getID()));
        if (attempt.getID().getId() > 0 && (works || attempt.getFinishTime() > 0)) {
            foresight.keepPromise(attempt.getID().getTaskId());
        }
    }

    @Override
    public void cameFree(SimHost host) {}

    @Override
    public void forget(TaskAttemptId attempt) {
        refused.remove(attempt);
    }
}
