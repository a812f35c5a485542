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

import java.util.Optional;
import java.util.function.LongSupplier;
import org.apache.hadoop.clone.limits.CloneSlots;
import org.apache.hadoop.clone.limits.ContainerBudget;
import org.apache.hadoop.clone.limits.Permission;
import org.apache.hadoop.clone.score.CloneCosts;
import org.apache.hadoop.clone.score.CloneScore;
import org.apache.hadoop.clone.speculate.Cloner;
import org.apache.hadoop.clone.speculate.Footprint;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;

/**
 * The coordinator as the speculator sees it, within operators' limits. Slots are waited for here,
 * on the speculator's thread, and not under the coordinator's lock.
 */
final class LimitedCloner implements Cloner {
    private final CloneCoordinator coordinator;
    private final Optional<CloneSlots> slots;
    private final ContainerBudget budget;
    private final LongSupplier extraMillis;

    /**
     * @param extraMillis what second attempts have cost so far
     */
    LimitedCloner(
            CloneCoordinator coordinator,
            Optional<CloneSlots> slots,
            ContainerBudget budget,
            LongSupplier extraMillis) {
        this.coordinator = coordinator;
        this.slots = slots;
        this.budget = budget;
        this.extraMillis = extraMillis;
    }

    @Override
    public Permission permission() {
        return coordinator.permission();
    }

    @Override
    public Optional<String> spent() {
        return budget.spent(extraMillis.getAsLong());
    }

    @Override
    public Optional<String> obstacle(TaskAttemptId attempt) {
        return coordinator.obstacle(attempt).or(() -> slots.flatMap(CloneSlots::obstacle));
    }

    @Override
    public boolean isBeingCloned(TaskAttemptId attempt) {
        return coordinator.isBeingCloned(attempt);
    }

    @Override
    public Optional<Long> cloneBytes(TaskAttemptId attempt) {
        return coordinator.cloneBytes(attempt);
    }

    @Override
    public long cloneBytes(TaskAttemptId attempt, Footprint counted) {
        return coordinator.cloneBytes(attempt, counted);
    }

    @Override
    public double leastCloneMillis(TaskAttemptId attempt) {
        return coordinator.leastCloneMillis(attempt);
    }

    @Override
    public CloneCosts costs() {
        return coordinator.costs();
    }

    @Override
    public Optional<TaskAttemptId> originalOf(TaskAttemptId attempt) {
        return coordinator.originalOf(attempt);
    }

    @Override
    public void clone(TaskAttemptId original, CloneScore score) {
        limited(original, () -> coordinator.clone(original, score));
    }

    @Override
    public boolean replaces() {
        return coordinator.replaces();
    }

    @Override
    public void cloneInPlaceOf(TaskAttemptId second, TaskAttemptId original, CloneScore score) {
        Runnable order = () -> coordinator.cloneInPlaceOf(second, original, score);
        if (coordinator.isUnderWay(original.getTaskId())) {
            order.run(); // in the slots of the clone before
        } else {
            limited(original, order);
        }
    }

    private void limited(TaskAttemptId original, Runnable order) {
        slots.ifPresentOrElse(
                shared -> shared.order(original.getTaskId(), permission().caps(), order), order);
    }
}
