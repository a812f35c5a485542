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
package org.clonehadoop.benchmarks.reads;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * A disk that is shared by all who read, a packet of each in turn. One that may not go on for now
 * keeps its place, and takes no time.
 */
final class SimulatedDisk {
    /** Somebody who reads. */
    interface Reader {
        /** Whether it wants its next packet now. */
        boolean mayGoOn();

        /**
         * It has got a packet.
         *
         * @return whether it wants more
         */
        boolean served();
    }

    private static final long IDLE = Long.MAX_VALUE;

    private final long packetNanos;
    private final Deque<Reader> readers = new ArrayDeque<>();
    private Reader served;
    private long endNanos = IDLE;

    SimulatedDisk(long packetNanos) {
        this.packetNanos = packetNanos;
    }

    void add(Reader reader) {
        readers.add(reader);
    }

    /** What it is being sent is sent. */
    void remove(Reader reader) {
        readers.remove(reader);
    }

    /** Begins the next packet if there is nothing else to be done. */
    void begin(long now) {
        for (int looked = readers.size(); served == null && looked > 0; looked--) {
            Reader next = readers.poll();
            readers.add(next);
            if (next.mayGoOn()) {
                served = next;
                endNanos = now + packetNanos;
            }
        }
    }

    /** When the packet ends that is read; the end of all time without one. */
    long endNanos() {
        return endNanos;
    }

    /** That time has come. */
    void end() {
        Reader reader = served;
        served = null;
        endNanos = IDLE;
        if (readers.contains(reader) && !reader.served()) {
            readers.remove(reader);
        }
    }
}
