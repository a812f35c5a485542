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

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

final class DeduplicatorTest {
    private final Deduplicator deduplicator = new Deduplicator();

    private boolean take(int cell, int number) {
        ByteBuffer packet = ByteBuffer.allocate(Packet.BYTES);
        Packet.name(packet, cell, number);
        ByteBuffer verdict = ByteBuffer.allocate(Packet.VERDICT_BYTES);
        Packet.verdict(verdict, packet, 5);
        assertThat(verdict.remaining()).isEqualTo(Packet.VERDICT_BYTES);
        return deduplicator.take(verdict);
    }

    @Test
    void theFirstCopyGoesOn() {
        deduplicator.begin(1);
        assertThat(take(1, 0)).isTrue();
        assertThat(take(1, 1)).isTrue();
        assertThat(take(1, 0)).isFalse();
        assertThat(deduplicator.unique()).isEqualTo(2);
        assertThat(deduplicator.copies()).isEqualTo(3);
    }

    @Test
    void whatIsLateCountsInNoOtherCell() {
        deduplicator.begin(1);
        take(1, 0);
        deduplicator.begin(2);
        assertThat(take(1, 1)).isFalse();
        assertThat(deduplicator.unique()).isZero();
        assertThat(take(2, 0)).isTrue();
    }
}
