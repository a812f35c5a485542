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
package org.apache.hadoop.clone.placement;

import org.apache.hadoop.classification.InterfaceAudience;

/**
 * A container on a slow host that was given to an attempt which is no backup: whether it is given
 * back. An attempt that does so goes behind all that wait, so it begins when the last of them does,
 * and then takes what is usual; or it begins now, and takes so much longer as the host is slower.
 * It goes where it ends first, as in list scheduling on machines of different speed: while many
 * wait, a slow host is better than none, and for the last ones it isn't.
 *
 * @param relativeRate of the host, to the median host's; from 0 to 1
 * @param waiting how many of its kind wait for a container, with itself
 * @param better what may come free for them
 */
@InterfaceAudience.Private
public record FirstContainer(double relativeRate, int waiting, BetterContainers better) {
    /** How much longer the work takes there than elsewhere, in milliseconds. */
    private double lossMillis() {
        return better.usualMillis() * (1 / relativeRate - 1);
    }

    /**
     * Whether the attempt should wait for a better one. Never for longer than it can gain, however
     * wrong what is expected turns out: then it has lost as much as it would have there.
     *
     * @param refusedBefore how many containers the attempt was given and hasn't taken. Before the
     *     first there may be room elsewhere; then there isn't, and nothing comes free where none of
     *     the job's attempts will end, or has just ended
     * @param waitedMillis since the first of those; 0 if there was none
     */
    public boolean isWorthWaiting(int refusedBefore, long waitedMillis, PlacementRules rules) {
        return worthMillis(refusedBefore, waitedMillis, rules) > 0;
    }

    /**
     * For how long from now on that is so, if nothing else changes, in milliseconds; 0 or less if
     * it isn't. Parameters as those of {@link #isWorthWaiting}.
     */
    public double worthMillis(int refusedBefore, long waitedMillis, PlacementRules rules) {
        if (refusedBefore >= rules.givenBack()) {
            return 0;
        }
        double worth = lossMillis() - better.millisTo(waiting) - waitedMillis;
        if (better.ending() > 0 || refusedBefore == 0) {
            return worth;
        }
        return better.hasEnded() ? Math.min(worth, rules.comesFreeMillis()) : 0;
    }
}
