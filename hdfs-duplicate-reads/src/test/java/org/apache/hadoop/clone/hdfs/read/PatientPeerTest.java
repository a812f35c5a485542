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

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class PatientPeerTest {
    private SocketChannel server;
    private PatientPeer peer;

    @BeforeEach
    void connect() throws IOException {
        try (ServerSocketChannel listener = ServerSocketChannel.open()) {
            listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            peer = new PatientPeer(SocketChannel.open(listener.getLocalAddress()).socket());
            server = listener.accept();
        }
    }

    @AfterEach
    void disconnect() throws IOException {
        peer.close();
        server.close();
    }

    private void send(int bytes) {
        try {
            server.write(ByteBuffer.allocate(bytes));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /**
     * Has no patience for its first wait, all of it for the next ones, and sends so many bytes
     * then.
     */
    private class Impatient implements PatientPeer.Reader {
        private final int bytes;
        private int waits;
        private boolean waiting;
        private int told;

        Impatient(int bytes) {
            this.bytes = bytes;
        }

        @Override
        public void waits() {
            waits++;
            waiting = true;
        }

        @Override
        public void goesOn() {
            waiting = false;
        }

        @Override
        public long patienceMillis() {
            assertThat(waiting).isTrue();
            return told == 0 ? 1 : 0;
        }

        @Override
        public void outOfPatience() {
            told++;
            send(bytes);
        }
    }

    @Test
    void aReaderThatWaitsForLongIsToldOnceAndReadsOn() throws IOException {
        Impatient reader = new Impatient(3);
        peer.setReader(reader);
        ByteBuffer to = ByteBuffer.allocate(9);
        assertThat(peer.getInputStreamChannel().read(to)).isEqualTo(3);
        assertThat(reader.told).isEqualTo(1);
        assertThat(reader.waits).isEqualTo(1);
        assertThat(reader.waiting).isFalse();
    }

    @Test
    void itIsNotToldOfBytesThatAreThere() throws IOException {
        send(2);
        Impatient reader = new Impatient(3);
        peer.setReader(reader);
        assertThat(peer.getInputStream().read(new byte[9])).isEqualTo(2);
        assertThat(reader.told).isZero();
    }

    /** However often a reader is told. */
    @Test
    void waitsForNoLongerThanStock() throws IOException {
        peer.setReadTimeout(50);
        Impatient reader =
                new Impatient(0) {
                    @Override
                    public long patienceMillis() {
                        return 40;
                    }
                };
        peer.setReader(reader);
        assertThatThrownBy(() -> peer.getInputStream().read())
                .isInstanceOf(SocketTimeoutException.class);
        assertThat(reader.told).isOne();
    }

    /** What ends stock's reads ends these, also after they were told. */
    @Test
    void stocksTimeLimitHolds() throws IOException {
        peer.setReadTimeout(20);
        assertThatThrownBy(() -> peer.getInputStream().read())
                .isInstanceOf(SocketTimeoutException.class);
        Impatient reader = new Impatient(0);
        peer.setReader(reader);
        assertThatThrownBy(() -> peer.getInputStream().read())
                .isInstanceOf(SocketTimeoutException.class);
        assertThat(reader.told).isEqualTo(1);
        assertThat(reader.waiting).isFalse();
    }
}
