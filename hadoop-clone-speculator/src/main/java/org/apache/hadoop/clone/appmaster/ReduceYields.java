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

import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.apache.hadoop.clone.score.CloneScore;
import org.apache.hadoop.clone.speculate.ReduceYield;
import org.apache.hadoop.clone.speculate.SpeculationRules;
import org.apache.hadoop.clone.speculate.YieldOutlook;
import org.apache.hadoop.mapreduce.v2.api.records.Phase;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptState;
import org.apache.hadoop.mapreduce.v2.api.records.TaskType;
import org.apache.hadoop.mapreduce.v2.app.AppContext;
import org.apache.hadoop.mapreduce.v2.app.job.TaskAttempt;
import org.apache.hadoop.mapreduce.v2.app.rm.ContainerRequestEvent;

/**
 * Carries out what {@link ReduceYield} decides. The reduce is killed, which is no failure, and
 * Hadoop asks for a container for its next attempt; but the backup's request is made urgent before,
 * so that no reduce is served first.
 *
 * <p>It comes to an end: no backup is given way to twice, no reduce gives way whose task has had
 * another attempt, and as long as any backup still waits for what it was given, nobody else does.
 */
final class ReduceYields {
    /** Replaces a request that waits. */
    interface Urgency {
        /**
         * @param reduce whose container it is for
         * @param asked is run once the ResourceManager has been told: a container that comes free
         *     before goes to the next reduce that waits
         * @return false if there is no such request, or the container is too small for it
         */
        boolean ask(ContainerRequestEvent urgent, TaskAttemptId reduce, Runnable asked);
    }

    /** All that a reduce loses which hasn't begun: it asks for a container once more. */
    private static final double ASK_MILLIS = 1000;

    private final AppContext context;
    private final AttemptPlacement placement;
    private final YieldOutlook outlook;
    private final Urgency urgency;
    private final SpeculationRules rules;
    private final Map<TaskAttemptId, Long> waitingSince = new HashMap<>();
    private final Set<TaskAttemptId> givenWay = new HashSet<>();

    ReduceYields(
            AppContext context,
            AttemptPlacement placement,
            YieldOutlook outlook,
            Urgency urgency,
            SpeculationRules rules) {
        this.context = context;
        this.placement = placement;
        this.outlook = outlook;
        this.urgency = urgency;
        this.rules = rules;
    }

    /** Whether any reduce is to give way now; to be called every second or so, by one thread. */
    void look() {
        Map<TaskAttemptId, TaskAttempt> awaited = placement.awaitedMaps();
        waitingSince.keySet().retainAll(awaited.keySet());
        awaited.keySet().forEach(backup -> waitingSince.putIfAbsent(backup, now()));
        givenWay.retainAll(awaited.keySet());
        if (!givenWay.isEmpty() || outlook.firstMapsWait()) {
            return;
        }
        List<ReduceYield.Backup> backups = worthiest(awaited);
        if (!backups.isEmpty()) {
            ReduceYield.decide(backups, fetching(backups.get(0)), outlook.price())
                    .forEach(this::giveWay);
        }
    }

    /**
     * The backup that gains most of those that may run in a container which a reduce was given and
     * hasn't begun in; to be asked by the thread that looks.
     */
    Optional<TaskAttemptId> taker(TaskAttemptId reduce, String host) {
        if (outlook.firstMapsWait()) {
            return Optional.empty();
        }
        ReduceYield.Fetching unbegun = new ReduceYield.Fetching(reduce, host, ASK_MILLIS);
        return ReduceYield.decide(
                        worthiest(placement.awaitedMaps()), List.of(unbegun), outlook.price())
                .stream()
                .map(yield -> yield.backup().attempt())
                .findFirst();
    }

    /**
     * One in the place of a second attempt that was killed counts from when that one began: to wait
     * for a container that comes free by itself is to wait for the one that it had.
     */
    private long waited(TaskAttemptId backup) {
        long asked = waitingSince.getOrDefault(backup, now());
        return now() - Math.min(asked, killedBefore(backup).orElse(asked));
    }

    private OptionalLong killedBefore(TaskAttemptId backup) {
        return context
                .getJob(backup.getTaskId().getJobId())
                .getTask(backup.getTaskId())
                .getAttempts()
                .values()
                .stream()
                .filter(attempt -> attempt.getState() == TaskAttemptState.KILLED)
                .mapToLong(TaskAttempt::getLaunchTime)
                .filter(launched -> launched > 0)
                .max();
    }

    private long now() {
        return context.getClock().getTime();
    }

    /** The backups that gain most. */
    private List<ReduceYield.Backup> worthiest(Map<TaskAttemptId, TaskAttempt> awaited) {
        Map<TaskAttemptId, CloneScore> scores = new HashMap<>();
        awaited.forEach(
                (backup, straggler) ->
                        outlook.waitingScore(straggler.getID())
                                .ifPresent(score -> scores.put(backup, score)));
        return scores.entrySet().stream()
                .sorted(Comparator.comparingDouble(one -> -one.getValue().gainMillis()))
                .limit(rules.yieldsAtOnce())
                .map(one -> backup(one.getKey(), one.getValue()))
                .toList();
    }

    private ReduceYield.Backup backup(TaskAttemptId backup, CloneScore score) {
        return new ReduceYield.Backup(backup, waited(backup), score, placement.unfit(backup));
    }

    /** As long as a backup is to overtake a map, that map runs, and no reduce has fetched all. */
    private List<ReduceYield.Fetching> fetching(ReduceYield.Backup backup) {
        return context
                .getJob(backup.attempt().getTaskId().getJobId())
                .getTasks(TaskType.REDUCE)
                .values()
                .stream()
                .map(task -> task.getAttempts().values())
                .filter(attempts -> attempts.size() == 1)
                .map(attempts -> attempts.iterator().next())
                .filter(ReduceYields::isFetching)
                .map(
                        reduce ->
                                new ReduceYield.Fetching(
                                        reduce.getID(),
                                        reduce.getNodeId().getHost(),
                                        outlook.restartMillis(reduce)))
                .toList();
    }

    // One whose JVM has yet to start loses even less.
    private static boolean isFetching(TaskAttempt reduce) {
        return reduce.getState() == TaskAttemptState.RUNNING
                && (reduce.getPhase() == Phase.SHUFFLE || reduce.getPhase() == Phase.STARTING)
                && reduce.getNodeId() != null;
    }

    private void giveWay(ReduceYield.Yield yield) {
        TaskAttemptId backup = yield.backup().attempt();
        TaskAttemptId reduce = yield.reduce().attempt();
        Optional<ContainerRequestEvent> urgent = placement.urgent(backup, yield.reduce().host());
        placement.promise(backup);
        if (urgent.isEmpty()
                || !urgency.ask(urgent.get(), reduce, () -> kill(backup, reduce, why(yield)))) {
            placement.withdrawPromise(backup); // it has been given one meanwhile
            return;
        }
        placement.asked(urgent.get());
        givenWay.add(backup);
    }

    /** Whether it still waits is asked once more where the answer can't change any more. */
    private void kill(TaskAttemptId backup, TaskAttemptId reduce, String why) {
        if (placement.awaitedMaps().containsKey(backup)) {
            context.getEventHandler().handle(new ReduceYieldKill(reduce, backup, why));
        }
    }

    private static String why(ReduceYield.Yield yield) {
        return String.format(
                Locale.ROOT,
                "its container is for %s, which has waited %.1f s and gains %.1f s; it waits for"
                        + " maps, and loses %.1f s",
                yield.backup().attempt(),
                yield.backup().waitedMillis() / 1e3,
                yield.backup().score().gainMillis() / 1e3,
                yield.reduce().lossMillis() / 1e3);
    }
}
