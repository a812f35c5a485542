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
package org.apache.hadoop.clone.score;

import java.util.Optional;
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * What a clone is worth from its order until its original is frozen. The usual costs were learned
 * on hosts that are well; how long the original takes to answer is the first that is known of its
 * own.
 *
 * @param score of the order, and from the answer on with what a clone costs there
 * @param isHostSlow whether that is more than what clones usually cost
 * @param travelMillis what its image takes to travel, by a sample of its link; 0 before there is
 *     one
 * @param rules the numbers by which it is judged
 */
@InterfaceAudience.Private
public record CloneWorth(
        CloneScore score, boolean isHostSlow, double travelMillis, CostRules rules) {
    /** As it is ordered. */
    public static CloneWorth of(CloneScore score, CostRules rules) {
        return new CloneWorth(score, false, 0, rules);
    }

    /**
     * Once the original has answered.
     *
     * @param passedMillis since the order
     * @param hereMillis what its clone {@linkplain #leastMillis takes at the least}
     */
    public CloneWorth answered(long passedMillis, double hereMillis) {
        return new CloneWorth(
                score.after(passedMillis, hereMillis),
                hereMillis > score.cloneMillis(),
                travelMillis,
                rules);
    }

    /**
     * Once it is known what the original holds.
     *
     * @param cloneMillis t_clone, by that
     */
    public CloneWorth costing(double cloneMillis) {
        return new CloneWorth(score.after(0, cloneMillis), isHostSlow, travelMillis, rules);
    }

    /** Once it is known what its image takes to travel. */
    public CloneWorth travelling(double millis) {
        return new CloneWorth(score, isHostSlow, millis, rules);
    }

    /**
     * What a clone takes at the least where an answer took so long; not positive if that says
     * nothing.
     *
     * @param waitedMillis of that, what it only waited, which says nothing of its host
     */
    public static double leastMillis(long answerMillis, long waitedMillis, CostRules rules) {
        return rules.overAnswer() * (answerMillis - waitedMillis - rules.promptMillis());
    }

    /** Why no container is to be requested for it; empty if it is worth one. */
    public Optional<String> objection() {
        if (score.best() == Outcome.CLONE) {
            return Optional.empty();
        }
        return Optional.of(
                isHostSlow
                        ? "it was so slow to answer that a clone of it would be no gain"
                        : "a clone of it would be no gain any more");
    }

    /**
     * What is best just before the freeze. Where the original was slow to answer the rest is slow
     * as well, whatever clones cost elsewhere. And once it stands still for its clone most of the
     * cost is spent, and its container would begin at zero otherwise: then only one that is done
     * before its clone runs is let go. Its image has to travel in any case: what that takes isn't
     * spent by waiting.
     *
     * @param usual score of now, with what clones usually still cost
     * @param sinceLaunchMillis of the clone's container
     */
    public Outcome atFreeze(CloneScore usual, double sinceLaunchMillis, boolean standsStill) {
        double leastMillis = Math.max(score.cloneMillis() - sinceLaunchMillis, travelMillis);
        CloneScore now = usual.after(0, leastMillis);
        boolean outlasts = now.remainingMillis() > now.cloneMillis();
        return now.best() == Outcome.NONE && standsStill && outlasts ? Outcome.CLONE : now.best();
    }

    /**
     * How long the clone's container waits for the freeze.
     *
     * @param mostMillis what any clone may take; at least 1
     * @return at least 1
     */
    public long patienceMillis(long mostMillis) {
        return Math.min(Math.max(1, Math.round(score.patienceMillis())), mostMillis);
    }
}
