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
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A TCP socket, as a line of /proc/net/tcp or tcp6 has it.
 *
 * @param peer port 0 if there is none
 */
record TcpSocket(long inode, boolean listens, InetSocketAddress local, InetSocketAddress peer) {
    private static final String ENDPOINT = "([0-9A-F]{8}|[0-9A-F]{32}):([0-9A-F]{4})";

    /** Number, both ends, state; then queues, timers, owner, time-out; inode. */
    private static final Pattern LINE =
            Pattern.compile(
                    "\\s*\\d+: "
                            + ENDPOINT
                            + " "
                            + ENDPOINT
                            + " ([0-9A-F]{2}) \\S+ \\S+ \\S+ +\\d+ +\\d+ (\\d+) .*");

    private static final int LISTEN = 10;
    private static final int HEX = 16;
    private static final int WORD_DIGITS = 8;

    /**
     * @return empty for the heading
     */
    static Optional<TcpSocket> parse(String line) {
        Matcher fields = LINE.matcher(line);
        return fields.matches()
                ? Optional.of(
                        new TcpSocket(
                                Long.parseLong(fields.group(6)),
                                Integer.parseInt(fields.group(5), HEX) == LISTEN,
                                address(fields.group(1), fields.group(2)),
                                address(fields.group(3), fields.group(4))))
                : Optional.empty();
    }

    /** Words in the machine's byte order, each of network order. */
    private static InetSocketAddress address(String words, String port) {
        ByteBuffer bytes = ByteBuffer.allocate(words.length() / 2).order(ByteOrder.nativeOrder());
        for (int i = 0; i < words.length(); i += WORD_DIGITS) {
            bytes.putInt(Integer.parseUnsignedInt(words.substring(i, i + WORD_DIGITS), HEX));
        }
        try {
            return new InetSocketAddress(
                    InetAddress.getByAddress(bytes.array()), Integer.parseInt(port, HEX));
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException(words, e); // never: 4 or 16 bytes
        }
    }

    /**
     * Why a clone can't have it: all connections come up closed in it, and only Hadoop makes
     * others.
     *
     * @param peers addresses with which Hadoop has connections
     */
    Optional<String> obstacle(Set<InetSocketAddress> peers) {
        if (listens) {
            return Optional.of("it listens on " + text(local));
        }
        return peer.getPort() == 0 || peers.contains(peer)
                ? Optional.empty()
                : Optional.of("it has a connection of its own to " + text(peer));
    }

    static String text(InetSocketAddress address) {
        return address.getAddress().getHostAddress() + ":" + address.getPort();
    }
}
