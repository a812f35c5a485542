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

import java.util.zip.CRC32C;

/** What is done to a packet, in place of a search for patterns: its processor time is all of it. */
final class Inspection {
    private static final int WARM_UP = 20_000;
    private static final int SAMPLES = 20;
    private static final int SAMPLE_ROUNDS = 2000;

    private final int rounds;

    /**
     * @param rounds how often all of a packet is gone through
     */
    Inspection(int rounds) {
        this.rounds = rounds;
    }

    /** The same for the same packet, so that nothing of it can be left out. */
    long of(byte[] packet, int length) {
        CRC32C sum = new CRC32C();
        for (int i = 0; i < rounds; i++) {
            sum.update(packet, 0, length);
        }
        return sum.getValue();
    }

    /** How many rounds of a packet of this length take so long on a processor that is free. */
    static int roundsFor(long nanos, int length) {
        byte[] packet = new byte[length];
        long checked = new Inspection(WARM_UP).of(packet, length);
        long least = Long.MAX_VALUE;
        for (int i = 0; i < SAMPLES; i++) {
            long begin = System.nanoTime();
            checked += new Inspection(SAMPLE_ROUNDS).of(packet, length);
            least = Math.min(least, System.nanoTime() - begin);
        }
        if (checked == 0) {
            throw new IllegalStateException("a checksum of nothing");
        }
        return (int) Math.max(1, nanos * SAMPLE_ROUNDS / Math.max(1, least));
    }
}
