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

import java.lang.ref.PhantomReference;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The memory that a JVM's duplicates may fill: a small part of its heap, and nothing while that is
 * nearly full. They are optional, and an OutOfMemoryError ends many programs even if it is caught,
 * by {@code -XX:+ExitOnOutOfMemoryError} for example.
 *
 * <p>Safe for use by several threads.
 */
final class DuplicateMemory {
    private static final Logger LOG = LoggerFactory.getLogger(DuplicateMemory.class);

    private static final int SHARE_OF_HEAP = 32;

    /** With less there would be no duplicate at all in the smallest of heaps. */
    private static final long LEAST = 256 << 10;

    private static final long NANOS_BETWEEN_WARNINGS = TimeUnit.HOURS.toNanos(1);

    private final long most;
    private final AtomicLong free;
    private final Set<Taken> taken = ConcurrentHashMap.newKeySet();
    private final ReferenceQueue<Part> forgotten = new ReferenceQueue<>();
    private final AtomicLong warned = new AtomicLong(System.nanoTime() - NANOS_BETWEEN_WARNINGS);

    /**
     * Some of it. Applications have streams that they never close; what these have is given back
     * when nobody can reach this any more.
     */
    final class Part {
        private final Taken bytes;

        private Part(long bytes) {
            this.bytes = new Taken(this, forgotten, bytes);
            taken.add(this.bytes);
        }

        /** Nobody uses it any more. What was given back isn't again. */
        void give() {
            DuplicateMemory.this.give(bytes);
        }
    }

    private static final class Taken extends PhantomReference<Part> {
        private final long bytes;

        Taken(Part by, ReferenceQueue<Part> forgotten, long bytes) {
            super(by, forgotten);
            this.bytes = bytes;
        }
    }

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
     * @return empty if there isn't as much
     */
    Optional<Part> take(long bytes) {
        giveForgotten();
        if (isHeapNearlyFull()) {
            warn("the heap is nearly full");
            return Optional.empty();
        }
        if (free.addAndGet(-bytes) >= 0) {
            return Optional.of(new Part(bytes));
        }
        free.addAndGet(bytes);
        warn("the " + most + " bytes that they may fill are taken, by streams that aren't read on");
        return Optional.empty();
    }

    private void giveForgotten() {
        for (Reference<? extends Part> each = forgotten.poll();
                each != null;
                each = forgotten.poll()) {
            give((Taken) each);
        }
    }

    private void give(Taken part) {
        if (taken.remove(part)) {
            free.addAndGet(part.bytes);
        }
    }

    // Even if all of it were taken now, as much would be left. What is garbage counts as used.
    private boolean isHeapNearlyFull() {
        Runtime jvm = Runtime.getRuntime();
        return jvm.maxMemory() - jvm.totalMemory() + jvm.freeMemory() < 2 * most;
    }

    private void warn(String why) {
        long now = System.nanoTime();
        long last = warned.get();
        if (now - last >= NANOS_BETWEEN_WARNINGS && warned.compareAndSet(last, now)) {
            LOG.warn("Some reads have no duplicates: {}. This is said once an hour", why);
        }
    }
}
