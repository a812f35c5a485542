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
package org.clonehadoop.check;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class NetworkProbeTest {
    private static final Node HERE = Facts.node("127.0.0.1", Facts.good());

    private ProbeProcesses processes;
    private NetworkProbe probe;

    @BeforeEach
    void start() throws IOException {
        processes = new ProbeProcesses();
        probe = new NetworkProbe(processes, List.of("env", "HOST={}"), 60);
    }

    @AfterEach
    void end() {
        processes.close();
    }

    private static Node node(String name, int port) {
        return Facts.node(name, Facts.but(facts -> facts.putArray("free_ports").add(port)));
    }

    private static int closedPort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    @Test
    void aPortOnWhichNobodyListensCanBeReached() throws IOException {
        Node other = node("127.0.0.2", closedPort());
        assertThat(probe.from(HERE, List.of(HERE, other))).isEmpty();
    }

    @Test
    void aPortOnWhichSomebodyListensCanBeReached() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            Node other = node("127.0.0.2", socket.getLocalPort());
            assertThat(probe.from(HERE, List.of(HERE, other))).isEmpty();
        }
    }

    /** As behind a firewall that drops: with its backlog full, a socket of Linux's drops SYNs. */
    @Test
    void aPortThatDoesntAnswerIsTold() throws Exception {
        List<SocketChannel> before = new ArrayList<>();
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.2"))) {
            for (int n = 0; n < 4; n++) {
                SocketChannel channel = SocketChannel.open();
                channel.configureBlocking(false);
                channel.connect(new InetSocketAddress("127.0.0.2", socket.getLocalPort()));
                before.add(channel);
            }
            Node other = node("127.0.0.2", socket.getLocalPort());
            assertThat(probe.from(HERE, List.of(HERE, other)))
                    .containsExactly(
                            new Unreachable(
                                    "127.0.0.1",
                                    "127.0.0.2",
                                    socket.getLocalPort(),
                                    "no answer within 3 s"));
        } finally {
            for (SocketChannel channel : before) {
                channel.close();
            }
        }
    }

    @Test
    void aNameThatIsntKnownIsTold() {
        Node other = node("no-such-host.invalid", 7100);
        assertThat(probe.from(HERE, List.of(HERE, other)))
                .singleElement()
                .satisfies(one -> assertThat(one.why()).containsAnyOf("not known", "resolution"));
    }

    @Test
    void aNodeThatCantTrySaysWhyAndBlamesNoOther() {
        NetworkProbe broken =
                new NetworkProbe(
                        processes, List.of("bash", "-c", "echo gone >&2; exit 255", "-"), 60);
        List<Node> all = List.of(HERE, node("h2", 7100), node("h3", 7100));
        assertThat(broken.from(HERE, all))
                .containsExactly(Unreachable.notTried(HERE.name(), "exit code 255: gone"));
    }
}
