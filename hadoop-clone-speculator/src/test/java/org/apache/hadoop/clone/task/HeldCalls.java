package org.apache.hadoop.clone.task;

import java.util.concurrent.CountDownLatch;

/** Calls of one kind, which a test may leave without an answer for a while. */
final class HeldCalls {
    private final CountDownLatch waiting = new CountDownLatch(1);
    private volatile CountDownLatch answer = new CountDownLatch(0);

    /** Calls wait from now on. */
    void hold() {
        answer = new CountDownLatch(1);
    }

    /** Does one wait, or has one waited? */
    boolean isWaiting() {
        return waiting.getCount() == 0;
    }

    void letGo() {
        answer.countDown();
    }

    /** By a call. */
    void pass() throws InterruptedException {
        CountDownLatch held = answer;
        if (held.getCount() > 0) {
            waiting.countDown();
            held.await();
        }
    }
}
