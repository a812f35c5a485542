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
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.crac.Context;
import org.crac.Core;
import org.crac.Resource;

/** User code with a connection and a thread of its own, which org.crac helps through a clone. */
final class OwnConnection implements Resource {
    /** Key of the job: the port of a {@link ConnectionServer}. */
    static final String PORT = "counted.port";

    private static final long LONG_SECONDS = 20;

    private final int port;
    private final Supplier<String> user;
    private final BlockingQueue<String> heard = new LinkedBlockingQueue<>();
    private Socket socket;
    private PrintWriter out;
    private Thread listener;

    OwnConnection(int port, Supplier<String> user) throws IOException {
        this.port = port;
        this.user = user;
        open();
        Core.getGlobalContext().register(this);
    }

    private void open() throws IOException {
        socket = new Socket("127.0.0.1", port);
        out = new PrintWriter(socket.getOutputStream(), true, StandardCharsets.UTF_8);
        BufferedReader in =
                new BufferedReader(
                        new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
        out.println(user.get());
        listener = new Thread(() -> in.lines().forEach(heard::add), "mine");
        listener.setDaemon(true);
        // The end of its connection is its end.
        listener.setUncaughtExceptionHandler((thread, e) -> {});
        listener.start();
    }

    /** Asks something, and waits for the answer. */
    void use() throws IOException {
        out.println("how are you");
        try {
            if (heard.poll(LONG_SECONDS, TimeUnit.SECONDS) == null) {
                throw new IOException("no answer");
            }
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
    }

    @Override
    public void beforeCheckpoint(Context<? extends Resource> context) throws Exception {
        out.println("may I go");
        if ("busy".equals(heard.poll(LONG_SECONDS, TimeUnit.SECONDS))) {
            throw new IOException("busy");
        }
        socket.close();
        listener.join();
    }

    @Override
    public void afterRestore(Context<? extends Resource> context) throws Exception {
        if (socket.isClosed()) {
            open();
        }
    }

    @Override
    public String toString() {
        return "my connection";
    }
}
