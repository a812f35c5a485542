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
package org.apache.hadoop.clone.hdfs.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.FutureTask;
import org.apache.hadoop.hdfs.DFSUtilClient;
import org.apache.hadoop.hdfs.net.Peer;
import org.apache.hadoop.net.ConnectTimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ConnectionTest {
    private static final int LONG_MILLIS = 60_000;

    private ServerSocket server;
    private InetSocketAddress address;
    private final Connection connection = new Connection(null);

    @BeforeEach
    void listen() throws IOException {
        server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        address = new InetSocketAddress(server.getInetAddress(), server.getLocalPort());
    }

    @AfterEach
    void close() throws IOException {
        server.close();
    }

    @Test
    void aReaderThatWaitsSeesTheEnd() throws Exception {
        try (Socket socket = SocketChannel.open().socket()) {
            connection.connect(socket, address, null, LONG_MILLIS);
            Peer peer = DFSUtilClient.peerFromSocket(socket);
            FutureTask<Integer> read = new FutureTask<>(() -> peer.getInputStream().read());
            Thread reader = start(read);
            await().until(() -> isIn(reader, "select"));
            connection.end();
            assertThat(read.get()).isEqualTo(-1);
            assertThat(connection.hasEnded()).isTrue();
        }
    }

    @Test
    void soDoesOneWhoConnects() throws Exception {
        List<Socket> filling = fill();
        try (Socket socket = SocketChannel.open().socket()) {
            FutureTask<Void> connect =
                    new FutureTask<>(
                            () -> {
                                connection.connect(socket, address, null, LONG_MILLIS);
                                return null;
                            });
            Thread connecting = start(connect);
            await().until(() -> isIn(connecting, "connect"));
            connection.end();
            assertThatThrownBy(connect::get).hasCauseInstanceOf(IOException.class);
        } finally {
            for (Socket one : filling) {
                one.close();
            }
        }
    }

    /** Until nobody more is let in. */
    private List<Socket> fill() throws IOException {
        List<Socket> filling = new ArrayList<>();
        while (true) {
            Socket socket = SocketChannel.open().socket();
            filling.add(socket);
            try {
                new Connection(null).connect(socket, address, null, 200);
            } catch (ConnectTimeoutException e) {
                return filling;
            }
        }
    }

    @Test
    void onceEndedNothingConnects() throws Exception {
        connection.end();
        try (Socket socket = SocketChannel.open().socket()) {
            assertThatThrownBy(() -> connection.connect(socket, address, null, LONG_MILLIS))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("ended");
        }
    }

    @Test
    void oneThatWasMadeBeforeCanBeEndedAsWell() throws Exception {
        try (Socket socket = SocketChannel.open(address).socket()) {
            Peer peer = DFSUtilClient.peerFromSocket(socket);
            connection.adopt(peer);
            connection.end();
            assertThat(peer.getInputStream().read()).isEqualTo(-1);
        }
    }

    /** Of what its reader is told, and whether it could have noticed how long that took. */
    private static final class Told implements PatientPeer.Reader {
        private final List<String> calls = new ArrayList<>();
        private final Connection connection = new Connection(this);

        @Override
        public void waits() {
            calls.add(connection.isUnnoticed() ? "waits unnoticed" : "waits");
        }

        @Override
        public long patienceMillis() {
            return 0;
        }

        @Override
        public void outOfPatience() {
            calls.add("out of patience");
        }

        @Override
        public void goesOn() {
            calls.add("goes on");
        }
    }

    @Test
    void itsReaderWaitsWhileItConnectsAndWhenItReads() throws Exception {
        Told told = new Told();
        try (Socket socket = SocketChannel.open().socket()) {
            told.connection.connect(socket, address, null, LONG_MILLIS);
            assertThat(told.calls).containsExactly("waits unnoticed", "goes on");
            PatientPeer peer = new PatientPeer(socket);
            told.connection.readFrom(peer);
            told.calls.clear();
            server.accept().close();
            assertThat(peer.getInputStream().read()).isEqualTo(-1);
            assertThat(told.calls).containsExactly("waits", "goes on");
        }
    }

    @Test
    void whatNoticesNoWaitsIsOneFromTheBeginningOn() throws Exception {
        Told told = new Told();
        try (Socket socket = SocketChannel.open(address).socket()) {
            told.connection.adopt(DFSUtilClient.peerFromSocket(socket));
            assertThat(told.calls).containsExactly("waits unnoticed");
        }
    }

    private static Thread start(Runnable work) {
        Thread thread = new Thread(work);
        thread.start();
        return thread;
    }

    private static boolean isIn(Thread thread, String method) {
        for (StackTraceElement frame : thread.getStackTrace()) {
            if (frame.getMethodName().toLowerCase().contains(method)) {
                return true;
            }
        }
        return false;
    }
}
