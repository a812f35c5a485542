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
package org.apache.hadoop.clone.shuffle;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.function.IntUnaryOperator;

/** In front of a server, and cuts off what it answers. */
final class UnreliableNetwork implements Closeable {
    /** All of an answer. */
    static final int ALL = Integer.MAX_VALUE;

    private final ServerSocket clients = new ServerSocket(0, 0, InetAddress.getLoopbackAddress());
    private final int server;
    private final IntUnaryOperator bytes;
    private int connections;
    private volatile int cuts;

    /**
     * @param server its port
     * @param bytes how many of the answers on a connection come through, by the connection's number
     */
    UnreliableNetwork(int server, IntUnaryOperator bytes) throws IOException {
        this.server = server;
        this.bytes = bytes;
        start(this::accept);
    }

    private interface Work {
        void run() throws IOException;
    }

    private static void start(Work work) {
        Thread thread =
                new Thread(
                        () -> {
                            try {
                                work.run();
                            } catch (IOException e) {
                                // one of the ends has closed the connection, or the test is over
                            }
                        });
        thread.setDaemon(true);
        thread.start();
    }

    int port() {
        return clients.getLocalPort();
    }

    /** How many answers didn't come through as a whole. */
    int cuts() {
        return cuts;
    }

    private void accept() throws IOException {
        while (true) {
            Socket client = clients.accept();
            int most = bytes.applyAsInt(connections++);
            start(() -> connect(client, most));
        }
    }

    private void connect(Socket client, int most) throws IOException {
        try (client;
                Socket behind = new Socket(InetAddress.getLoopbackAddress(), server)) {
            start(() -> client.getInputStream().transferTo(behind.getOutputStream()));
            answer(behind.getInputStream(), client.getOutputStream(), most);
        }
    }

    private void answer(InputStream in, OutputStream out, int most) throws IOException {
        byte[] buffer = new byte[1 << 12];
        int left = most;
        for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
            out.write(buffer, 0, Math.min(read, left));
            left -= Math.min(read, left);
            if (left == 0) {
                synchronized (this) {
                    cuts++;
                }
                return;
            }
        }
    }

    @Override
    public void close() throws IOException {
        clients.close();
    }
}
