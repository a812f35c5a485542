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
import org.apache.hadoop.clone.score.CloneScore;
import org.apache.hadoop.clone.score.Outcome;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;

/**
 * A straggler that a second attempt might overtake.
 *
 * @param score as if it could be cloned
 * @param obstacle why it can't; empty if it can
 */
record Candidate(TaskAttemptId attempt, CloneScore score, Optional<String> obstacle) {
    /** The score of what can really be done. */
    CloneScore attainable() {
        return obstacle.isPresent() ? score.withoutClone() : score;
    }

    /**
     * What to do, were there containers for all.
     *
     * @param price of a second in a container, in seconds that must be saved
     */
    Decision decide(double price) {
        CloneScore attainable = attainable();
        Outcome outcome = worthWhile(attainable, price);
        boolean prevented = obstacle.isPresent() && worthWhile(score, price) == Outcome.CLONE;
        Reason reason =
                switch (outcome) {
                    case CLONE -> Reason.CLONE_IS_SOONER;
                    case NEW -> prevented ? Reason.NOT_CLONEABLE : Reason.NEW_IS_SOONER;
                    case NONE -> prevented ? Reason.NOT_CLONEABLE : Reason.NO_GAIN;
                };
        return new Decision(
                attempt,
                outcome,
                reason,
                Optional.of(score),
                prevented ? obstacle : Optional.empty());
    }

    /** What to do if another second attempt is to take the place of one that straggles. */
    Replacement inPlaceOf(TaskAttemptId second) {
        return new Replacement(
                new Decision(
                        attempt,
                        attainable().best(),
                        Reason.SECOND_STRAGGLES,
                        Optional.of(score),
                        Optional.empty()),
                second);
    }

    private static Outcome worthWhile(CloneScore score, double price) {
        return score.isWorth(price) ? score.best() : Outcome.NONE;
    }
}
