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

import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/** Looks more than once at what stands in the way of a clone, since much of it passes. */
final class Company {
    private static final long POLL_MILLIS = 10;

    /** A look at all threads and descriptors takes a busy host longer than a short pause. */
    private static final long LONGEST_POLL_MILLIS = 160;

    private Company() {}

    /**
     * What has been seen.
     *
     * @param what is there at every look; empty as soon as there is nothing
     * @param waitedMillis the pauses between the looks, without what these and the host's other
     *     work have made of them
     */
    record Staying(Optional<String> what, long waitedMillis) {}

    /**
     * Looks ever more seldom, until the pauses come to so much time. What the looks themselves take
     * isn't counted: on a busy host they would be too few to tell what passes from what stays.
     */
    static Staying staying(Supplier<Set<String>> look, long millis) {
        long waitedMillis = 0;
        long pollMillis = POLL_MILLIS;
        Set<String> staying = look.get();
        while (!staying.isEmpty() && waitedMillis < millis) {
            pause(pollMillis);
            waitedMillis += pollMillis;
            pollMillis = Math.min(2 * pollMillis, LONGEST_POLL_MILLIS);
            staying.retainAll(look.get());
        }
        return new Staying(staying.stream().findFirst(), waitedMillis);
    }

    /**
     * Waits for a look that finds nothing.
     *
     * @return what is still there when the time has passed, of that rather what always was
     */
    static Optional<String> awaitNone(Supplier<Set<String>> look, long millis) {
        long deadline = deadline(millis);
        Set<String> seen = look.get();
        Set<String> staying = new LinkedHashSet<>(seen);
        while (!seen.isEmpty() && System.nanoTime() < deadline) {
            pause(POLL_MILLIS);
            seen = look.get();
            staying.retainAll(seen);
        }
        return (staying.isEmpty() ? seen : staying).stream().findFirst();
    }

    private static long deadline(long millis) {
        return System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
    }

    private static void pause(long millis) {
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(millis));
    }
}
