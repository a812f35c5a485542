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

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/**
 * What every call that leaves the process passes, and each {@linkplain TaskProcesses look} at the
 * host's processes. While it is closed, calls wait at it; it closes only when none is under way.
 * The thread that closed it passes freely, and only that thread opens it: nothing else, no time-out
 * least of all, may open the gate of a process that might be a clone.
 */
final class Gate {
    private final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();

    /** Before a call. Waits while the gate is closed. */
    void enter() {
        lock.readLock().lock();
    }

    /** After a call, by the same thread, however it went. */
    void leave() {
        lock.readLock().unlock();
    }

    /**
     * Closes the gate when the last call under way has ended; new ones wait from now on.
     *
     * @return false, with the gate open, if they didn't end in time
     */
    boolean close(long limitMillis) throws InterruptedException {
        return lock.writeLock().tryLock(limitMillis, TimeUnit.MILLISECONDS);
    }

    /** By the calling thread. */
    boolean isClosed() {
        return lock.isWriteLockedByCurrentThread();
    }

    /**
     * @throws IllegalMonitorStateException if another thread closed it, or none
     */
    void open() {
        lock.writeLock().unlock();
    }
}
