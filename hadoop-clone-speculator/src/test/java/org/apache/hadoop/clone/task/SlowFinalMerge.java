package org.apache.hadoop.clone.task;

/**
 * {@link SlowOrder} in a reduce's own thread only, and slower: however long its fetches took, there
 * is much left to merge when they are over.
 */
public final class SlowFinalMerge extends SlowOrder {
    private static final long PAUSE_MILLIS = 20;

    @Override
    long pauseMillis() {
        return Thread.currentThread().getName().equals("main") ? PAUSE_MILLIS : 0;
    }
}
