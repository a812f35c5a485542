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

/**
 * How long the container of a clone waits for the freeze of its original: afterwards it begins the
 * task at zero, and nothing that is done for the clone is of any use.
 */
final class Patience {
    private final long endNanos;

    /** From now on. */
    Patience(long millis) {
        endNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
    }

    /** What is left of it, 0 if nothing is. */
    long leftMillis() {
        return TimeUnit.NANOSECONDS.toMillis(leftNanos());
    }

    long leftNanos() {
        return Math.max(0, endNanos - System.nanoTime());
    }

    boolean isOver() {
        return leftNanos() == 0;
    }

    /** So long, or as long as it lasts if that is shorter. */
    long atMost(long millis) {
        return Math.min(millis, leftMillis());
    }
}
