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
package org.clonehadoop.benchmarks.packets;

import java.nio.ByteBuffer;
import java.util.BitSet;

/** The last stage: of several copies of a packet it lets the first through. */
final class Deduplicator {
    private int cell = -1;
    private final BitSet seen = new BitSet();
    private int copies;
    private long lastNanos = System.nanoTime();

    /** What still comes of those before counts no more. */
    synchronized void begin(int newCell) {
        cell = newCell;
        seen.clear();
        copies = 0;
    }

    /**
     * @param verdict as of {@link Packet#verdict}
     * @return whether it goes on
     */
    synchronized boolean take(ByteBuffer verdict) {
        lastNanos = System.nanoTime();
        if (verdict.getInt(0) != cell) {
            return false;
        }
        copies++;
        int number = verdict.getInt(Integer.BYTES);
        boolean first = !seen.get(number);
        seen.set(number);
        return first;
    }

    /** Packets of this cell that went on. */
    synchronized int unique() {
        return seen.cardinality();
    }

    /** Copies of this cell that came, whether they went on or not. */
    synchronized int copies() {
        return copies;
    }

    /** How long nothing has come. */
    synchronized long quietNanos() {
        return System.nanoTime() - lastNanos;
    }
}
