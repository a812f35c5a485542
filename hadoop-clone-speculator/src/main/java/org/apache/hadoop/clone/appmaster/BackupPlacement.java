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

import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.apache.hadoop.clone.placement.ContainerVerdict;
import org.apache.hadoop.clone.placement.NodePreference;
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
 * job's attempts are fast ({@link NodePreference}). Asked for attempts of every kind, clones and
 * new ones, on the AppMaster's one event thread: nothing there takes the longer the more tasks
 * there are, or, while backups wait, the more hosts.
 */
final class BackupPlacement {
    private static final long ASK_LATER_MILLIS = TimeUnit.SECONDS.toMillis(30);

    /** Of all that aren't slow the ResourceManager would take any, not the fastest. */
    private static final int HOSTS = 10;

    private final AppContext context;
    private final JobHosts hosts;
    private final Map<TaskAttemptId, ContainerRequestEvent> requests = new HashMap<>();
    private final Map<TaskAttemptId, Integer> refusals = new HashMap<>();
    private final Map<TaskAttemptId, Long> dueMillis = new HashMap<>();

    /**
     * @param clones which attempts began as clones, and so didn't do all of their work themselves
     */
    BackupPlacement(AppContext context, Predicate<TaskAttemptId> clones) {
        this.context = context;
        hosts = new JobHosts(context, clones);
    }

    /** An attempt may have got on, or ended. */
    void changed(TaskAttempt attempt) {
        hosts.changed(attempt);
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
        String stragglerHost = host(others.get(0));
        NodePreference nodes = preference(stock.getAttemptID());
        List<String> better = nodes.fastestBeside(stragglerHost, HOSTS);
        if (better.isEmpty()) {
            better =
                    Arrays.stream(stock.getHosts())
                            .filter(host -> !host.equals(stragglerHost))
                            .filter(host -> !nodes.straggling().contains(host))
                            .toList();
        }
        ContainerRequestEvent request =
                new ContainerRequestEvent(
                        stock.getAttemptID(),
                        stock.getCapability(),
                        better.toArray(String[]::new),
                        racks(stock, better));
        requests.put(stock.getAttemptID(), request);
        return request;
    }

    /**
     * Without a request for its rack the CapacityScheduler doesn't look at one for a host, and a
     * reduce's stock request names no rack.
     */
    private String[] racks(ContainerRequestEvent stock, List<String> nodes) {
        Set<String> all = new LinkedHashSet<>(List.of(stock.getRacks()));
        all.addAll(hosts.racks(nodes));
        return all.toArray(String[]::new);
    }

    /**
     * Whether the attempt must not have this container; then its request will be {@linkplain #due()
     * due} again, and else the container is as good as any.
     */
    synchronized boolean refuse(TaskAttemptId attempt, Container container) {
        int before = refusals.getOrDefault(attempt, 0);
        ContainerVerdict verdict =
                requests.containsKey(attempt)
                        ? judge(attempt, container.getNodeId().getHost(), before)
                        : ContainerVerdict.TAKE;
        if (verdict == ContainerVerdict.TAKE) {
            forget(attempt);
            return false;
        }
        refusals.put(attempt, before + 1);
        dueMillis.put(attempt, now() + (verdict == ContainerVerdict.REFUSE ? 0 : ASK_LATER_MILLIS));
        return true;
    }

    private ContainerVerdict judge(TaskAttemptId attempt, String host, int refusedBefore) {
        List<TaskAttempt> others = runningBeside(attempt);
        boolean beside = others.stream().anyMatch(other -> host.equals(host(other)));
        boolean straggling = !others.isEmpty() && preference(attempt).straggling().contains(host);
        return ContainerVerdict.of(beside, straggling, refusedBefore);
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

    private static String host(TaskAttempt attempt) {
        return attempt.getNodeId().getHost();
    }

    private List<TaskAttempt> runningBeside(TaskAttemptId attempt) {
        Task task = job(attempt).getTask(attempt.getTaskId());
        return task.getAttempts().values().stream()
                .filter(other -> !other.getID().equals(attempt))
                .filter(other -> other.getState() == TaskAttemptState.RUNNING)
                .filter(other -> other.getNodeId() != null)
                .toList();
    }

    private NodePreference preference(TaskAttemptId attempt) {
        return hosts.preference(job(attempt), kind(attempt));
    }

    private static TaskType kind(TaskAttemptId attempt) {
        return attempt.getTaskId().getTaskType();
    }

    /**
     * Sorts thousands of hosts while backups wait, so that the event thread needn't; to be called
     * by another one, every second or so.
     */
    void sortHosts() {
        for (TaskType kind : TaskType.values()) {
            anyWaiting(kind).ifPresent(attempt -> hosts.sort(job(attempt), kind));
        }
    }

    private synchronized Optional<TaskAttemptId> anyWaiting(TaskType kind) {
        return requests.keySet().stream().filter(attempt -> kind(attempt) == kind).findAny();
    }
}
