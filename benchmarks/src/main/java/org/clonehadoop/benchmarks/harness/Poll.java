package org.clonehadoop.benchmarks.harness;

import java.time.Duration;
import java.util.concurrent.TimeoutException;

/** Waiting for what other processes do. */
public final class Poll {
    private static final Duration INTERVAL = Duration.ofMillis(2);

    private Poll() {}

    /** A condition that may look at files. */
    @FunctionalInterface
    public interface Condition {
        boolean holds() throws Exception;
    }

    public static void until(String what, Duration limit, Condition condition) throws Exception {
        long deadline = System.nanoTime() + limit.toNanos();
        while (!condition.holds()) {
            if (System.nanoTime() - deadline > 0) {
                throw new TimeoutException("not within " + limit.toSeconds() + " s: " + what);
            }
            Thread.sleep(INTERVAL.toMillis());
        }
    }
}
