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
package org.clonehadoop.benchmarks.harness;

import java.time.Duration;
import java.util.concurrent.TimeoutException;

/** Waiting for what other processes do. */
public final class Poll {
    private static final Duration INTERVAL = Duration.ofMillis(2);

    private Poll() {}

    /** A condition that may look at files. */
    @FunctionalInterface
    public interface Condition {
        boolean holds() throws Exception;
    }

    public static void until(String what, Duration limit, Condition condition) throws Exception {
        long deadline = System.nanoTime() + limit.toNanos();
        while (!condition.holds()) {
            if (System.nanoTime() - deadline > 0) {
                throw new TimeoutException("not within " + limit.toSeconds() + " s: " + what);
            }
            Thread.sleep(INTERVAL.toMillis());
        }
    }
}
