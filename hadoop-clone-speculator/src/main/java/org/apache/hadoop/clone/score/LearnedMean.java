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
 * A geometric mean that starts from a configured value and moves to what was seen: t̄_vm and B̄.
 * The configured value counts as some samples ({@link CostRules}). What is averaged is by which
 * factor clones differ, so that a single odd one spoils little: costs that are too high forbid the
 * very clones that would correct them. Safe for use by several threads.
 */
@InterfaceAudience.Private
public final class LearnedMean {
    private final CostRules rules;
    private double mean;
    private int weight;

    /**
     * @param prior the configured value, more than 0
     */
    public LearnedMean(double prior, CostRules rules) {
        this.rules = rules;
        weight = rules.priorWeight();
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
        if (!hasSamples()) {
            mean = prior;
        }
    }

    public synchronized boolean hasSamples() {
        return weight > rules.priorWeight();
    }

    /** Samples that aren't positive numbers say nothing, and are left out. */
    public synchronized void add(double sample) {
        if (!(sample > 0) || Double.isInfinite(sample)) {
            return;
        }
        mean *= Math.pow(sample / mean, 1.0 / ++weight);
    }

    public synchronized double get() {
        return mean;
    }
}
