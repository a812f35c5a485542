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
package org.clonehadoop.benchmarks.transfers;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.hadoop.clone.stage.Cascade;
import org.apache.hadoop.clone.stage.Copy;
import org.apache.hadoop.clone.stage.Gate;
import org.apache.hadoop.clone.stage.Job;
import org.apache.hadoop.clone.stage.JobId;
import org.apache.hadoop.clone.stage.Limit;
import org.apache.hadoop.clone.stage.Policy;
import org.apache.hadoop.clone.stage.QueueStage;
import org.apache.hadoop.clone.stage.Server;

/**
 * Sends as many bytes as it is asked for, over connections that stay. Requests of one client wait
 * in a {@link QueueStage}: those of duplicates behind all others, and only as long as nobody purges
 * them. Started as {@code TransferServer PORT}; prints that it listens.
 */
public final class TransferServer {
    /** One after the other: a link is fully used by one. */
    private static final int LEVEL = 1;

    /** A duplicate looks so often whether it has to give way. */
    private static final int CHUNK = 16 << 10;

    /** What is in a socket is beyond the stage, so it is little. */
    private static final int SEND_BUFFER = 32 << 10;

    /** So that a client knows that it talks to one of these. */
    static final int GREETING = 'T';

    private static final int MOST_DUPLICATES = 100_000;
    private static final long LOOK_NANOS = TimeUnit.MICROSECONDS.toNanos(500);

    /** A transfer, and where it goes. */
    private record Reply(Connection connection, long id, int bytes) {}

    /** All that one client has asked for, whose sessions each have an id. */
    private final Map<Long, QueueStage<Reply>> stages = new ConcurrentHashMap<>();

    private TransferServer() {}

    public static void main(String[] arguments) throws IOException {
        try (ServerSocket socket = new ServerSocket(Integer.parseInt(arguments[0]))) {
            System.out.println("listening");
            serve(socket);
        }
    }

    /** Until the socket is closed. */
    static void serve(ServerSocket socket) {
        TransferServer server = new TransferServer();
        try {
            while (true) {
                Socket accepted = socket.accept();
                Thread thread = new Thread(() -> server.serve(accepted));
                thread.setDaemon(true);
                thread.start();
            }
        } catch (IOException e) {
            // Nobody is to come any more.
        }
    }

    private void serve(Socket socket) {
        try (socket;
                DataInputStream in =
                        new DataInputStream(new BufferedInputStream(socket.getInputStream()))) {
            Kind kind = Kind.values()[in.readByte()];
            long session = in.readLong();
            socket.setTcpNoDelay(true);
            socket.setTrafficClass(kind.trafficClass());
            socket.setSendBufferSize(SEND_BUFFER);
            QueueStage<Reply> stage =
                    stages.computeIfAbsent(
                            session,
                            id ->
                                    new QueueStage<>(
                                            new Writer(),
                                            Limit.fixed(LEVEL),
                                            Gate.open(),
                                            MOST_DUPLICATES,
                                            System::nanoTime));
            socket.getOutputStream().write(GREETING);
            try (Connection connection = new Connection(kind, stage, socket)) {
                while (true) {
                    connection.asked(in);
                }
            } finally {
                // Its clients come and go as a whole.
                stages.remove(session);
            }
        } catch (IOException e) {
            // The client is gone.
        }
    }

    /** One of a client's. */
    private static final class Connection implements AutoCloseable {
        private final Kind kind;
        private final QueueStage<Reply> stage;
        private final DataOutputStream out;
        private final ExecutorService writer = Executors.newSingleThreadExecutor();
        private final byte[] content = new byte[CHUNK];

        Connection(Kind kind, QueueStage<Reply> stage, Socket socket) throws IOException {
            this.kind = kind;
            this.stage = stage;
            this.out = new DataOutputStream(socket.getOutputStream());
        }

        void asked(DataInputStream in) throws IOException {
            long id = in.readLong();
            if (kind == Kind.PURGE) {
                // What is being sent is as good as sent.
                stage.purge(copy -> copy.id().whole() == id, Cascade.NO);
                return;
            }
            Reply reply = new Reply(this, id, in.readInt());
            if (kind.priority() == null) {
                writer.execute(() -> write(reply, null));
                return;
            }
            Job<Reply> job = new Job<>(new JobId(id, 0), Policy.single(), List.of(reply));
            stage.dispatch(new Copy<>(job, 0, kind.priority(), System.nanoTime()));
        }

        /**
         * @param copy null if it is none of the stage's
         */
        boolean write(Reply reply, Copy<Reply> copy) {
            try {
                ByteBuffer head = ByteBuffer.allocate(Long.BYTES + Integer.BYTES);
                out.write(head.putLong(reply.id()).putInt(reply.bytes()).array());
                for (int left = reply.bytes(); left > 0; left -= CHUNK) {
                    while (copy != null && !stage.mayGoOn(copy)) {
                        LockSupport.parkNanos(LOOK_NANOS);
                    }
                    out.write(content, 0, Math.min(CHUNK, left));
                }
                return true;
            } catch (IOException e) {
                return false;
            }
        }

        @Override
        public void close() {
            writer.shutdownNow();
        }
    }

    /** Each connection has its writer, so that a duplicate that waits is in nobody's way. */
    private static final class Writer implements Server<Reply> {
        @Override
        public void start(Copy<Reply> copy, Progress progress) {
            Connection connection = copy.work().connection();
            connection.writer.execute(
                    () -> {
                        progress.started();
                        if (connection.write(copy.work(), copy)) {
                            progress.ended();
                        } else {
                            progress.failed();
                        }
                    });
        }

        @Override
        public void stop(Copy<Reply> copy) {
            // It is in flight: the paper's purge is of queues only, for requests so small.
        }
    }
}
