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

import static org.assertj.core.api.Assertions.assertThat;

import java.util.BitSet;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EmptyPartitionsTest {
    private final Random random = new Random(1);

    private BitSet some(int partitions, double share) {
        BitSet empty = new BitSet();
        IntStream.range(0, partitions)
                .filter(partition -> random.nextDouble() < share)
                .forEach(empty::set);
        return empty;
    }

    @ParameterizedTest
    @CsvSource({
        "1, 1",
        "3, 0.5",
        "5000, 0",
        "5000, 0.002",
        "5000, 0.05",
        "5000, 0.5",
        "5000, 0.95",
        "5000, 0.999",
        "5000, 1",
        "65535, 0.001",
        "65536, 0.999",
        "70000, 0.001"
    })
    void sayOfEachPartitionWhatWasSaidOfIt(int partitions, double share) {
        BitSet empty = some(partitions, share);
        EmptyPartitions kept = EmptyPartitions.of(empty);
        for (int partition = 0; partition < partitions + 100; partition++) {
            assertThat(kept.contains(partition))
                    .as("partition %d", partition)
                    .isEqualTo(empty.get(partition));
        }
        assertThat(kept.toBitSet()).isEqualTo(empty);
    }

    @ParameterizedTest
    @CsvSource({"0.005, 120", "0.995, 120", "0.5, 700", "1, 50"})
    void takeFewBytesForFewOfEitherKindAndABitEachAtMost(double share, int most) {
        assertThat(EmptyPartitions.of(some(5000, share)).bytes()).isLessThanOrEqualTo(most);
    }

    @Test
    void thatAreNotChangedWithWhatTheyWereMadeOf() {
        BitSet empty = some(100, 0.5);
        empty.set(1);
        EmptyPartitions kept = EmptyPartitions.of(empty);
        empty.clear();
        assertThat(kept.contains(1)).isTrue();
    }

    @Test
    void thatAreEqualAreKeptOnce() {
        EmptyPartitionsPool pool = new EmptyPartitionsPool(200);
        EmptyPartitions first = pool.keep(BitSet.valueOf(new long[] {5}));
        for (int i = 0; i < 100; i++) {
            assertThat(pool.keep(BitSet.valueOf(new long[] {5}))).isSameAs(first);
        }
    }

    /** Stock's reduces fetch from all maps, too. */
    @Test
    void forWhichThereIsNoRoomAreTakenForFull() {
        EmptyPartitionsPool pool = new EmptyPartitionsPool(200);
        IntStream.range(0, 4).forEach(bit -> pool.keep(BitSet.valueOf(new long[] {1L << bit})));
        EmptyPartitions kept = pool.keep(BitSet.valueOf(new long[] {32}));
        assertThat(kept.contains(5)).isFalse();
        assertThat(pool.keep(BitSet.valueOf(new long[] {1})).contains(0)).isTrue();
    }
}
