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

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.apache.hadoop.clone.score.NodePreference;
import org.apache.hadoop.clone.score.NodePreference.Work;
import org.apache.hadoop.mapreduce.v2.api.records.JobState;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptState;
import org.apache.hadoop.mapreduce.v2.api.records.TaskType;
import org.apache.hadoop.mapreduce.v2.app.AppContext;
import org.apache.hadoop.mapreduce.v2.app.job.Job;
import org.apache.hadoop.mapreduce.v2.app.job.Task;
import org.apache.hadoop.mapreduce.v2.app.job.TaskAttempt;
import org.apache.hadoop.mapreduce.v2.app.rm.ContainerRequestEvent;
import org.apache.hadoop.yarn.api.records.Container;

/**
 * Where the second attempt of a task may run: not beside a running first one, preferably where this
 * job's attempts are fast. Asked for attempts of every kind, clones and new ones.
 */
final class BackupPlacement {
    /** After so many refusals of a straggling, but not the original's, node it is taken. */
    private static final int PATIENCE = 3;

    /**
     * After so many refusals there is hardly another node with room: that takes a while, and each
     * container that is granted only to be given back keeps the ResourceManager busy.
     */
    private static final int ASK_AT_ONCE = 10;

    private static final long ASK_LATER_MILLIS = TimeUnit.SECONDS.toMillis(30);

    /** Of all that aren't slow the ResourceManager would take any, not the fastest. */
    private static final int HOSTS = 10;

    /** Stock gives attempts that failed or were killed the progress of those that are done. */
    private static final Set<TaskAttemptState> WORKED =
            EnumSet.of(
                    TaskAttemptState.RUNNING,
                    TaskAttemptState.COMMIT_PENDING,
                    TaskAttemptState.SUCCEEDED);

    private final AppContext context;
    private final Predicate<TaskAttemptId> clones;
    private final UnaryOperator<String> rackOf;
    private final Map<TaskAttemptId, ContainerRequestEvent> requests = new HashMap<>();
    private final Map<TaskAttemptId, Integer> refusals = new HashMap<>();
    private final Map<TaskAttemptId, Long> dueMillis = new HashMap<>();

    /**
     * @param clones which attempts began as clones, and so didn't do all of their work themselves
     * @param rackOf a host: without a request for its rack the CapacityScheduler doesn't look at
     *     one for the host, and a reduce's stock request names no rack
     */
    BackupPlacement(
            AppContext context, Predicate<TaskAttemptId> clones, UnaryOperator<String> rackOf) {
        this.context = context;
        this.clones = clones;
        this.rackOf = rackOf;
    }

    /** Whether a backup has been asked for and has no container yet. */
    synchronized boolean isAwaiting() {
        return requests.values().stream()
                .map(request -> job(request.getAttemptID()))
                .anyMatch(job -> job != null && job.getState() == JobState.RUNNING);
    }

    /** The request as it should be made. */
    synchronized ContainerRequestEvent request(ContainerRequestEvent stock) {
        List<TaskAttempt> others = runningBeside(stock.getAttemptID());
        if (others.isEmpty()) {
            return stock;
        }
        NodePreference nodes = preference(others);
        List<String> hosts = nodes.preferred().stream().limit(HOSTS).toList();
        if (hosts.isEmpty()) {
            hosts =
                    Arrays.stream(stock.getHosts())
                            .filter(host -> !nodes.avoided().contains(host))
                            .toList();
        }
        Set<String> racks = new LinkedHashSet<>(List.of(stock.getRacks()));
        hosts.stream().map(rackOf).forEach(racks::add);
        ContainerRequestEvent better =
                new ContainerRequestEvent(
                        stock.getAttemptID(),
                        stock.getCapability(),
                        hosts.toArray(String[]::new),
                        racks.toArray(String[]::new));
        requests.put(stock.getAttemptID(), better);
        return better;
    }

    /**
     * Whether the attempt must not have this container; then its request will be {@linkplain #due()
     * due} again, and else the container is as good as any.
     */
    synchronized boolean refuse(TaskAttemptId attempt, Container container) {
        List<TaskAttempt> others = runningBeside(attempt);
        String host = container.getNodeId().getHost();
        boolean beside =
                others.stream().anyMatch(other -> host.equals(other.getNodeId().getHost()));
        boolean straggling = !beside && preference(others).avoided().contains(host);
        int before = refusals.getOrDefault(attempt, 0);
        if (!requests.containsKey(attempt) || !beside && !(straggling && before < PATIENCE)) {
            forget(attempt);
            return false;
        }
        refusals.put(attempt, before + 1);
        dueMillis.put(attempt, now() + (before < ASK_AT_ONCE ? 0 : ASK_LATER_MILLIS));
        return true;
    }

    /** Takes the requests that are to be made again by now. */
    synchronized List<ContainerRequestEvent> due() {
        List<TaskAttemptId> due =
                dueMillis.entrySet().stream()
                        .filter(entry -> entry.getValue() <= now())
                        .map(Map.Entry::getKey)
                        .toList();
        dueMillis.keySet().removeAll(due);
        return due.stream().map(requests::get).toList();
    }

    /** The attempt has a container, or needs none any more. */
    synchronized void forget(TaskAttemptId attempt) {
        requests.remove(attempt);
        refusals.remove(attempt);
        dueMillis.remove(attempt);
    }

    private long now() {
        return context.getClock().getTime();
    }

    private Job job(TaskAttemptId attempt) {
        return context.getJob(attempt.getTaskId().getJobId());
    }

    private List<TaskAttempt> runningBeside(TaskAttemptId attempt) {
        Task task = job(attempt).getTask(attempt.getTaskId());
        return task.getAttempts().values().stream()
                .filter(other -> !other.getID().equals(attempt))
                .filter(other -> other.getState() == TaskAttemptState.RUNNING)
                .filter(other -> other.getNodeId() != null)
                .toList();
    }

    private NodePreference preference(List<TaskAttempt> others) {
        if (others.isEmpty()) {
            return new NodePreference(List.of(), Set.of());
        }
        TaskAttempt straggler = others.get(0);
        TaskType kind = straggler.getID().getTaskId().getTaskType();
        Job job = job(straggler.getID());
        return NodePreference.of(
                work(job, kind),
                work(job, kind == TaskType.MAP ? TaskType.REDUCE : TaskType.MAP),
                straggler.getNodeId().getHost());
    }

    /** What attempts of a kind have done by themselves, and really. */
    private List<Work> work(Job job, TaskType kind) {
        long now = now();
        long begin = kind == TaskType.MAP ? 0 : mapsEnd(job, now);
        List<Work> work = new ArrayList<>();
        attempts(job, kind)
                .filter(attempt -> WORKED.contains(attempt.getState()))
                .filter(attempt -> attempt.getNodeId() != null && attempt.getLaunchTime() > 0)
                .filter(attempt -> !clones.test(attempt.getID()))
                .forEach(
                        attempt -> {
                            long start = Math.max(attempt.getLaunchTime(), begin);
                            long end = attempt.getFinishTime() > 0 ? attempt.getFinishTime() : now;
                            work.add(
                                    new Work(
                                            attempt.getNodeId().getHost(),
                                            attempt.getProgress(),
                                            end - start));
                        });
        return work;
    }

    /** Until then reduces mostly wait, wherever they run. */
    private static long mapsEnd(Job job, long now) {
        return job.getCompletedMaps() < job.getTotalMaps()
                ? now
                : attempts(job, TaskType.MAP)
                        .filter(attempt -> attempt.getState() == TaskAttemptState.SUCCEEDED)
                        .mapToLong(TaskAttempt::getFinishTime)
                        .max()
                        .orElse(0);
    }

    private static Stream<TaskAttempt> attempts(Job job, TaskType kind) {
        return job.getTasks(kind).values().stream()
                .flatMap(task -> task.getAttempts().values().stream());
    }
}
