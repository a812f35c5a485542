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
 * A job's containers on hosts that aren't slow, and when they come free: where else there is room
 * can't be asked.
 *
 * <p>Attempts that are somewhere in their course end evenly spread over what one usually takes: of
 * n the w-th after w / (n + 1) of it. Reduces aren't when the last map has ended, for which all of
 * them have waited: none ends before it has done its work.
 *
 * @param usualMillis what an attempt usually takes; 0 if that isn't known
 * @param ending how many of the job's attempts run there, and will end
 * @param hasEnded whether one has just ended there, so that its container may come free yet
 * @param soonestMillis before which none ends
 */
@InterfaceAudience.Private
public record BetterContainers(
        double usualMillis, int ending, boolean hasEnded, double soonestMillis) {
    /** Of attempts that are somewhere in their course. */
    public static BetterContainers of(double usualMillis, int ending, boolean hasEnded) {
        return new BetterContainers(usualMillis, ending, hasEnded, 0);
    }

    /** These, of reduces, that long after the last map has ended. */
    public BetterContainers sinceMapsEnd(long millis) {
        return new BetterContainers(
                usualMillis, ending, hasEnded, Math.max(0, usualMillis - millis));
    }

    /** Between two of them, in milliseconds. */
    public double millisBetweenEnds() {
        return usualMillis / (ending + 1);
    }

    /**
     * After how long the last of so many is likely to have come free, in milliseconds.
     *
     * @param number 1 or more
     */
    public double millisTo(int number) {
        return Math.max(number * millisBetweenEnds(), soonestMillis);
    }
}
