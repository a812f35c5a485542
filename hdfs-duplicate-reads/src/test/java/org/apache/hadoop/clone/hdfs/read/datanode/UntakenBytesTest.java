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
import java.nio.ByteBuffer;
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
    private static final int PEER = 0xC350;

    @TempDir private Path directory;

    private int connections(String... lines) throws IOException {
        Path table = directory.resolve("tcp");
        Files.writeString(table, HEAD + String.join("\n", lines) + "\n");
        return new UntakenBytes(List.of(table, directory.resolve("none")), PORT)
                .connections(Set.of(PEER));
    }

    private static String line(String local, String remote, String state, String untaken) {
        return "   0: %s %s %s %s:00000000 00:00000000 00000000     0"
                .formatted(local, remote, state, untaken);
    }

    @Test
    void countsThoseWithMuchAtItsPort() throws IOException {
        String here = "0100007F:268A";
        String there = "0100007F:C350";
        assertThat(
                        connections(
                                line(here, there, "01", "00080000"),
                                line(here, there, "01", "0034FFFF"),
                                line(here, there, "01", "0007FFFF"),
                                line(here, there, "08", "00200000"),
                                line(there, here, "01", "00200000"),
                                line(here, "0100007F:C351", "01", "00200000"),
                                line(
                                        "00000000000000000000000001000000:268A",
                                        there,
                                        "01",
                                        "00200000")))
                .isEqualTo(3);
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
            Set<Integer> peer = Set.of(client.socket().getLocalPort());
            assertThat(untaken.connections(peer)).isZero();
            sender.configureBlocking(false);
            ByteBuffer packet = ByteBuffer.allocate(1 << 16);
            await().until(
                            () -> {
                                while (sender.write(packet.clear()) > 0) {
                                    // until there is no more room
                                }
                                return untaken.connections(peer) == 1;
                            });
            client.configureBlocking(false);
            await().until(
                            () -> {
                                while (client.read(packet.clear()) > 0) {
                                    // all of it
                                }
                                return untaken.connections(peer) == 0;
                            });
        }
    }
}
