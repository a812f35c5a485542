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

/** How packets are called on their way: by the cell of the benchmark, and a number in it. */
final class Packet {
    static final int BYTES = 1024;

    /** Both names, and what was found. */
    static final int VERDICT_BYTES = 2 * Integer.BYTES + Long.BYTES;

    private Packet() {}

    /** Puts its names in front of a packet that is ready to be sent. */
    static void name(ByteBuffer packet, int cell, int number) {
        packet.clear().putInt(0, cell).putInt(Integer.BYTES, number);
    }

    /** What is passed on of a packet that was looked through. */
    static void verdict(ByteBuffer verdict, ByteBuffer packet, long found) {
        verdict.clear();
        verdict.putInt(packet.getInt(0)).putInt(packet.getInt(Integer.BYTES)).putLong(found).flip();
    }
}
