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
package org.apache.hadoop.clone.task;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Optional;

/** A UDP socket, as a line of /proc/net/udp or udp6 has it. */
record UdpSocket(long inode, InetSocketAddress local) {
    /**
     * @return empty for the heading
     */
    static Optional<UdpSocket> parse(String line) {
        // The tables have the same columns.
        return TcpSocket.parse(line).map(socket -> new UdpSocket(socket.inode(), socket.local()));
    }

    /**
     * Why a clone can't have it: one that is connected, too, is bound to an address of its host.
     */
    Optional<String> obstacle() {
        InetAddress address = local.getAddress();
        return address.isAnyLocalAddress() || address.isLoopbackAddress()
                ? Optional.empty()
                : Optional.of(
                        "it has a UDP socket at "
                                + TcpSocket.text(local)
                                + ", an address that another host hasn't");
    }
}
