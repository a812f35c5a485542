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

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/** What {@link OwnConnection} connects to. */
final class ConnectionServer implements AutoCloseable {
    private final ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final List<String> users = new CopyOnWriteArrayList<>();
    private final AtomicInteger open = new AtomicInteger();
    private volatile String answer = "fine";

    ConnectionServer() throws IOException {
        start(this::accept);
    }

    private static void start(Runnable work) {
        Thread thread = new Thread(work, "connection server");
        thread.setDaemon(true);
        thread.start();
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                Socket socket = server.accept();
                open.incrementAndGet();
                start(() -> serve(socket));
            } catch (IOException e) {
                // Closed: the loop ends.
            }
        }
    }

    private void serve(Socket socket) {
        try (socket;
                BufferedReader in =
                        new BufferedReader(
                                new InputStreamReader(
                                        socket.getInputStream(), StandardCharsets.UTF_8));
                PrintWriter out =
                        new PrintWriter(socket.getOutputStream(), true, StandardCharsets.UTF_8)) {
            users.add(in.readLine());
            while (in.readLine() != null) {
                out.println(answer);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            open.decrementAndGet();
        }
    }

    int port() {
        return server.getLocalPort();
    }

    /** Whoever asks may not go from now on. */
    void busy() {
        answer = "busy";
    }

    /** Who has connected, in order. */
    List<String> users() {
        return users;
    }

    /** How many connections are open. */
    int open() {
        return open.get();
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}
