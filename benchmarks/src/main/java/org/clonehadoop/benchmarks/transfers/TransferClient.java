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
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import org.apache.hadoop.clone.stage.Copy;
import org.apache.hadoop.clone.stage.Gate;
import org.apache.hadoop.clone.stage.Job;
import org.apache.hadoop.clone.stage.JobId;
import org.apache.hadoop.clone.stage.Limit;
import org.apache.hadoop.clone.stage.Policy;
import org.apache.hadoop.clone.stage.Priority;
import org.apache.hadoop.clone.stage.QueueStage;
import org.apache.hadoop.clone.stage.Server;

/**
 * A client of several {@link TransferServer}s, with a connection to each for each {@link Kind}. Its
 * stage holds nothing back; it makes of each request the copies that a policy says.
 */
final class TransferClient implements AutoCloseable {
    private static final int NO_LIMIT = 1_000_000;
    private static final int PATIENCE_MILLIS = 5000;
    private static final int REQUEST_BYTES = Long.BYTES + Integer.BYTES;

    /** What a copy asks, and of whom. */
    private record Place(int server, int bytes) {}

    /** A copy that has been asked for. */
    private record UnderWay(Copy<Place> copy, Server.Progress progress) {}

    /** Told of each request, by its number, once its first copy is complete. */
    @FunctionalInterface
    interface Done {
        void done(int number);
    }

    private final List<Map<Kind, DataOutputStream>> servers = new ArrayList<>();
    private final List<Socket> sockets = new ArrayList<>();
    private final Map<Long, UnderWay> underWay = new ConcurrentHashMap<>();
    private final long session = System.nanoTime();
    private final Policy policy;
    private final Done done;
    private final QueueStage<Place> stage =
            new QueueStage<>(
                    new Servers(), Limit.fixed(NO_LIMIT), Gate.open(), NO_LIMIT, System::nanoTime);

    TransferClient(List<InetSocketAddress> addresses, Policy policy, Done done) throws IOException {
        this.policy = policy;
        this.done = done;
        for (InetSocketAddress address : addresses) {
            Map<Kind, DataOutputStream> connections = new EnumMap<>(Kind.class);
            for (Kind kind : Kind.values()) {
                connections.put(kind, connect(address, kind));
            }
            servers.add(connections);
        }
    }

    private DataOutputStream connect(InetSocketAddress address, Kind kind) throws IOException {
        Socket socket = new Socket();
        sockets.add(socket);
        socket.connect(address, PATIENCE_MILLIS);
        socket.setSoTimeout(PATIENCE_MILLIS);
        socket.setTcpNoDelay(true);
        DataOutputStream out = new DataOutputStream(socket.getOutputStream());
        ByteBuffer hello = ByteBuffer.allocate(1 + Long.BYTES);
        out.write(hello.put((byte) kind.ordinal()).putLong(session).array());
        if (socket.getInputStream().read() != TransferServer.GREETING) {
            throw new IOException(address + " is no server of transfers");
        }
        socket.setSoTimeout(0);
        Thread reader = new Thread(() -> read(socket));
        reader.setDaemon(true);
        reader.start();
        return out;
    }

    /**
     * Asks the first server, and perhaps the second.
     *
     * @param number not negative, and another one for each
     */
    void ask(int number, int bytes, int first, int second) {
        stage.dispatch(
                new Job<>(
                        new JobId(number, 0),
                        policy,
                        List.of(new Place(first, bytes), new Place(second, bytes))));
    }

    /** A long flow beside the requests; nobody is told of its end. */
    void background(int server, Kind kind, int bytes) throws IOException {
        send(server, kind, -1, bytes);
    }

    /** Waits, and sends delayed copies meanwhile. */
    void sleepUntil(long nanos) {
        while (true) {
            OptionalLong next = stage.schedule();
            long left = nanos - System.nanoTime();
            if (left <= 0) {
                return;
            }
            LockSupport.parkNanos(Math.min(left, next.orElse(left)));
        }
    }

    private void send(int server, Kind kind, long id, int bytes) throws IOException {
        DataOutputStream out = servers.get(server).get(kind);
        ByteBuffer request = ByteBuffer.allocate(REQUEST_BYTES).putLong(id);
        if (kind != Kind.PURGE) {
            request.putInt(bytes);
        }
        // Requests, and purges of any reader's thread.
        synchronized (out) {
            out.write(request.array(), 0, request.position());
        }
    }

    private void read(Socket socket) {
        byte[] content = new byte[64 << 10];
        try (DataInputStream in =
                new DataInputStream(new BufferedInputStream(socket.getInputStream()))) {
            while (true) {
                UnderWay copy = underWay.remove(in.readLong());
                int left = in.readInt();
                if (copy != null) {
                    copy.progress().started();
                }
                while (left > 0) {
                    int part = in.read(content, 0, Math.min(left, content.length));
                    if (part < 0) {
                        return;
                    }
                    left -= part;
                }
                if (copy != null) {
                    copy.progress().ended();
                    done.done((int) copy.copy().id().whole());
                }
            }
        } catch (IOException e) {
            // It was closed.
        }
    }

    @Override
    public void close() throws IOException {
        for (Socket socket : sockets) {
            socket.close();
        }
    }

    /** What is on the wire is a request's number and a copy's. */
    private static long id(Copy<Place> copy) {
        return copy.id().whole() << 1 | copy.number();
    }

    private final class Servers implements Server<Place> {
        @Override
        public void start(Copy<Place> copy, Progress progress) {
            underWay.put(id(copy), new UnderWay(copy, progress));
            Kind kind = copy.priority() == Priority.PRIMARY ? Kind.PRIMARY : Kind.DUPLICATE;
            try {
                send(copy.work().server(), kind, id(copy), copy.work().bytes());
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public void stop(Copy<Place> copy) {
            // One that is being received already goes on, and is read for nothing.
            if (underWay.remove(id(copy)) == null) {
                return;
            }
            try {
                send(copy.work().server(), Kind.PURGE, id(copy), 0);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
