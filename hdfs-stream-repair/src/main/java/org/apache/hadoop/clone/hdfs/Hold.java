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
package org.apache.hadoop.clone.hdfs;

import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Holds the monitors of many objects at once, in a thread of its own, until it is released. */
final class Hold {
    /** Name of the thread. */
    static final String THREAD = "hdfs-stream-hold";

    private static final Logger LOG = LoggerFactory.getLogger(Hold.class);

    /** In bytes; a call that holds a monitor takes less than half of one. */
    private static final long STACK_OF_ONE = 512;

    private static final long LEAST_STACK = 256 << 10;

    private final CountDownLatch held = new CountDownLatch(1);
    private final CountDownLatch released = new CountDownLatch(1);
    private final Thread thread;

    private Hold(List<Object> monitors) {
        thread =
                new Thread(
                        null,
                        () -> hold(monitors.iterator()),
                        THREAD,
                        LEAST_STACK + monitors.size() * STACK_OF_ONE);
        thread.setDaemon(true);
        // It has let go of all of them then. A task's own handler would end the process.
        thread.setUncaughtExceptionHandler((of, e) -> LOG.warn("Streams can't be held", e));
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
