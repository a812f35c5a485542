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

import java.util.function.LongSupplier;
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * A geometric mean that starts from a configured value and moves to what was seen: t̄_vm and B̄.
 * What is averaged is by which factor clones differ, so that a single odd one spoils little: costs
 * that are too high forbid the very clones that would correct them. For the same reason what was
 * seen long ago fades, and the configured value counts again: a network is full while a job
 * shuffles, and idle later. Safe for use by several threads.
 */
@InterfaceAudience.Private
public final class LearnedMean {
    private final int priorWeight;
    private final double memoryMillis;
    private final LongSupplier clock;
    private double logPrior;
    private double logSum; // of samples, each times its weight
    private double weight; // of all samples together
    private long asOf; // both of them
    private boolean hasSamples;

    /**
     * @param prior the configured value, more than 0
     * @param priorWeight as how many samples it counts
     * @param memoryMillis in which a sample's weight falls to 1/e; infinite if it never does
     * @param clock in milliseconds
     */
    public LearnedMean(double prior, int priorWeight, double memoryMillis, LongSupplier clock) {
        this.priorWeight = priorWeight;
        this.memoryMillis = memoryMillis;
        this.clock = clock;
        beginAt(prior);
    }

    /**
     * Begins from another value, of the same weight, unless a sample has been seen.
     *
     * @param prior more than 0
     */
    public final synchronized void beginAt(double prior) {
        if (!(prior > 0) || Double.isInfinite(prior)) {
            throw new IllegalArgumentException("a mean can't start from " + prior);
        }
        if (!hasSamples) {
            logPrior = Math.log(prior);
        }
    }

    public synchronized boolean hasSamples() {
        return hasSamples;
    }

    /** Samples that aren't positive numbers say nothing, and are left out. */
    public synchronized void add(double sample) {
        if (!(sample > 0) || Double.isInfinite(sample)) {
            return;
        }
        fade();
        hasSamples = true;
        logSum += Math.log(sample);
        weight++;
    }

    public synchronized double get() {
        fade();
        double all = priorWeight + weight;
        return Math.exp(all > 0 ? (priorWeight * logPrior + logSum) / all : logPrior);
    }

    // A clock that is put back makes nothing younger.
    private void fade() {
        long now = clock.getAsLong();
        double left = Math.exp(-Math.max(0, now - asOf) / memoryMillis);
        asOf = Math.max(asOf, now);
        logSum *= left;
        weight *= left;
    }
}
