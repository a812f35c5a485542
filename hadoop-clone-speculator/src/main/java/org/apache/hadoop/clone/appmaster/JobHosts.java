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

import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.apache.hadoop.clone.placement.BetterContainers;
import org.apache.hadoop.clone.placement.FirstContainer;
import org.apache.hadoop.clone.placement.HostRates;
import org.apache.hadoop.clone.placement.HostRates.Rate;
import org.apache.hadoop.clone.placement.Memory;
import org.apache.hadoop.clone.placement.NodePreference;
import org.apache.hadoop.clone.placement.Occupancy;
import org.apache.hadoop.clone.placement.PlacementRules;
import org.apache.hadoop.clone.placement.RecentEnds;
import org.apache.hadoop.clone.placement.RunningAttempts;
import org.apache.hadoop.clone.speculate.AttemptCounters;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptState;
import org.apache.hadoop.mapreduce.v2.api.records.TaskType;
import org.apache.hadoop.mapreduce.v2.app.AppContext;
import org.apache.hadoop.mapreduce.v2.app.job.Job;
import org.apache.hadoop.mapreduce.v2.app.job.TaskAttempt;

/**
 * What a job's attempts have shown of the hosts that they ran on. Told on the AppMaster's one event
 * thread, where nothing takes the longer the more tasks there are.
 *
 * <p>What is seen on a host is remembered for twice as long as an attempt usually takes, of the
 * kind that takes longer. What is decided by it, to run there or to wait and run elsewhere, is
 * about that much time; and what lasted so long may be taken to last as long again (Gott's rule).
 */
final class JobHosts {
    private static final Set<TaskAttemptState> RUNS =
            EnumSet.of(TaskAttemptState.RUNNING, TaskAttemptState.COMMIT_PENDING);
    private static final Set<TaskAttemptState> BEGINS =
            EnumSet.of(TaskAttemptState.NEW, TaskAttemptState.STARTING);

    private record Preference(NodePreference nodes, long asOf) {}

    private record Rates(
            Map<String, Rate> maps,
            Map<String, Rate> reduces,
            Map<String, Integer> running,
            long asOf) {
        Preference preference(PlacementRules rules) {
            return new Preference(NodePreference.of(maps, reduces, running, rules), asOf);
        }
    }

    private final AppContext context;
    private final Predicate<TaskAttemptId> clones;
    private final PlacementRules rules;
    private final HostRates<TaskAttemptId> maps;
    private final HostRates<TaskAttemptId> reduces;
    private final RunningAttempts<TaskAttemptId> runningMaps = new RunningAttempts<>();
    private final RunningAttempts<TaskAttemptId> runningReduces = new RunningAttempts<>();
    private final Memory memory = new Memory();
    private final Occupancy occupancy = new Occupancy(memory);
    private final RecentEnds ends;

    /** By slow hosts, those that have taken their container and don't run yet. */
    private final Map<String, TaskAttemptId> beginningAlone = new HashMap<>();

    private final Map<String, String> racks = new HashMap<>();
    private Preference preference;

    /**
     * @param clones which attempts began as clones, and so didn't do all of their work themselves
     */
    JobHosts(AppContext context, Predicate<TaskAttemptId> clones, PlacementRules rules) {
        this.context = context;
        this.clones = clones;
        this.rules = rules;
        maps = new HostRates<>(rules, memory);
        reduces = new HostRates<>(rules, memory);
        ends = new RecentEnds(rules.comesFreeMillis());
    }

    /** An attempt may have got on, or ended. */
    synchronized void changed(TaskAttempt attempt) {
        TaskAttemptId id = attempt.getID();
        Job job = job(id);
        boolean isMap = id.getTaskId().getTaskType() == TaskType.MAP;
        RunningAttempts<TaskAttemptId> running = isMap ? runningMaps : runningReduces;
        boolean runs = RUNS.contains(attempt.getState()) && attempt.getNodeId() != null;
        if (runs) {
            running.runs(id, attempt.getNodeId().getHost());
            occupied(job, attempt.getNodeId().getHost());
        } else {
            running.ended(id)
                    .ifPresent(
                            host -> {
                                ends.ended(host, now());
                                occupied(job, host);
                            });
        }
        if (!BEGINS.contains(attempt.getState())) {
            beginningAlone.values().remove(id);
        }
        HostRates<TaskAttemptId> rates = isMap ? maps : reduces;
        if (attempt.getNodeId() == null || attempt.getLaunchTime() <= 0 || clones.test(id)) {
            rates.stopped(id);
            return;
        }
        remember(job);
        if (runs) {
            racks.computeIfAbsent(
                    attempt.getNodeId().getHost(), unknown -> attempt.getNodeRackName());
            rates.reported(id, stint(job, attempt, now()));
        } else if (attempt.getState() == TaskAttemptState.SUCCEEDED) {
            rates.ended(id, stint(job, attempt, attempt.getFinishTime()));
        } else {
            // Stock gives attempts that failed or were killed the progress of those that are done.
            rates.stopped(id);
        }
    }

    /** Reduces that wait for maps take no share of their host. */
    private void occupied(Job job, String host) {
        int reducesAtWork = haveMapsEnded(job) ? runningReduces.on(host) : 0;
        occupancy.changed(host, runningMaps.on(host) + reducesAtWork, now());
    }

    private HostRates.Stint stint(Job job, TaskAttempt attempt, long asOf) {
        return new HostRates.Stint(
                attempt.getNodeId().getHost(),
                attempt.getLaunchTime(),
                asOf,
                attempt.getProgress(),
                AttemptCounters.inputBytes(attempt, job.getTotalReduces() == 0));
    }

    private void remember(Job job) {
        double longest =
                Math.max(usualMillis(job, TaskType.MAP), usualMillis(job, TaskType.REDUCE));
        if (longest > 0) {
            memory.lasts(rules.memory() * longest);
        }
    }

    /** 0 if nothing is known. Until the last map has ended reduces mostly wait. */
    private double usualMillis(Job job, TaskType kind) {
        if (kind == TaskType.MAP) {
            return maps.usualMillis(now());
        }
        return haveMapsEnded(job) ? reduces().usualMillis(now()) : 0;
    }

    private HostRates<TaskAttemptId> reduces() {
        reduces.countFrom(maps.lastEnd());
        return reduces;
    }

    /** The racks of those hosts on which the job has run. */
    synchronized List<String> racks(List<String> hosts) {
        return hosts.stream().map(racks::get).filter(Objects::nonNull).toList();
    }

    /** Where the job's attempts should run. */
    synchronized NodePreference preference(Job job) {
        if (preference == null || now() - preference.asOf >= rules.lastsMillis()) {
            preference = allRates(job).preference(rules);
        }
        return preference.nodes;
    }

    /**
     * A container there for an attempt of that kind.
     *
     * @param waiting how many of its kind wait for one, with itself
     * @return empty if the host isn't slow
     */
    synchronized Optional<FirstContainer> slow(Job job, TaskType kind, String host, int waiting) {
        Map<String, Double> straggling = preference(job).straggling();
        Predicate<String> elsewhere = other -> !straggling.containsKey(other);
        return Optional.ofNullable(straggling.get(host))
                .map(rate -> new FirstContainer(rate, waiting, better(job, kind, elsewhere)));
    }

    /**
     * Whether the attempt begins on a slow host as the only one of the job's there, which holds for
     * nobody else then. Once the last map has ended, before which a reduce can wait as well
     * elsewhere: from then on none of them ends for another for as long as one takes.
     */
    synchronized boolean beginsAlone(Job job, TaskAttemptId attempt, String host) {
        return mayBeAlone(job, host)
                && attempt.equals(beginningAlone.computeIfAbsent(host, free -> attempt));
    }

    private boolean mayBeAlone(Job job, String host) {
        boolean isFree = runningMaps.on(host) == 0 && runningReduces.on(host) == 0;
        return haveMapsEnded(job)
                && isFree
                && preference(job).isEnoughForOne(host, occupancy.of(host, now()), rules);
    }

    /**
     * Slow hosts which an attempt won't have that won't have that one: no quicker ones. Without
     * those on which an attempt could be alone.
     */
    synchronized Set<String> noBetter(Job job, String host) {
        Map<String, Double> straggling = preference(job).straggling();
        double rate = straggling.getOrDefault(host, 0.0);
        return straggling.keySet().stream()
                .filter(other -> straggling.get(other) <= rate)
                .filter(other -> other.equals(host) || !mayBeAlone(job, other))
                .collect(Collectors.toSet());
    }

    private BetterContainers better(Job job, TaskType kind, Predicate<String> hosts) {
        double usual = usualMillis(job, kind);
        BetterContainers better =
                BetterContainers.of(
                        usual > 0 ? usual : usualMillis(job, TaskType.MAP),
                        ending(job, hosts),
                        ends.isAny(hosts, now()));
        return haveMapsEnded(job) ? better.sinceMapsEnd(now() - maps.lastEnd()) : better;
    }

    /** How many will end by themselves on other hosts: before the last map no reduce does. */
    private int ending(Job job, Predicate<String> elsewhere) {
        return (haveMapsEnded(job) ? runningReduces : runningMaps)
                .byHost().entrySet().stream()
                        .filter(entry -> elsewhere.test(entry.getKey()))
                        .mapToInt(Map.Entry::getValue)
                        .sum();
    }

    /**
     * Sorts thousands of hosts, so that the event thread needn't; to be called by another one,
     * every second or so.
     */
    void sort(Job job) {
        Preference sorted = allRates(job).preference(rules);
        synchronized (this) {
            preference = sorted;
        }
    }

    private synchronized Rates allRates(Job job) {
        long now = now();
        Map<String, Integer> running = new HashMap<>(runningMaps.byHost());
        runningReduces.byHost().forEach((host, some) -> running.merge(host, some, Integer::sum));
        return new Rates(maps.rates(now), reduceRates(job, now), running, now);
    }

    /** Until the last map has ended reduces mostly wait, wherever they run. */
    private Map<String, Rate> reduceRates(Job job, long now) {
        if (!haveMapsEnded(job)) {
            return Map.of();
        }
        return reduces().rates(now);
    }

    static boolean haveMapsEnded(Job job) {
        return job.getCompletedMaps() >= job.getTotalMaps();
    }

    private Job job(TaskAttemptId attempt) {
        return context.getJob(attempt.getTaskId().getJobId());
    }

    private long now() {
        return context.getClock().getTime();
    }
}
