package org.apache.hadoop.clone.score;

/**
 * t*_a, the time that an attempt still needs, from what Hadoop's estimators say, which is its whole
 * runtime. Stock Hadoop takes an attempt that has outlived its estimate for a good one ({@code
 * PROGRESS_IS_GOOD}); here it needs what the rest takes at its own pace.
 */
public final class RemainingTime {
    private RemainingTime() {}

    /**
     * @param estimatedRuntime the estimator's, in milliseconds from the attempt's start; not
     *     positive if it has none
     * @param elapsed milliseconds since the start
     * @param progress from 0 to 1
     * @param silent the attempt hasn't moved for so long that the estimate says nothing any more
     * @return milliseconds from now; infinite without progress, NaN when it is too early to tell
     */
    public static double of(
            double estimatedRuntime, double elapsed, double progress, boolean silent) {
        double left = estimatedRuntime - elapsed;
        if (estimatedRuntime <= 0 && !silent) {
            return Double.NaN;
        }
        if (left > 0 && !silent) {
            return left;
        }
        double atItsPace =
                progress > 0
                        ? elapsed * Math.max(0, 1 - progress) / progress
                        : Double.POSITIVE_INFINITY;
        return Math.max(left, atItsPace);
    }
}
