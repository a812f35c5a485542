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
package org.clonehadoop.benchmarks.feed;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.clone.score.CloneCosts;
import org.apache.hadoop.clone.score.CloneScore;
import org.apache.hadoop.clone.speculate.Cloner;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;

/** Answers what the AppMaster's own cloner has answered last. */
public final class MirrorCloner implements Cloner {
    private record Answers(
            Optional<String> obstacle,
            boolean underWay,
            Optional<Long> fileBytes,
            Optional<TaskAttemptId> original,
            double leastMillis) {}

    /** Takes orders for clones. */
    @FunctionalInterface
    public interface Orders {
        /**
         * @param inPlaceOf the second attempt that is to end in favour of the clone, if there is
         *     one
         */
        void clone(TaskAttemptId original, Optional<TaskAttemptId> inPlaceOf, CloneScore score);
    }

    private static final Answers UNKNOWN =
            new Answers(
                    Optional.of("nothing is known of it"),
                    false,
                    Optional.empty(),
                    Optional.empty(),
                    0);

    private final Map<TaskAttemptId, Answers> answers = new ConcurrentHashMap<>();
    private final Orders orders;
    private volatile CloneCosts costs;

    /**
     * @param costs until others are told
     * @param orders takes them
     */
    public MirrorCloner(CloneCosts costs, Orders orders) {
        this.costs = costs;
        this.orders = orders;
    }

    void setCosts(CloneCosts costs) {
        this.costs = costs;
    }

    /** Null is as before. */
    void change(
            TaskAttemptId attempt,
            String obstacle,
            Boolean underWay,
            Long fileBytes,
            Optional<TaskAttemptId> original,
            Double leastMillis) {
        Answers before = answers(attempt);
        answers.put(
                attempt,
                new Answers(
                        obstacle == null
                                ? before.obstacle()
                                : Optional.of(obstacle).filter(why -> !why.isEmpty()),
                        underWay == null ? before.underWay() : underWay,
                        fileBytes == null ? before.fileBytes() : Optional.of(fileBytes),
                        original == null ? before.original() : original,
                        leastMillis == null ? before.leastMillis() : leastMillis));
    }

    private Answers answers(TaskAttemptId attempt) {
        return answers.getOrDefault(attempt, UNKNOWN);
    }

    @Override
    public Optional<String> obstacle(TaskAttemptId attempt) {
        return answers(attempt).obstacle();
    }

    @Override
    public boolean isBeingCloned(TaskAttemptId attempt) {
        return answers(attempt).underWay();
    }

    @Override
    public Optional<Long> cloneBytes(TaskAttemptId attempt) {
        return answers(attempt).fileBytes();
    }

    @Override
    public double leastCloneMillis(TaskAttemptId attempt) {
        return answers(attempt).leastMillis();
    }

    @Override
    public CloneCosts costs() {
        return costs;
    }

    @Override
    public Optional<TaskAttemptId> originalOf(TaskAttemptId attempt) {
        return answers(attempt).original();
    }

    @Override
    public void clone(TaskAttemptId original, CloneScore score) {
        orders.clone(original, Optional.empty(), score);
    }

    @Override
    public boolean replaces() {
        return true;
    }

    @Override
    public void cloneInPlaceOf(TaskAttemptId second, TaskAttemptId original, CloneScore score) {
        orders.clone(original, Optional.of(second), score);
    }
}
