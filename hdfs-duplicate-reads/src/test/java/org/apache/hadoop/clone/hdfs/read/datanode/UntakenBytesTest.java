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
package org.apache.hadoop.clone.hdfs.read.datanode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class UntakenBytesTest {
    private static final String HEAD =
            "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid\n";
    private static final int PORT = 0x268A;

    @TempDir private Path directory;

    private Set<InetSocketAddress> peers(String... lines) throws IOException {
        Path table = directory.resolve("tcp");
        Files.writeString(table, HEAD + String.join("\n", lines) + "\n");
        return new UntakenBytes(List.of(table, directory.resolve("none")), PORT).peers();
    }

    /** As proc(5) has it. */
    private static String hex(String address, int port) throws IOException {
        ByteBuffer bytes =
                ByteBuffer.wrap(InetAddress.getByName(address).getAddress())
                        .order(ByteOrder.nativeOrder());
        StringBuilder hex = new StringBuilder();
        while (bytes.hasRemaining()) {
            hex.append("%08X".formatted(bytes.getInt()));
        }
        return "%s:%04X".formatted(hex, port);
    }

    private static String line(String local, String remote, String state, String untaken) {
        return "   0: %s %s %s %s:00000000 00:00000000 00000000     0"
                .formatted(local, remote, state, untaken);
    }

    @Test
    void findsThoseWithMuchAtItsPort() throws IOException {
        String here = hex("127.0.0.1", PORT);
        assertThat(
                        peers(
                                line(here, hex("127.0.0.1", 1), "01", "00080000"),
                                line(here, hex("10.1.2.3", 50000), "01", "0034FFFF"),
                                line(
                                        hex("2001:db8::1", PORT),
                                        hex("2001:db8::2", 3),
                                        "01",
                                        "00200000"),
                                line(here, hex("127.0.0.1", 4), "01", "0007FFFF"),
                                line(here, hex("127.0.0.1", 5), "08", "00200000"),
                                line(hex("127.0.0.1", 6), here, "01", "00200000")))
                .containsExactlyInAnyOrder(
                        new InetSocketAddress("127.0.0.1", 1),
                        new InetSocketAddress("10.1.2.3", 50000),
                        new InetSocketAddress("2001:db8::2", 3));
    }

    @Test
    void oneOfVersion4AtASocketForBothIsThatOfVersion4() throws IOException {
        String mapped = "0000000000000000" + hex("0.0.255.255", 0).substring(0, 8);
        String here = mapped + hex("127.0.0.1", PORT);
        assertThat(peers(line(here, mapped + hex("10.1.2.3", 7), "01", "00200000")))
                .containsExactly(new InetSocketAddress("10.1.2.3", 7));
    }

    @Test
    void theKernelsOwnTableHasThem() throws Exception {
        try (ServerSocketChannel server =
                        ServerSocketChannel.open()
                                .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
                SocketChannel client = SocketChannel.open(server.getLocalAddress());
                SocketChannel sender = server.accept()) {
            int port = ((InetSocketAddress) server.getLocalAddress()).getPort();
            UntakenBytes untaken = new UntakenBytes(port);
            SocketAddress peer = client.getLocalAddress();
            assertThat(untaken.peers()).isEmpty();
            sender.configureBlocking(false);
            ByteBuffer packet = ByteBuffer.allocate(1 << 16);
            await().until(
                            () -> {
                                while (sender.write(packet.clear()) > 0) {
                                    // until there is no more room
                                }
                                return untaken.peers().equals(Set.of(peer));
                            });
            client.configureBlocking(false);
            await().until(
                            () -> {
                                while (client.read(packet.clear()) > 0) {
                                    // all of it
                                }
                                return untaken.peers().isEmpty();
                            });
        }
    }
}
