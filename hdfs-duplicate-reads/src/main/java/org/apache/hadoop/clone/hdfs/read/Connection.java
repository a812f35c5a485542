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
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.nio.channels.SocketChannel;
import java.nio.channels.UnresolvedAddressException;
import org.apache.hadoop.hdfs.net.Peer;
import org.apache.hadoop.net.ConnectTimeoutException;
import org.apache.hadoop.net.SocketInputStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A connection that its reader uses, and another thread can end at any time: that is how a copy is
 * purged, here and at the DataNode.
 *
 * <p>To close a {@link Peer} from outside wakes nobody, and breaks a SASL stream under its reader.
 * So the socket is shut down: the reader sees the end of the stream, and closes what is its own.
 */
final class Connection {
    private static final Logger LOG = LoggerFactory.getLogger(Connection.class);

    private final PatientPeer.Reader reader;
    private Socket socket;
    private boolean connected;
    private boolean ended;

    // The reader's thread's alone.
    private PatientPeer patient;
    private boolean unnoticed;

    private Runnable ender;

    /**
     * @param reader who wants to know when it waits for bytes; null for nobody
     */
    Connection(PatientPeer.Reader reader) {
        this.reader = reader;
    }

    /** Nobody reads from it any more, and it may be another's. */
    void release() {
        if (patient != null) {
            patient.setReader(null);
        }
        patient = null;
        unnoticed = false;
    }

    /** It isn't one: by that the wait for it ends, now or later. Not to fail. */
    synchronized void endBy(Runnable wake) {
        ender = wake;
        if (ended) {
            wake.run();
        }
    }

    /** Whoever reads; null if nobody wants to know. */
    PatientPeer.Reader reader() {
        return reader;
    }

    /** Whether its reader may wait now without noticing for how long. */
    boolean isUnnoticed() {
        return unnoticed;
    }

    private void waitsUnnoticed() {
        unnoticed = true;
        if (reader != null) {
            reader.waits();
        }
    }

    /**
     * Reads from that from now on. If that notices no waits itself, one begins here, and ends when
     * it is open.
     */
    void readFrom(Peer plain) {
        if (plain instanceof PatientPeer) {
            patient = (PatientPeer) plain;
            patient.setReader(reader);
            unnoticed = false;
        } else {
            waitsUnnoticed();
        }
    }

    /**
     * Connects, as {@code NetUtils.connect} does, which can't be woken.
     *
     * @param made not connected, with a channel
     * @param local null for any
     * @throws IOException if it can't, or was ended. The socket is the caller's to close
     */
    void connect(Socket made, InetSocketAddress to, SocketAddress local, int timeoutMillis)
            throws IOException {
        use(made, false);
        waitsUnnoticed();
        try {
            if (local != null) {
                made.bind(local);
            }
            made.connect(to, timeoutMillis);
        } catch (SocketTimeoutException e) {
            throw new ConnectTimeoutException(
                    "no connection to " + to + " within " + timeoutMillis + " ms");
        } catch (UnresolvedAddressException e) {
            throw new UnknownHostException(to.toString());
        } finally {
            if (reader != null) {
                reader.goesOn();
            }
        }
        if (made.getLocalPort() == made.getPort()
                && made.getLocalAddress().equals(made.getInetAddress())) {
            // Nobody listens, and the port that was found for us is the one that was wanted.
            throw new ConnectException("connected to itself: nobody listens at " + to);
        }
        use(made, true);
    }

    private synchronized void use(Socket of, boolean isConnected) throws IOException {
        socket = of;
        connected = isConnected;
        if (ended) {
            throw new ConnectException("ended, since it isn't needed any more");
        }
    }

    /** Uses one that was made before. One whose socket isn't known can't be ended. */
    void adopt(Peer peer) throws IOException {
        Peer plain = peer instanceof SecurePeer ? ((SecurePeer) peer).plain() : peer;
        use(socketOf(plain), true);
        readFrom(plain);
    }

    /** Null if it isn't known: a domain socket's, or one that another client has encrypted. */
    private static Socket socketOf(Peer peer) throws IOException {
        return peer.getInputStream() instanceof SocketInputStream
                ? ((SocketChannel) ((SocketInputStream) peer.getInputStream()).getChannel())
                        .socket()
                : null;
    }

    /** Ends what is read from it, now or later. Never fails. */
    synchronized void end() {
        ended = true;
        if (ender != null) {
            ender.run();
        }
        if (socket == null) {
            return;
        }
        try {
            if (connected) {
                socket.shutdownInput();
                socket.shutdownOutput();
            } else {
                socket.close();
            }
        } catch (IOException e) {
            LOG.debug("{} has ended already", socket, e);
        }
    }

    /** Whether nothing can be read from it any more. */
    synchronized boolean hasEnded() {
        return ended;
    }
}
