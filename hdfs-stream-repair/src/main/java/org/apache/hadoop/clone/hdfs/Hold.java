package org.apache.hadoop.clone.hdfs;

import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Holds the monitors of many objects at once, in a thread of its own, until it is released. */
final class Hold {
    /** Name of the thread. */
    static final String THREAD = "hdfs-stream-hold";

    private final CountDownLatch held = new CountDownLatch(1);
    private final CountDownLatch released = new CountDownLatch(1);
    private final Thread thread;

    private Hold(List<Object> monitors) {
        thread = new Thread(() -> hold(monitors.iterator()), THREAD);
        thread.setDaemon(true);
    }

    /** Begins to take the monitors, in the given order. */
    static Hold on(List<Object> monitors) {
        Hold hold = new Hold(monitors);
        hold.thread.start();
        return hold;
    }

    private void hold(Iterator<Object> monitors) {
        if (!monitors.hasNext()) {
            held.countDown();
            awaitRelease();
            return;
        }
        synchronized (monitors.next()) {
            hold(monitors);
        }
    }

    private void awaitRelease() {
        boolean waiting = true;
        while (waiting) {
            try {
                released.await();
                waiting = false;
            } catch (InterruptedException e) {
                // Nobody but release() may end it.
            }
        }
    }

    /** Whether it holds all of them, waited for. */
    boolean isComplete(long nanos) throws InterruptedException {
        return held.await(nanos, TimeUnit.NANOSECONDS);
    }

    /** Lets go of them, or of those it would still get. */
    void release() {
        released.countDown();
    }
}
