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
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import org.apache.hadoop.clone.appmaster.CoordinatorDoor;
import org.apache.hadoop.clone.placement.PlacementRules;
import org.apache.hadoop.clone.protocol.CloneAnswer;
import org.apache.hadoop.clone.protocol.CloneOrder;
import org.apache.hadoop.clone.protocol.CloneTravel;
import org.apache.hadoop.clone.protocol.SourcePaths;
import org.apache.hadoop.clone.score.CostRules;
import org.apache.hadoop.clone.speculate.Cloner;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskId;
import org.clonehadoop.simulator.mapreduce.CloneLead;
import org.clonehadoop.simulator.platform.CostBook;
import org.clonehadoop.simulator.platform.SimHost;

/**
 * Clones that the real coordinator leads, to hosts that the real placement has chosen. What tasks'
 * agents, {@code serve} and {@code pull} do is played towards it, at what it costs.
 */
public final class CoordinatedClones implements CloneLead {
    private static final SourcePaths PATHS = new SourcePaths("/w", List.of("/l"), List.of("/o"));

    /** Of t̄_vm, until the original can be frozen: its container starts, both ends meet. */
    private static final double BEFORE_FREEZE = 0.4;

    private static final long ASK_LEAVE_MILLIS = 500;

    /** A clone whose container is launched. */
    private record Pull(TaskAttemptId original, TaskAttemptId attempt, long cloneId) {}

    private final Site site;
    private final CostBook costs;
    private final CoordinatorDoor coordinator;
    private final Placement placement;
    private final Map<TaskAttemptId, Long> offered = new HashMap<>();
    private final Map<TaskId, Pull> pulls = new HashMap<>();

    /**
     * @param rules the coordinator's
     * @param memory the same, of hosts
     * @param rescorer says before a freeze whether the clone is still worth it
     * @param placements by what tells which attempts began as clones
     */
    public CoordinatedClones(
            Site site,
            Configuration conf,
            CostRules rules,
            PlacementRules memory,
            CoordinatorDoor.Rescorer rescorer,
            Function<Predicate<TaskAttemptId>, Placement> placements) {
        this.site = site;
        costs = site.spec().costs();
        coordinator = new CoordinatorDoor(conf, site.context(), rules, memory);
        coordinator.connect(rescorer, this::launch);
        placement = placements.apply(attempt -> cloner().originalOf(attempt).isPresent());
    }

    @Override
    public Cloner cloner() {
        return coordinator.cloner();
    }

    @Override
    public Optional<Placement> placement() {
        return Optional.of(placement);
    }

    // --- the original's agent ---

    @Override
    public void started(TaskAttemptId attempt) {
        coordinator.listen(attempt, site.timeline().getTime(), order -> hear(attempt, order));
    }

    private void hear(TaskAttemptId original, CloneOrder order) {
        switch (order.kind()) {
            case PREPARE -> answerLater(original, () -> able(original, order.cloneId()));
            case OFFER ->
                    answerLater(
                            original,
                            () -> {
                                offered.put(original, order.cloneId());
                                coordinator.answered(
                                        original,
                                        CloneAnswer.offered(order.cloneId(), "h:1", PATHS));
                            });
            case CANCEL -> cancel(original);
            case NONE -> {}
        }
    }

    private void answerLater(TaskAttemptId original, Runnable answer) {
        double millis = costs.answerMillis() / cpu(site.hostOf(original));
        site.timeline()
                .after(
                        Math.round(millis),
                        () -> {
                            if (site.isUnderWay(original)) {
                                answer.run();
                            }
                        });
    }

    private void able(TaskAttemptId original, long clone) {
        long bytes = Math.round(site.fileMegabytes(original) * (1 << 20));
        coordinator.answered(original, CloneAnswer.able(clone, bytes));
    }

    private static double cpu(SimHost host) {
        return Math.max(0.01, host.quickness());
    }

    /** The clone came to nothing: its container begins the task itself, if it pulls already. */
    private void cancel(TaskAttemptId original) {
        site.thaw(original);
        Pull pull = pulls.remove(original.getTaskId());
        if (pull != null && site.isUnderWay(pull.attempt())) {
            site.beginAtZero(pull.attempt());
        }
    }

    // --- the clone's container ---

    @Override
    public boolean launching(TaskAttemptId attempt, SimHost host) {
        return coordinator.launching(attempt, host.name());
    }

    private void launch(TaskAttemptId attempt, boolean asClone) {
        if (!asClone) {
            site.beginAtZero(attempt);
            return;
        }
        site.timeline().after(0, () -> pull(attempt));
    }

    private void pull(TaskAttemptId attempt) {
        TaskAttemptId original = cloner().originalOf(attempt).orElseThrow();
        Pull pull = new Pull(original, attempt, offered.get(original));
        pulls.put(attempt.getTaskId(), pull);
        site.awaitImage(attempt);
        site.timeline()
                .after(
                        Math.round(BEFORE_FREEZE * costs.vmMillis() / slower(pull)),
                        () -> askLeave(pull));
    }

    private double slower(Pull pull) {
        return Math.min(cpu(site.hostOf(pull.original())), cpu(site.hostOf(pull.attempt())));
    }

    private boolean isAlive(Pull pull) {
        return pulls.get(pull.attempt().getTaskId()) == pull && site.isUnderWay(pull.attempt());
    }

    private void askLeave(Pull pull) {
        if (!isAlive(pull) || !site.isUnderWay(pull.original())) {
            return;
        }
        switch (coordinator.mayFreeze(pull.original(), pull.cloneId())) {
            case GRANTED -> freeze(pull);
            case LATER -> site.timeline().after(ASK_LEAVE_MILLIS, () -> askLeave(pull));
            case REFUSED -> cancel(pull.original());
        }
    }

    private void freeze(Pull pull) {
        double megabytes = site.fileMegabytes(pull.original());
        double files = costs.fileMillis(megabytes);
        double frozen = frozenMillis(costs, megabytes, slower(pull));
        double whole = fromFreezeMillis(costs, megabytes, slower(pull));
        site.freeze(pull.original());
        site.timeline().after(Math.round(frozen), () -> site.thaw(pull.original()));
        site.timeline()
                .after(
                        Math.round(whole),
                        () -> {
                            if (isAlive(pull)) {
                                sent(pull, megabytes, frozen, files);
                            }
                        });
    }

    private static double frozenMillis(CostBook costs, double megabytes, double slower) {
        return costs.freezeMillis() / slower
                + (costs.freezeWithFiles() ? costs.fileMillis(megabytes) : 0);
    }

    private static double fromFreezeMillis(CostBook costs, double megabytes, double slower) {
        return Math.max(
                frozenMillis(costs, megabytes, slower),
                (1 - BEFORE_FREEZE) * costs.vmMillis() / slower + costs.fileMillis(megabytes));
    }

    /**
     * What a clone takes from its container's launch until it runs.
     *
     * @param megabytes that it brings along
     */
    static double cloneMillis(CostBook costs, double megabytes, SimHost original, SimHost clone) {
        double slower = Math.min(cpu(original), cpu(clone));
        return BEFORE_FREEZE * costs.vmMillis() / slower
                + fromFreezeMillis(costs, megabytes, slower);
    }

    private void sent(Pull pull, double megabytes, double frozen, double files) {
        coordinator.answered(
                pull.original(),
                CloneAnswer.sent(
                        pull.cloneId(),
                        Math.round(frozen),
                        Math.round(frozen),
                        new CloneTravel(
                                Math.round(megabytes * (1 << 20)),
                                0,
                                Math.max(1, Math.round(files)))));
        if (coordinator.becomeAndRun(pull.original(), pull.cloneId(), pull.attempt())) {
            pulls.remove(pull.attempt().getTaskId());
            site.beginAsClone(pull.original(), pull.attempt());
        }
    }

    @Override
    public void ended(TaskAttemptId attempt, boolean succeeded) {
        Pull pull = pulls.get(attempt.getTaskId());
        coordinator.ended(attempt, succeeded);
        offered.remove(attempt);
        boolean alone = pull != null && attempt.equals(pull.original()) && !succeeded;
        if (alone) {
            cancel(attempt);
        }
    }

    @Override
    public void tick() {
        coordinator.tick();
        placement.tick();
    }
}
