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
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Predicate;
import org.apache.hadoop.clone.appmaster.CoordinatorDoor;
import org.apache.hadoop.clone.conf.CloneKeys;
import org.apache.hadoop.clone.placement.PlacementRules;
import org.apache.hadoop.clone.protocol.CloneAnswer;
import org.apache.hadoop.clone.protocol.CloneOrder;
import org.apache.hadoop.clone.protocol.SourcePaths;
import org.apache.hadoop.clone.score.CostRules;
import org.apache.hadoop.clone.speculate.Cloner;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskId;
import org.clonehadoop.simulator.mapreduce.CloneLead;
import org.clonehadoop.simulator.platform.CostBook;
import org.clonehadoop.simulator.platform.Load;
import org.clonehadoop.simulator.platform.SimHost;

/**
 * Clones that the real coordinator leads, to hosts that the real placement has chosen. What tasks'
 * agents, {@code serve} and {@code pull} do is played towards it, at what it costs.
 */
public final class CoordinatedClones implements CloneLead {
    private static final SourcePaths PATHS = new SourcePaths("/w", List.of("/l"), List.of("/o"));

    private static final long ASK_LEAVE_MILLIS = 500;

    /** An original waits for its clone's container. */
    private record Offer(long cloneId, long patienceMillis) {}

    /** A clone whose container is launched. */
    private record Pull(
            TaskAttemptId original, TaskAttemptId attempt, long cloneId, Passage passage) {}

    private final Site site;
    private final CostBook costs;
    private final long gateLimitMillis;
    private final CoordinatorDoor coordinator;
    private final Placement placement;
    private final Map<TaskAttemptId, Offer> offered = new HashMap<>();
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
        gateLimitMillis =
                conf.getTimeDuration(
                        CloneKeys.GATE_LIMIT, CloneKeys.GATE_LIMIT_DEFAULT, TimeUnit.MILLISECONDS);
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
                                offered.put(
                                        original,
                                        new Offer(
                                                order.cloneId(), order.limits().patienceMillis()));
                                coordinator.answered(
                                        original,
                                        CloneAnswer.offered(order.cloneId(), "h:1", PATHS));
                            });
            case CANCEL -> cancel(original);
            case NONE -> {}
        }
    }

    private void answerLater(TaskAttemptId original, Runnable answer) {
        double millis = costs.answerMillis() / Passage.quickness(site.hostOf(original));
        site.timeline()
                .after(
                        Math.round(millis),
                        () -> {
                            if (site.isUnderWay(original) && site.hears(original)) {
                                answer.run();
                            }
                        });
    }

    private void able(TaskAttemptId original, long clone) {
        long bytes = Load.bytes(site.fileMegabytes(original));
        long memory = Load.bytes(costs.memoryMegabytes());
        coordinator.answered(
                original,
                site.obstacle(original)
                        .map(obstacle -> CloneAnswer.refused(clone, obstacle))
                        .orElseGet(() -> CloneAnswer.able(clone, bytes, memory)));
    }

    /** The clone came to nothing: its container begins the task itself, if it pulls already. */
    private void cancel(TaskAttemptId original) {
        Pull pull = pulls.remove(original.getTaskId());
        if (pull == null) {
            return;
        }
        pull.passage().stop();
        if (site.isUnderWay(pull.attempt())) {
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
        Passage passage = new Passage(site, original, site.hostOf(attempt));
        Offer offer = offered.get(original);
        Pull pull = new Pull(original, attempt, offer.cloneId(), passage);
        pulls.put(attempt.getTaskId(), pull);
        site.awaitImage(attempt);
        passage.begin(() -> askLeave(pull));
        site.timeline()
                .after(
                        offer.patienceMillis(),
                        () -> giveUp(pull, "the process wasn't frozen within the patience"));
    }

    private boolean isAlive(Pull pull) {
        return pulls.get(pull.attempt().getTaskId()) == pull && site.isUnderWay(pull.attempt());
    }

    private boolean canBeFrozen(Pull pull) {
        return isAlive(pull) && site.isUnderWay(pull.original()) && site.hears(pull.original());
    }

    private void askLeave(Pull pull) {
        if (!canBeFrozen(pull)) {
            return;
        }
        switch (coordinator.mayFreeze(
                pull.original(), pull.cloneId(), linkBytesPerMilli(pull.passage()))) {
            case GRANTED -> park(pull);
            case LATER -> site.timeline().after(ASK_LEAVE_MILLIS, () -> askLeave(pull));
            case REFUSED -> cancel(pull.original());
        }
    }

    /** The books' rates are those of packed images; a sample is of what doesn't pack. */
    private static long linkBytesPerMilli(Passage passage) {
        double ofSample = passage.bytesPerMilli() / CostRules.PRESET.packing();
        return Math.max(1, Math.round(ofSample));
    }

    /** Between two records, or fetches; if it comes there. */
    private void park(Pull pull) {
        if (site.comesToRest(pull.original())) {
            double image = site.imageMegabytes(pull.original());
            site.timeline()
                    .after(
                            site.boundaryMillis(pull.original()).orElse(0),
                            () -> {
                                if (canBeFrozen(pull)) {
                                    pull.passage().freeze(image, () -> sent(pull));
                                }
                            });
        } else {
            String why = "it didn't come to a record boundary in " + gateLimitMillis + " ms";
            site.timeline().after(gateLimitMillis, () -> giveUp(pull, why));
        }
    }

    private void giveUp(Pull pull, String why) {
        if (!pull.passage().hasFrozen() && isAlive(pull)) {
            if (canBeFrozen(pull)) {
                coordinator.answered(pull.original(), CloneAnswer.failed(pull.cloneId(), why));
            }
            cancel(pull.original());
        }
    }

    private void sent(Pull pull) {
        if (!isAlive(pull)) {
            return;
        }
        Passage passage = pull.passage();
        coordinator.answered(
                pull.original(),
                CloneAnswer.sent(
                        pull.cloneId(),
                        passage.frozenMillis(),
                        passage.frozenMillis(),
                        passage.travelled()));
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
        if (pull != null && attempt.equals(pull.attempt())) {
            pulls.remove(attempt.getTaskId());
            pull.passage().stop();
        } else if (pull != null && attempt.equals(pull.original()) && !succeeded) {
            cancel(attempt);
        }
    }

    @Override
    public void tick() {
        coordinator.tick();
        placement.tick();
    }
}
