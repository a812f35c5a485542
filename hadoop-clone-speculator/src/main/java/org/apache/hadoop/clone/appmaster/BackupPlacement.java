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
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.apache.hadoop.clone.placement.ContainerVerdict;
import org.apache.hadoop.clone.placement.HostRates;
import org.apache.hadoop.clone.placement.NodePreference;
import org.apache.hadoop.clone.placement.RunningAttempts;
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

    /** In that time no host becomes another one. */
    private static final long PREFERENCE_LASTS_MILLIS = TimeUnit.SECONDS.toMillis(2);

    private static final Set<TaskAttemptState> RUNNING =
            EnumSet.of(TaskAttemptState.RUNNING, TaskAttemptState.COMMIT_PENDING);

    /** Stock gives attempts that failed or were killed the progress of those that are done. */
    private static final Set<TaskAttemptState> WORKED =
            EnumSet.of(
                    TaskAttemptState.RUNNING,
                    TaskAttemptState.COMMIT_PENDING,
                    TaskAttemptState.SUCCEEDED);

    private record Preference(NodePreference nodes, long asOf) {}

    private record Rates(
            Map<String, Double> same,
            Map<String, Double> other,
            Map<String, Integer> running,
            long asOf) {
        Preference preference() {
            return new Preference(NodePreference.of(same, other, running), asOf);
        }
    }

    private final AppContext context;
    private final Predicate<TaskAttemptId> clones;
    private final HostRates<TaskAttemptId> maps = new HostRates<>();
    private final HostRates<TaskAttemptId> reduces = new HostRates<>();
    private final RunningAttempts<TaskAttemptId> running = new RunningAttempts<>();
    private final Map<String, String> racks = new HashMap<>();
    private final Map<TaskType, Preference> preferences = new EnumMap<>(TaskType.class);
    private final Map<TaskAttemptId, ContainerRequestEvent> requests = new HashMap<>();
    private final Map<TaskAttemptId, Integer> refusals = new HashMap<>();
    private final Map<TaskAttemptId, Long> dueMillis = new HashMap<>();

    /**
     * @param clones which attempts began as clones, and so didn't do all of their work themselves
     */
    BackupPlacement(AppContext context, Predicate<TaskAttemptId> clones) {
        this.context = context;
        this.clones = clones;
    }

    /** An attempt may have got on, or ended. */
    synchronized void changed(TaskAttempt attempt) {
        TaskAttemptId id = attempt.getID();
        if (isRunning(attempt)) {
            running.runs(id, host(attempt));
        } else {
            running.ended(id);
        }
        HostRates<TaskAttemptId> rates = rates(id.getTaskId().getTaskType());
        if (!hasWorkedByItself(attempt)) {
            rates.remove(id);
            return;
        }
        String host = host(attempt);
        racks.computeIfAbsent(host, unknown -> attempt.getNodeRackName());
        rates.put(
                id,
                new HostRates.Stint(
                        host,
                        attempt.getLaunchTime(),
                        attempt.getFinishTime(),
                        attempt.getProgress()));
    }

    private static boolean isRunning(TaskAttempt attempt) {
        return RUNNING.contains(attempt.getState()) && attempt.getNodeId() != null;
    }

    private boolean hasWorkedByItself(TaskAttempt attempt) {
        return WORKED.contains(attempt.getState())
                && attempt.getNodeId() != null
                && attempt.getLaunchTime() > 0
                && !clones.test(attempt.getID());
    }

    private HostRates<TaskAttemptId> rates(TaskType kind) {
        return kind == TaskType.MAP ? maps : reduces;
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
        NodePreference nodes = preference(others.get(0));
        List<String> hosts = nodes.fastestBeside(stragglerHost, HOSTS);
        if (hosts.isEmpty()) {
            hosts =
                    Arrays.stream(stock.getHosts())
                            .filter(host -> !host.equals(stragglerHost))
                            .filter(host -> !nodes.straggling().contains(host))
                            .toList();
        }
        ContainerRequestEvent better =
                new ContainerRequestEvent(
                        stock.getAttemptID(),
                        stock.getCapability(),
                        hosts.toArray(String[]::new),
                        racks(stock, hosts));
        requests.put(stock.getAttemptID(), better);
        return better;
    }

    /**
     * Without a request for its rack the CapacityScheduler doesn't look at one for a host, and a
     * reduce's stock request names no rack.
     */
    private String[] racks(ContainerRequestEvent stock, List<String> hosts) {
        Set<String> all = new LinkedHashSet<>(List.of(stock.getRacks()));
        hosts.stream().map(racks::get).filter(Objects::nonNull).forEach(all::add);
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
                        ? judge(container.getNodeId().getHost(), runningBeside(attempt), before)
                        : ContainerVerdict.TAKE;
        if (verdict == ContainerVerdict.TAKE) {
            forget(attempt);
            return false;
        }
        refusals.put(attempt, before + 1);
        dueMillis.put(attempt, now() + (verdict == ContainerVerdict.REFUSE ? 0 : ASK_LATER_MILLIS));
        return true;
    }

    private ContainerVerdict judge(String host, List<TaskAttempt> others, int refusedBefore) {
        boolean beside = others.stream().anyMatch(other -> host.equals(host(other)));
        boolean straggling =
                !others.isEmpty() && preference(others.get(0)).straggling().contains(host);
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

    /** The maps' backups that have no container yet, each with the attempt it is to overtake. */
    synchronized Map<TaskAttemptId, TaskAttempt> awaitedMaps() {
        Map<TaskAttemptId, TaskAttempt> awaited = new LinkedHashMap<>();
        requests.keySet().stream()
                .filter(backup -> backup.getTaskId().getTaskType() == TaskType.MAP)
                .forEach(
                        backup ->
                                runningBeside(backup).stream()
                                        .findFirst()
                                        .ifPresent(straggler -> awaited.put(backup, straggler)));
        return awaited;
    }

    /** Hosts whose containers the backup would not take at once. */
    synchronized Set<String> unfit(TaskAttemptId backup) {
        Set<String> unfit = new HashSet<>();
        for (TaskAttempt straggler : runningBeside(backup)) {
            unfit.add(host(straggler));
            unfit.addAll(preference(straggler).straggling());
        }
        return unfit;
    }

    /**
     * The request of a backup as it should be made where a container becomes free for it on that
     * host; empty if none waits.
     */
    synchronized Optional<ContainerRequestEvent> urgent(TaskAttemptId backup, String host) {
        return Optional.ofNullable(requests.get(backup))
                .map(
                        request ->
                                new UrgentRequest(
                                        request,
                                        new String[] {host},
                                        racks(request, List.of(host))));
    }

    /** The request stands for the one before. */
    synchronized void asked(ContainerRequestEvent request) {
        requests.replace(request.getAttemptID(), request);
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

    /**
     * Sorts thousands of hosts while backups wait, so that the event thread needn't; to be called
     * by another one, every second or so.
     */
    void sortHosts() {
        for (TaskType kind : TaskType.values()) {
            Optional<Rates> rates = ratesToSort(kind);
            if (rates.isPresent()) {
                Preference sorted = rates.get().preference();
                synchronized (this) {
                    preferences.put(kind, sorted);
                }
            }
        }
    }

    private synchronized Optional<Rates> ratesToSort(TaskType kind) {
        return requests.keySet().stream()
                .filter(attempt -> attempt.getTaskId().getTaskType() == kind)
                .findAny()
                .map(attempt -> rates(job(attempt), kind));
    }

    private NodePreference preference(TaskAttempt straggler) {
        TaskType kind = straggler.getID().getTaskId().getTaskType();
        Preference last = preferences.get(kind);
        if (last == null || now() - last.asOf >= PREFERENCE_LASTS_MILLIS) {
            last = rates(job(straggler.getID()), kind).preference();
            preferences.put(kind, last);
        }
        return last.nodes;
    }

    private Rates rates(Job job, TaskType kind) {
        long now = now();
        Map<String, Double> ofMaps = maps.rates(now);
        Map<String, Double> ofReduces = reduceRates(job, now);
        return kind == TaskType.MAP
                ? new Rates(ofMaps, ofReduces, running.byHost(), now)
                : new Rates(ofReduces, ofMaps, running.byHost(), now);
    }

    /** Until the last map has ended reduces mostly wait, wherever they run. */
    private Map<String, Double> reduceRates(Job job, long now) {
        if (job.getCompletedMaps() < job.getTotalMaps()) {
            return Map.of();
        }
        reduces.countFrom(maps.lastEnd());
        return reduces.rates(now);
    }
}
