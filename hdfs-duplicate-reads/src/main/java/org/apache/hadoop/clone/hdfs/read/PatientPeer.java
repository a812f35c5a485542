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

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.SocketChannel;
import org.apache.hadoop.hdfs.net.NioInetPeer;
import org.apache.hadoop.net.SocketInputStream;

/**
 * A connection whose reader notices itself that it has waited for long: the one wait for the next
 * bytes, which stock's reader ends with an error after a minute, is cut in two. So a read that is
 * fast wakes no other thread.
 */
final class PatientPeer extends NioInetPeer {
    /** Whoever waits for the next bytes. All of it is called in its own thread. */
    interface Reader {
        /** Here a wait for the next bytes begins, though they may be there already. */
        void waits();

        /**
         * Asked during a wait.
         *
         * @return for how many milliseconds it goes on until it is told; 0 if it isn't to be told
         */
        long patienceMillis();

        /** It has waited for so long, and waits on. */
        void outOfPatience();

        /** The wait is over, whatever came of it. */
        void goesOn();
    }

    private final Input in;
    private Reader reader;

    PatientPeer(Socket socket) throws IOException {
        super(socket);
        this.in = new Input(socket.getChannel());
    }

    /** Null for nobody who wants to know. */
    void setReader(Reader next) {
        reader = next;
    }

    @Override
    public void setReadTimeout(int millis) {
        in.setTimeout(millis);
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
    public String toString() {
        return "PatientPeer(" + getRemoteAddressString() + ")";
    }

    private final class Input extends SocketInputStream {
        private long timeoutMillis;

        Input(SocketChannel channel) throws IOException {
            super(channel, 0);
        }

        @Override
        public void setTimeout(long millis) {
            timeoutMillis = millis;
            super.setTimeout(millis);
        }

        // The others come here.
        @Override
        public int read(ByteBuffer to) throws IOException {
            Reader waiting = reader;
            if (waiting == null) {
                return super.read(to);
            }
            waiting.waits();
            try {
                return read(to, waiting);
            } finally {
                waiting.goesOn();
            }
        }

        private int read(ByteBuffer to, Reader waiting) throws IOException {
            long left = timeoutMillis;
            try {
                while (true) {
                    long patience = waiting.patienceMillis();
                    boolean isLast = patience == 0 || timeoutMillis != 0 && patience >= left;
                    super.setTimeout(isLast ? left : patience);
                    try {
                        return super.read(to);
                    } catch (SocketTimeoutException e) {
                        if (isLast) {
                            throw e;
                        }
                        left -= timeoutMillis == 0 ? 0 : patience;
                        waiting.outOfPatience();
                    }
                }
            } finally {
                super.setTimeout(timeoutMillis);
            }
        }
    }
}
