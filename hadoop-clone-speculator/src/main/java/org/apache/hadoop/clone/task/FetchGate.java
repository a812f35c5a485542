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
package org.apache.hadoop.clone.task;

import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * What each fetch of map outputs passes, and the reduce's own thread where its shuffle ends: while
 * it is closed no fetch is under way and none begins, and the reduce doesn't leave its shuffle.
 */
final class FetchGate {
    private final LongSupplier nanos;
    private final Gate gate = new Gate();
    private final Map<Thread, Long> since = new ConcurrentHashMap<>();
    private volatile int closings;

    FetchGate() {
        this(System::nanoTime);
    }

    /** With another clock. */
    FetchGate(LongSupplier nanos) {
        this.nanos = nanos;
    }

    /** Before a request to a host, and where the shuffle ends. Waits while the gate is closed. */
    void enter() {
        gate.enter();
        since.put(Thread.currentThread(), nanos.getAsLong());
    }

    /** After it, by the same thread, however it went. */
    void leave() {
        since.remove(Thread.currentThread());
        gate.leave();
    }

    /** Waits while the gate is closed, for what isn't to begin meanwhile. */
    void pass() {
        enter();
        leave();
    }

    /**
     * Between two outputs of one request: a long one needn't end for the gate to be closed.
     *
     * @throws IOException if it was closed: in the clone the connection is dead, and the original's
     *     server may have lost its patience. Stock's fetcher then asks for the rest over another
     *     one, as it does when a NodeManager has restarted; nobody has failed, and nothing is
     *     reported.
     */
    void next() throws IOException {
        int before = closings;
        leave();
        enter();
        if (closings != before) {
            throw new IOException("the process stood still; the rest over another connection");
        }
    }

    /** How long the output that has been on its way longest is, in milliseconds; 0 if none is. */
    long longestMillis() {
        long now = nanos.getAsLong();
        return TimeUnit.NANOSECONDS.toMillis(
                since.values().stream().mapToLong(begun -> now - begun).max().orElse(0));
    }

    /**
     * Closes the gate when each output under way has been fetched.
     *
     * @return false, with the gate open, if they haven't in time
     */
    boolean close(long limitMillis) throws InterruptedException {
        if (!gate.close(limitMillis)) {
            return false;
        }
        closings++;
        return true;
    }

    /**
     * @throws IllegalMonitorStateException if another thread closed it, or none
     */
    void open() {
        gate.open();
    }
}
