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

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.SocketChannel;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hdfs.net.NioInetPeer;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.net.SocketInputStream;
import org.apache.hadoop.net.SocketOutputStream;
import org.apache.hadoop.security.token.SecretManager.InvalidToken;

/**
 * A duplicate's client, as its xceiver sees it: one that asks for one thing, and whose end is
 * nothing to talk about. Stock logs warnings and errors, with their stacks, of clients that end
 * while it writes to them; and looks after its disks if what ended isn't a broken pipe by its
 * message (FileIoProvider).
 */
final class OneReadPeer extends NioInetPeer {
    /**
     * For how long in all a read may wait for its client and keep its place, with no use for the
     * disk: less than others wait for one before they read elsewhere, and more than a process waits
     * for a processor.
     */
    private static final long PATIENCE_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

    /** A packet's way to the kernel takes less. */
    private static final long NO_WAIT_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private final int mostMillis;
    private final boolean handshake;
    private final Runnable slow;
    private final Runnable failed;
    private final Input in;
    private final Output out;

    /**
     * @param mostMillis for how long the client may be silent, or take nothing; more than 0. A
     *     duplicate's is waiting for each byte, and others wait for its place
     * @param handshake whether it has to authenticate itself first
     * @param slow told, once, that it takes its bytes more slowly than it might have them
     * @param failed told that nothing more will be sent, before the xceiver gives anything back
     */
    OneReadPeer(Socket socket, int mostMillis, boolean handshake, Runnable slow, Runnable failed)
            throws IOException {
        super(socket);
        this.mostMillis = mostMillis;
        this.handshake = handshake;
        this.slow = slow;
        this.failed = failed;
        this.in = new Input(socket.getChannel());
        this.out = new Output(socket.getChannel());
    }

    /** Ends its xceiver after one operation, which would keep its thread for the next one. */
    @Override
    public boolean isClosed() {
        return true;
    }

    @Override
    public void setReadTimeout(int millis) {
        in.setTimeout(atMost(millis));
    }

    @Override
    public void setWriteTimeout(int millis) {
        out.setLimit(atMost(millis));
    }

    // 0 is for ever.
    private int atMost(int millis) {
        return millis == 0 ? mostMillis : Math.min(millis, mostMillis);
    }

    @Override
    public ReadableByteChannel getInputStreamChannel() {
        return in;
    }

    @Override
    public InputStream getInputStream() {
        return in;
    }

    @Override
    public OutputStream getOutputStream() {
        return out;
    }

    @Override
    public String toString() {
        return "OneReadPeer(" + getRemoteAddressString() + ")";
    }

    /**
     * The end of a client. DataXceiver says nothing of a SocketException while it sends a block;
     * and before, in a handshake, of nothing but an InvalidToken, which is said elsewhere.
     */
    private static SocketException gone(IOException how) {
        SocketException gone = new SocketException("Broken pipe: " + how.getMessage());
        InvalidToken silent = new InvalidToken("none came any more");
        silent.initCause(how);
        gone.initCause(silent);
        return gone;
    }

    private final class Input extends SocketInputStream {
        Input(SocketChannel channel) throws IOException {
            super(channel, mostMillis);
        }

        // The others come here.
        @Override
        public int read(ByteBuffer to) throws IOException {
            try {
                int read = super.read(to);
                if (read < 0 && handshake) {
                    throw gone(new IOException("end of the stream"));
                }
                return read;
            } catch (SocketTimeoutException e) {
                throw handshake ? gone(e) : e;
            } catch (IOException e) {
                if (handshake) {
                    throw gone(e);
                }
                return -1;
            }
        }
    }

    /** Something that may wait for the client. */
    @FunctionalInterface
    private interface Sending {
        int send() throws IOException;
    }

    // For sendfile an xceiver must have a SocketOutputStream.
    private final class Output extends SocketOutputStream {
        private int limitMillis = mostMillis;
        private long patienceNanos = PATIENCE_NANOS;

        Output(SocketChannel channel) throws IOException {
            super(channel, mostMillis);
        }

        void setLimit(int millis) {
            limitMillis = millis;
            setTimeout(millis);
        }

        /** With the client's patience first, and then up to the limit. */
        private int send(Sending sending) throws IOException {
            if (patienceNanos <= 0) {
                return sending.send();
            }
            long began = System.nanoTime();
            setTimeout(1 + (int) TimeUnit.NANOSECONDS.toMillis(patienceNanos));
            try {
                return sending.send();
            } catch (SocketTimeoutException e) {
                isSlow();
                return sending.send(); // nothing was
            } finally {
                long waited = System.nanoTime() - began;
                if (waited > NO_WAIT_NANOS && patienceNanos > 0) {
                    patienceNanos -= waited;
                    if (patienceNanos <= 0) {
                        isSlow();
                    }
                }
            }
        }

        private void isSlow() {
            patienceNanos = 0;
            setTimeout(limitMillis);
            slow.run();
        }

        // The others come here.
        @Override
        public int write(ByteBuffer from) throws IOException {
            try {
                return send(() -> super.write(from));
            } catch (IOException e) {
                throw whatever(e);
            }
        }

        @Override
        public void waitForWritable() throws IOException {
            try {
                send(
                        () -> {
                            super.waitForWritable();
                            return 0;
                        });
            } catch (IOException e) {
                throw whatever(e);
            }
        }

        @Override
        public void transferToFully(
                FileChannel file,
                long position,
                int count,
                LongWritable waitForWritableTime,
                LongWritable transferToTime)
                throws IOException {
            try {
                super.transferToFully(file, position, count, waitForWritableTime, transferToTime);
            } catch (IOException e) {
                throw whatever(e);
            }
        }

        /** Failures of the file remain what they are. */
        private IOException whatever(IOException failure) {
            failed.run();
            if (failure instanceof SocketException) {
                return failure;
            }
            String message = String.valueOf(failure.getMessage());
            boolean gone =
                    failure instanceof SocketTimeoutException
                            || message.startsWith("Broken pipe")
                            || message.startsWith("Connection reset")
                            || failure instanceof ClosedChannelException && isShut();
            return gone ? gone(failure) : failure;
        }

        private boolean isShut() {
            SocketChannel channel = (SocketChannel) getChannel();
            return !channel.isOpen() || channel.socket().isOutputShutdown();
        }
    }
}
