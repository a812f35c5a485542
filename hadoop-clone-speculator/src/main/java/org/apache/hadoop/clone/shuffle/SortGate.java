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
    private boolean held;

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

    /** A sort stays where it is from its next step on. */
    synchronized void close() {
        closed = true;
    }

    /** It goes on; harmless if it was never closed. */
    synchronized void open() {
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
}
