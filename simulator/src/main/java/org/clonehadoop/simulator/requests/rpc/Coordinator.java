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
package org.clonehadoop.simulator.requests.rpc;

import org.clonehadoop.simulator.requests.engine.Random;
import org.clonehadoop.simulator.requests.engine.Waiting;

/**
 * LÆDGE's: one processor for every packet that comes or goes, a queue for requests that find no
 * worker free, and counts of those. A packet takes 0.5 µs, as an optimised server that handles a
 * few million a second (netclone.txt, 2.3).
 */
final class Coordinator {
    private static final long PACKET = 500;

    private final int[] free;
    private final Waiting waiting = new Waiting();
    private final Random random;
    private long busyUntil;

    Coordinator(int[] workers, Random random) {
        free = workers.clone();
        this.random = random;
    }

    /** When so many packets that come now are through, from now. */
    long handle(int packets, long now) {
        busyUntil = Math.max(busyUntil, now) + packets * PACKET;
        return busyUntil - now;
    }

    void queue(int request) {
        waiting.add(request);
    }

    /** The next request of the queue, or -1. */
    int next() {
        return waiting.size() == 0 ? -1 : waiting.take();
    }

    /**
     * A worker of a random server that has one, but of another than a given one; -1 if there is
     * none.
     */
    int claim(int but) {
        int from = random.below(free.length);
        for (int i = 0; i < free.length; i++) {
            int server = (from + i) % free.length;
            if (server != but && free[server] > 0) {
                free[server]--;
                return server;
            }
        }
        return -1;
    }

    void release(int server) {
        free[server]++;
    }
}
