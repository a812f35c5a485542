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
package org.apache.hadoop.clone.appmaster;

import org.apache.hadoop.yarn.util.Clock;

/** A job's time: it stands still while nobody looks, and can be put forward. */
final class JobClock implements Clock {
    private long ahead = System.currentTimeMillis();
    private long runsSince;
    private boolean running;

    @Override
    public synchronized long getTime() {
        return running ? ahead + millis() - runsSince : ahead;
    }

    synchronized void run() {
        runsSince = millis();
        running = true;
    }

    synchronized void stand() {
        ahead = getTime();
        running = false;
    }

    synchronized void putForward(long millis) {
        ahead += millis;
    }

    private static long millis() {
        return System.nanoTime() / 1_000_000;
    }
}
