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
package org.apache.hadoop.clone.hdfs.read;

import java.util.concurrent.atomic.AtomicLong;

/**
 * The memory that a JVM's duplicates may fill: a small part of its heap, and nothing while that is
 * nearly full. They are optional, and an OutOfMemoryError ends many programs even if it is caught,
 * by {@code -XX:+ExitOnOutOfMemoryError} for example.
 *
 * <p>Safe for use by several threads.
 */
final class DuplicateMemory {
    private static final int SHARE_OF_HEAP = 32;

    /** With less there would be no duplicate at all in the smallest of heaps. */
    private static final long LEAST = 256 << 10;

    private final long most;
    private final AtomicLong free;

    /**
     * @param wanted in bytes, if the heap is large enough
     */
    DuplicateMemory(long wanted) {
        most = Math.min(wanted, Math.max(LEAST, Runtime.getRuntime().maxMemory() / SHARE_OF_HEAP));
        free = new AtomicLong(most);
    }

    /** For all duplicates together. */
    long mostBytes() {
        return most;
    }

    /**
     * Takes some of it.
     *
     * @return whether there was as much
     */
    boolean take(long bytes) {
        if (isHeapNearlyFull()) {
            return false;
        }
        if (free.addAndGet(-bytes) >= 0) {
            return true;
        }
        give(bytes);
        return false;
    }

    /** Gives back what was taken. */
    void give(long bytes) {
        free.addAndGet(bytes);
    }

    // Even if all of it were taken now, as much would be left. What is garbage counts as used.
    private boolean isHeapNearlyFull() {
        Runtime jvm = Runtime.getRuntime();
        return jvm.maxMemory() - jvm.totalMemory() + jvm.freeMemory() < 2 * most;
    }
}
