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
package org.apache.hadoop.clone.shuffle;

import java.util.BitSet;

/**
 * What is known of empty partitions in all of a job's spills, in so much memory and no more: where
 * it is used up, reduces fetch what is empty, as stock's do always. Spills with the same keys have
 * the same empty partitions, so equal ones that follow each other closely are kept once. Not
 * thread-safe.
 */
final class EmptyPartitionsPool {
    static final int LIMIT_BYTES = 16 << 20;

    private static final int RECENT = 1024;

    private final EmptyPartitions[] recent = new EmptyPartitions[RECENT];
    private final int limitBytes;
    private int bytes;

    EmptyPartitionsPool(int limitBytes) {
        this.limitBytes = limitBytes;
    }

    /** The same partitions, or none if there is no room. */
    EmptyPartitions keep(BitSet empty) {
        EmptyPartitions wanted = EmptyPartitions.of(empty);
        int slot = Math.floorMod(wanted.hashCode(), RECENT);
        if (wanted.equals(recent[slot])) {
            return recent[slot];
        }
        if (wanted == EmptyPartitions.NONE || wanted.bytes() > limitBytes - bytes) {
            return EmptyPartitions.NONE;
        }
        bytes += wanted.bytes();
        recent[slot] = wanted;
        return wanted;
    }
}
