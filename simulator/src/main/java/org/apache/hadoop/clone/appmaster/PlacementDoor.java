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
package org.apache.hadoop.clone.appmaster;

import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskType;
import org.apache.hadoop.mapreduce.v2.app.AppContext;
import org.apache.hadoop.mapreduce.v2.app.rm.ContainerRequestEvent;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.NodeId;

/**
 * The real {@link BackupPlacement}, on a cluster with one rack. It is told of all attempts when it
 * is asked, not of each as it changes.
 */
public final class PlacementDoor {
    private static final String RACK = "/default-rack";

    private final AppContext context;
    private final BackupPlacement placement;

    /**
     * @param clones which attempts began as clones
     */
    public PlacementDoor(AppContext context, Predicate<TaskAttemptId> clones) {
        this.context = context;
        placement = new BackupPlacement(context, clones);
    }

    private void tellChanges() {
        context.getAllJobs().values().stream()
                .flatMap(
                        job ->
                                Stream.of(TaskType.MAP, TaskType.REDUCE)
                                        .map(job::getTasks)
                                        .flatMap(tasks -> tasks.values().stream()))
                .flatMap(task -> task.getAttempts().values().stream())
                .forEach(placement::changed);
    }

    /**
     * @param stock the hosts that stock would ask for
     * @return those to ask for
     */
    public List<String> request(TaskAttemptId attempt, List<String> stock) {
        tellChanges();
        return List.of(
                placement
                        .request(
                                new ContainerRequestEvent(
                                        attempt,
                                        null,
                                        stock.toArray(String[]::new),
                                        new String[] {RACK}))
                        .getHosts());
    }

    /** Whether the attempt must not run there, and asks again. */
    public boolean refuse(TaskAttemptId attempt, String host) {
        tellChanges();
        return placement.refuse(
                attempt,
                Container.newInstance(null, NodeId.newInstance(host, 1), null, null, null, null));
    }

    /** Whose requests are to be made again by now. */
    public List<TaskAttemptId> due() {
        return placement.due().stream().map(ContainerRequestEvent::getAttemptID).toList();
    }

    public void forget(TaskAttemptId attempt) {
        placement.forget(attempt);
    }
}
