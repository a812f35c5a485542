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
package org.apache.hadoop.clone.speculate;

import java.util.Optional;
import java.util.function.Supplier;
import org.apache.hadoop.clone.conf.CloneMode;
import org.apache.hadoop.clone.limits.Permission;
import org.apache.hadoop.clone.score.CloneCosts;
import org.apache.hadoop.clone.score.CloneScore;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;

/**
 * For an AppMaster that can't clone, stock Hadoop's for example. A shadow asks what clones would
 * gain if it could.
 */
final class NoCloner implements Cloner {
    private final CloneCosts costs;
    private final Supplier<Permission> permission;
    private final Optional<String> obstacle;

    NoCloner(CloneCosts costs, CloneMode mode, Supplier<Permission> permission) {
        this.costs = costs;
        this.permission = permission;
        obstacle =
                mode == CloneMode.SHADOW
                        ? Optional.empty()
                        : Optional.of("this AppMaster can't clone");
    }

    @Override
    public Permission permission() {
        return permission.get();
    }

    @Override
    public Optional<String> obstacle(TaskAttemptId attempt) {
        return obstacle;
    }

    @Override
    public boolean isBeingCloned(TaskAttemptId attempt) {
        return false;
    }

    @Override
    public Optional<Long> cloneBytes(TaskAttemptId attempt) {
        return Optional.empty();
    }

    @Override
    public CloneCosts costs() {
        return costs;
    }

    @Override
    public Optional<TaskAttemptId> originalOf(TaskAttemptId attempt) {
        return Optional.empty();
    }

    @Override
    public void clone(TaskAttemptId original, CloneScore score) {
        throw new IllegalStateException("asked to clone " + original + " without being able to");
    }
}
