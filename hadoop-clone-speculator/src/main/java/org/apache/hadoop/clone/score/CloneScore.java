package org.apache.hadoop.clone.score;

/**
 * What another attempt of a task would gain: the paper's {@code cloneScore(a) = t*_a − min(t_clone
 * + (1−p)·t̄_a, t̄_a)}.
 *
 * @param remainingMillis t*_a: when the running attempt would end by itself, from now
 * @param cloneEndMillis {@code t_clone + (1−p)·t̄_a}: when a clone of it would; infinite without a
 *     clone's costs
 * @param newEndMillis t̄_a: when an attempt from zero would
 */
public record CloneScore(double remainingMillis, double cloneEndMillis, double newEndMillis) {

    /**
     * The score of an attempt that could be cloned at these costs. Unknown progress counts as none,
     * so that such an attempt is never cloned; any of the other values unknown makes the score
     * unknown.
     */
    public static CloneScore of(RunningAttempt attempt, CloneCosts costs) {
        double progress = Double.isNaN(attempt.progress()) ? 0 : clamp(attempt.progress());
        double rest = (1 - progress) * attempt.meanRuntimeMillis();
        return new CloneScore(
                attempt.remainingMillis(),
                costs.cloneMillis(attempt.fileBytes()) + rest,
                attempt.meanRuntimeMillis());
    }

    /** The same task if its attempt can't be cloned: only one from zero can help. */
    public CloneScore withoutClone() {
        return new CloneScore(remainingMillis, Double.POSITIVE_INFINITY, newEndMillis);
    }

    /** The time gained, in milliseconds: not positive when it is better to wait, NaN if unknown. */
    public double gainMillis() {
        return remainingMillis - Math.min(cloneEndMillis, newEndMillis);
    }

    /** NONE without a gain, else whichever kind of attempt would end sooner; NEW if both would. */
    public Outcome best() {
        if (!(gainMillis() > 0)) {
            return Outcome.NONE;
        }
        return cloneEndMillis < newEndMillis ? Outcome.CLONE : Outcome.NEW;
    }

    private static double clamp(double progress) {
        return Math.max(0, Math.min(1, progress));
    }
}
