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

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;

/**
 * A program that looks through packets, one after the other, and passes on whose turn it was. Its
 * queue is its socket's; what finds no place there is dropped. Started as {@code Detector
 * DEDUPLICATOR-PORT ROUNDS QUEUE-BYTES}; prints its own port when it is warm.
 */
public final class Detector {
    private static final int WARM_UP = 500;

    private Detector() {}

    public static void main(String[] arguments) throws Exception {
        SocketAddress next =
                new InetSocketAddress(
                        InetAddress.getLoopbackAddress(), Integer.parseInt(arguments[0]));
        Inspection inspection = new Inspection(Integer.parseInt(arguments[1]));
        byte[] packet = new byte[Packet.BYTES];
        for (int i = 0; i < WARM_UP; i++) {
            inspection.of(packet, packet.length);
        }
        try (DatagramChannel channel = DatagramChannel.open()) {
            channel.setOption(StandardSocketOptions.SO_RCVBUF, Integer.parseInt(arguments[2]));
            channel.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            System.out.println(((InetSocketAddress) channel.getLocalAddress()).getPort());
            ByteBuffer buffer = ByteBuffer.wrap(packet);
            ByteBuffer verdict = ByteBuffer.allocate(Packet.VERDICT_BYTES);
            while (true) {
                channel.receive(buffer.clear());
                Packet.verdict(verdict, buffer.flip(), inspection.of(packet, buffer.limit()));
                channel.send(verdict, next);
            }
        }
    }
}
