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

import java.util.Arrays;
import java.util.BitSet;

/**
 * The partitions for which a spill has nothing, in as few bytes as tell it at once: a job has many
 * spills. Those that are empty are listed, or those that aren't, whichever are fewer, or else there
 * is a bit for each.
 */
interface EmptyPartitions {
    EmptyPartitions NONE = new Listed(new char[0], true);

    boolean contains(int partition);

    /** The caller's. */
    BitSet toBitSet();

    /** What it takes in memory, about. */
    int bytes();

    static EmptyPartitions of(BitSet empty) {
        int length = empty.length();
        int listed = empty.cardinality();
        int unlisted = length - listed;
        int entries = Math.min(listed, unlisted);
        if (empty.isEmpty()) {
            return NONE;
        }
        if (length > Character.MAX_VALUE || entries * Character.SIZE >= length) {
            return new Bits((BitSet) empty.clone());
        }
        boolean areEmpty = listed <= unlisted;
        char[] partitions = new char[areEmpty ? listed : unlisted + 1];
        int count = 0;
        for (int partition = 0; partition < length; partition++) {
            if (empty.get(partition) == areEmpty) {
                partitions[count++] = (char) partition;
            }
        }
        if (!areEmpty) {
            partitions[count] = (char) length; // from here on nothing is known to be empty
        }
        return new Listed(partitions, areEmpty);
    }

    /** Few of either kind, in their order. */
    final class Listed implements EmptyPartitions {
        private final char[] partitions;
        private final boolean areEmpty;

        private Listed(char[] partitions, boolean areEmpty) {
            this.partitions = partitions;
            this.areEmpty = areEmpty;
        }

        @Override
        public boolean contains(int partition) {
            if (!areEmpty && partition >= partitions[partitions.length - 1]) {
                return false;
            }
            boolean listed =
                    partition <= Character.MAX_VALUE
                            && Arrays.binarySearch(partitions, (char) partition) >= 0;
            return listed == areEmpty;
        }

        @Override
        public BitSet toBitSet() {
            BitSet empty = new BitSet();
            if (!areEmpty) {
                empty.set(0, partitions[partitions.length - 1]);
            }
            for (char partition : partitions) {
                empty.set(partition, areEmpty);
            }
            return empty;
        }

        @Override
        public int bytes() {
            return 40 + Character.BYTES * partitions.length;
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Listed that
                    && areEmpty == that.areEmpty
                    && Arrays.equals(partitions, that.partitions);
        }

        @Override
        public int hashCode() {
            return Arrays.hashCode(partitions);
        }
    }

    /** As many of one kind as of the other, more or less. */
    record Bits(BitSet empty) implements EmptyPartitions {
        @Override
        public boolean contains(int partition) {
            return empty.get(partition);
        }

        @Override
        public BitSet toBitSet() {
            return (BitSet) empty.clone();
        }

        @Override
        public int bytes() {
            return 56 + empty.size() / Byte.SIZE;
        }
    }
}
