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

import org.junit.jupiter.api.Test;

final class InspectionTest {
    @Test
    void everyByteAndRoundCounts() {
        byte[] packet = {1, 2, 3, 4};
        long once = new Inspection(1).of(packet, packet.length);
        assertThat(new Inspection(1).of(packet, packet.length)).isEqualTo(once);
        assertThat(new Inspection(2).of(packet, packet.length)).isNotEqualTo(once);
        assertThat(new Inspection(1).of(packet, packet.length - 1)).isNotEqualTo(once);
        packet[3]++;
        assertThat(new Inspection(1).of(packet, packet.length)).isNotEqualTo(once);
    }

    @Test
    void moreTimeIsMoreRounds() {
        assertThat(Inspection.roundsFor(1, Packet.BYTES)).isEqualTo(1);
        assertThat(Inspection.roundsFor(1_000_000_000, Packet.BYTES)).isGreaterThan(1000);
    }
}
