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

import org.apache.hadoop.classification.InterfaceAudience;

/**
 * What another attempt of a task would gain: the paper's {@code cloneScore(a) = t*_a − min(t_clone
 * + (1−p)·t̄_a, t̄_a)}.
 *
 * @param remainingMillis t*_a: when the running attempt would end by itself, from now
 * @param cloneMillis t_clone: when a clone of it would run; infinite if it can't be cloned
 * @param restMillis {@code (1−p)·t̄_a}: what that clone would have to do from then on
 * @param newEndMillis t̄_a: when an attempt from zero would end
 */
@InterfaceAudience.Private
public record CloneScore(
        double remainingMillis, double cloneMillis, double restMillis, double newEndMillis) {

    /**
     * The score of an attempt that could be cloned at these costs. Unknown progress counts as none,
     * so that such an attempt is never cloned; any of the other values unknown makes the score
     * unknown.
     */
    public static CloneScore of(RunningAttempt attempt, CloneCosts costs) {
        double progress = Double.isNaN(attempt.progress()) ? 0 : clamp(attempt.progress());
        return new CloneScore(
                attempt.remainingMillis(),
                costs.cloneMillis(attempt.cloneBytes()),
                (1 - progress) * attempt.meanRuntimeMillis(),
                attempt.meanRuntimeMillis());
    }

    /** The same task if its attempt can't be cloned: only one from zero can help. */
    public CloneScore withoutClone() {
        return new CloneScore(remainingMillis, Double.POSITIVE_INFINITY, restMillis, newEndMillis);
    }

    /**
     * The same at a look some time later that has shown a clone to be dearer.
     *
     * @param passedMillis since this score
     * @param leastCloneMillis t_clone, unless it was more before
     */
    public CloneScore after(double passedMillis, double leastCloneMillis) {
        return new CloneScore(
                Math.max(0, remainingMillis - passedMillis),
                Math.max(cloneMillis, leastCloneMillis),
                restMillis,
                newEndMillis);
    }

    /** {@code t_clone + (1−p)·t̄_a}: when a clone would end. */
    public double cloneEndMillis() {
        return cloneMillis + restMillis;
    }

    /**
     * {@code t_clone + p·t̄_a}: how long a clone's container should wait for the freeze. A clone
     * that is late by as much as it saves will mostly be later still; who waits no longer than that
     * loses, at worst, as much again as he could have saved.
     */
    public double patienceMillis() {
        return cloneMillis + newEndMillis - restMillis;
    }

    /** The time gained, in milliseconds: not positive when it is better to wait, NaN if unknown. */
    public double gainMillis() {
        return remainingMillis - Math.min(cloneEndMillis(), newEndMillis);
    }

    /**
     * Whether a second attempt saves enough for the time that it has a container for.
     *
     * @param price of a second in a container, in seconds saved
     */
    public boolean isWorth(double price) {
        return gainMillis() >= price * Math.min(cloneEndMillis(), newEndMillis);
    }

    /** NONE without a gain, else whichever kind of attempt would end sooner; NEW if both would. */
    public Outcome best() {
        if (!(gainMillis() > 0)) {
            return Outcome.NONE;
        }
        return cloneEndMillis() < newEndMillis ? Outcome.CLONE : Outcome.NEW;
    }

    private static double clamp(double progress) {
        return Math.max(0, Math.min(1, progress));
    }
}
