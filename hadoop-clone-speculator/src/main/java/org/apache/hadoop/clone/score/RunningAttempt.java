package org.apache.hadoop.clone.score;

/**
 * What is known of a running attempt at one moment.
 *
 * @param remainingMillis t*_a, the time that it still needs, from now; infinite for one that
 *     doesn't move, NaN for one of which nothing can be said yet
 * @param progress p, from 0 to 1; NaN when the task doesn't tell
 * @param meanRuntimeMillis t̄_a, how long an attempt of its kind takes from start to end; NaN as
 *     long as none has ended
 * @param fileBytes f_clone, the bytes of its file clone set
 */
public record RunningAttempt(
        double remainingMillis, double progress, double meanRuntimeMillis, long fileBytes) {}
