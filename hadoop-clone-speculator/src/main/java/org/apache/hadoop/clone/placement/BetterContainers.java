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
 * n the w-th after w / (n + 1) of it. Reduces aren't before the last map has ended. What they take
 * over from maps comes free after it only, once as many as will end have ended and a reduce has
 * done its work. And the first to do so takes about as long as the others from there.
 *
 * @param usualMillis what an attempt usually takes; 0 if that isn't known
 * @param ending how many of the job's attempts run there, and will end
 * @param hasEnded whether one has just ended there, so that its container may come free yet
 * @param isForReducesThatWait whether what begins in them waits until all of these have ended
 * @param soonestMillis before which none ends
 */
@InterfaceAudience.Private
public record BetterContainers(
        double usualMillis,
        int ending,
        boolean hasEnded,
        boolean isForReducesThatWait,
        double soonestMillis) {
    /** Of attempts that are somewhere in their course. */
    public static BetterContainers steady(double usualMillis, int ending, boolean hasEnded) {
        return new BetterContainers(usualMillis, ending, hasEnded, false, 0);
    }

    /** Of maps, for reduces that can't do their work before. */
    public static BetterContainers ofMapsForReduces(
            double usualMillis, int ending, boolean hasEnded) {
        return new BetterContainers(usualMillis, ending, hasEnded, true, 0);
    }

    /** Of reduces, that long after the last map has ended. */
    public static BetterContainers ofReduces(
            double usualMillis, int ending, boolean hasEnded, long sinceMapsEndMillis) {
        return new BetterContainers(
                usualMillis,
                ending,
                hasEnded,
                false,
                Math.max(0, usualMillis - sinceMapsEndMillis));
    }

    /** After how long another one is likely to come free, in milliseconds. */
    public double millisBetweenEnds() {
        return usualMillis / (ending + 1);
    }

    /**
     * After how long the last of so many is likely to have come free, in milliseconds.
     *
     * @param number 1 or more
     */
    public double millisTo(int number) {
        if (isForReducesThatWait && number > ending) {
            return ending * millisBetweenEnds() + usualMillis;
        }
        return Math.max(number * millisBetweenEnds(), soonestMillis);
    }
}
