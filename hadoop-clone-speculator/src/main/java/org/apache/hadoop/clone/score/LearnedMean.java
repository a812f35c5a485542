package org.apache.hadoop.clone.score;

/**
 * A mean that starts from a configured value and moves to what was seen: t̄_vm and B̄. The
 * configured value counts as {@value #PRIOR_WEIGHT} samples. A sample is taken as at most {@value
 * #STEP} times the mean and at least its {@value #STEP}th part, so that no single odd clone spoils
 * it. Safe for use by several threads.
 */
public final class LearnedMean {
    static final int PRIOR_WEIGHT = 3;
    static final double STEP = 4;

    // Beyond this many samples the mean follows the cluster's changes instead of its history.
    static final int WEIGHT_MAX = 50;

    private double mean;
    private int weight = PRIOR_WEIGHT;

    /**
     * @param prior the configured value, more than 0
     */
    public LearnedMean(double prior) {
        if (!(prior > 0)) {
            throw new IllegalArgumentException("a mean can't start from " + prior);
        }
        mean = prior;
    }

    /** Samples that aren't positive numbers say nothing, and are left out. */
    public synchronized void add(double sample) {
        if (!(sample > 0) || Double.isInfinite(sample)) {
            return;
        }
        double taken = Math.max(mean / STEP, Math.min(mean * STEP, sample));
        weight = Math.min(weight + 1, WEIGHT_MAX);
        mean += (taken - mean) / weight;
    }

    public synchronized double get() {
        return mean;
    }
}
