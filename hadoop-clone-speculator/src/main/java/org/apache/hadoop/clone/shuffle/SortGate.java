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
package org.apache.hadoop.clone.shuffle;

/**
 * Holds the thread that sorts a spill, as long as nothing of that is on disk. Where a host is slow
 * a map sorts for most of its time, and would have no other moment to be cloned.
 */
final class SortGate {
    private volatile boolean closed;
    private volatile boolean sorting;
    private volatile boolean everHeld;
    private boolean held;
    private Object key;

    /** By the thread that sorts, before it does. */
    void begins() {
        sorting = true;
    }

    /** By the thread that sorts, between two steps. */
    void pass() {
        if (closed) {
            stay();
        }
    }

    /** By the thread that sorts, afterwards. */
    void ends() {
        pass();
        sorting = false;
    }

    private synchronized void stay() {
        boolean interrupted = false;
        held = true;
        everHeld = true;
        while (closed) {
            try {
                wait();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        held = false;
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Who makes a clone wants to be able to close the gate.
     *
     * @return with what that is done, until the gate is opened: a thread that was asked to close it
     *     may come to do so when nobody would open it any more
     */
    synchronized Object newKey() {
        key = new Object();
        return key;
    }

    /**
     * A sort stays where it is from its next step on.
     *
     * @param with nothing happens if it isn't the last key, or no longer good
     */
    synchronized void close(Object with) {
        if (key != null && with == key) {
            closed = true;
        }
    }

    /** It goes on, and the key is no longer good; harmless if it was never closed. */
    synchronized void open() {
        key = null;
        closed = false;
        notifyAll();
    }

    /** Whether a spill is being sorted, held or not. */
    boolean isSorting() {
        return sorting;
    }

    /** Whether a sort is held, and stays so until the gate is {@linkplain #open opened}. */
    synchronized boolean isHeld() {
        return held && closed;
    }

    /** Whether any sort was: what it took says nothing. */
    boolean hasEverHeld() {
        return everHeld;
    }
}
