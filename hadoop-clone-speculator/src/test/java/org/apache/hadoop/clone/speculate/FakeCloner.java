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

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.hadoop.clone.limits.Permission;
import org.apache.hadoop.clone.score.CloneCosts;
import org.apache.hadoop.clone.score.CloneScore;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;

/** An AppMaster that notes what it is ordered to clone. */
final class FakeCloner implements Cloner {
    CloneCosts costs = new CloneCosts(1, 2000, 100_000);
    Permission permission = Permission.ALL;
    String spent;
    String obstacle;
    int failures;
    final List<TaskAttemptId> ordered = new CopyOnWriteArrayList<>();
    boolean replaces = true;
    double leastMillis;

    /** The second attempts in whose place clones were ordered. */
    final List<TaskAttemptId> replaced = new CopyOnWriteArrayList<>();

    final Map<TaskAttemptId, CloneScore> scores = new HashMap<>();
    final Map<TaskAttemptId, TaskAttemptId> originals = new HashMap<>();
    final Map<TaskAttemptId, Long> fileBytes = new HashMap<>();

    @Override
    public Permission permission() {
        return permission;
    }

    @Override
    public Optional<String> spent() {
        return Optional.ofNullable(spent);
    }

    @Override
    public Optional<String> obstacle(TaskAttemptId attempt) {
        return Optional.ofNullable(obstacle);
    }

    @Override
    public boolean isBeingCloned(TaskAttemptId attempt) {
        return ordered.contains(attempt);
    }

    @Override
    public Optional<Long> cloneBytes(TaskAttemptId attempt) {
        return Optional.ofNullable(fileBytes.get(attempt));
    }

    @Override
    public double leastCloneMillis(TaskAttemptId attempt) {
        return leastMillis;
    }

    @Override
    public CloneCosts costs() {
        return costs;
    }

    @Override
    public Optional<TaskAttemptId> originalOf(TaskAttemptId attempt) {
        return Optional.ofNullable(originals.get(attempt));
    }

    @Override
    public void clone(TaskAttemptId original, CloneScore score) {
        if (failures-- > 0) {
            throw new IllegalStateException("the test wants it");
        }
        ordered.add(original);
        scores.put(original, score);
    }

    @Override
    public boolean replaces() {
        return replaces;
    }

    @Override
    public void cloneInPlaceOf(TaskAttemptId second, TaskAttemptId original, CloneScore score) {
        replaced.add(second);
        clone(original, score);
    }
}
