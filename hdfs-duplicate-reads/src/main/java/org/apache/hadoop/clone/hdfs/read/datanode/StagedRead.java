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
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.Collections;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.apache.hadoop.clone.hdfs.read.wire.BadHeaderException;
import org.apache.hadoop.clone.hdfs.read.wire.StageAnswer;
import org.apache.hadoop.clone.hdfs.read.wire.StageHeader;
import org.apache.hadoop.clone.stage.Copy;
import org.apache.hadoop.clone.stage.Job;
import org.apache.hadoop.clone.stage.Policy;
import org.apache.hadoop.clone.stage.Priority;

/** One connection to the stage, and the copy of a job that it is for. */
final class StagedRead {
    enum State {
        /** Its header hasn't come yet, or not all of it. */
        ANNOUNCED,
        /** In its stage's queue. */
        WAITING,
        /** Its xceiver has the connection. */
        SERVED,
        /** The same, between two packets, until nobody else is there. */
        YIELDING,
        ENDED
    }

    // Less than the most that may be sent ahead of those to whom a duplicate gives way, since the
    // kernel doubles it: man 7 socket, SO_SNDBUF.
    private static final int SEND_BUFFER = 128 << 10;

    private final SocketChannel channel;
    private final SelectionKey key;
    private final long arrivedNanos;
    // One more than the longest header has: whoever sends it hasn't waited for the answer.
    private final ByteBuffer received = ByteBuffer.allocate(StageHeader.MOST_BYTES + 1);
    private final AtomicReference<State> state = new AtomicReference<>(State.ANNOUNCED);
    private volatile Place place;
    private volatile Copy<StagedRead> copy;
    private volatile Thread yielding;
    private volatile boolean purged;

    StagedRead(SocketChannel channel, SelectionKey key, long nanos) {
        this.channel = channel;
        this.key = key;
        this.arrivedNanos = nanos;
    }

    SocketChannel channel() {
        return channel;
    }

    State state() {
        return state.get();
    }

    Place place() {
        return place;
    }

    Copy<StagedRead> copy() {
        return copy;
    }

    boolean isDuplicate() {
        return copy.priority() == Priority.DUPLICATE;
    }

    long ageNanos(long now) {
        return now - arrivedNanos;
    }

    /**
     * Reads what has come of the header.
     *
     * @return empty if more has to come
     * @throws IOException if it is none, or the connection has ended
     */
    Optional<StageHeader> readHeader() throws IOException {
        if (channel.read(received) < 0) {
            throw new BadHeaderException("the connection ended before its header did");
        }
        ByteBuffer soFar = received.duplicate().flip();
        Optional<StageHeader> header = StageHeader.decode(soFar);
        if (soFar.hasRemaining() && header.isPresent()) {
            throw new BadHeaderException("more than a header");
        }
        return header;
    }

    /**
     * From here on it waits.
     *
     * @param trafficClass of a duplicate's packets
     */
    void waits(StageHeader header, Place at, int trafficClass, long nanos) throws IOException {
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        if (header.priority() == Priority.DUPLICATE) {
            channel.setOption(StandardSocketOptions.IP_TOS, trafficClass);
            channel.setOption(StandardSocketOptions.SO_SNDBUF, SEND_BUFFER);
        }
        // A stage serves the copy of this number in its place, and no other has one here.
        int number = header.priority().ordinal();
        place = at;
        copy =
                new Copy<>(
                        new Job<>(
                                header.job(),
                                Policy.single(),
                                Collections.nCopies(number + 1, this)),
                        number,
                        header.priority(),
                        nanos);
        state.set(State.WAITING);
    }

    /**
     * Its turn has come.
     *
     * @return whether it still waited
     */
    boolean starts() {
        boolean waited = state.compareAndSet(State.WAITING, State.SERVED);
        if (waited) {
            listen(0);
        }
        return waited;
    }

    /**
     * It isn't to be served.
     *
     * @return whether it still waited, or wasn't even that far
     */
    boolean leaves() {
        return state.compareAndSet(State.WAITING, State.ENDED)
                || state.compareAndSet(State.ANNOUNCED, State.ENDED);
    }

    /** The calling thread serves it, and gives way now. */
    void yields() {
        yielding = Thread.currentThread();
        state.compareAndSet(State.SERVED, State.YIELDING);
        listen(SelectionKey.OP_READ);
    }

    void goesOn() {
        listen(0);
        state.compareAndSet(State.YIELDING, State.SERVED);
    }

    private void listen(int operations) {
        try {
            key.interestOps(operations);
        } catch (CancelledKeyException e) {
            // Its end is known already.
        }
    }

    /** Lets it look again whether it may go on. */
    void wake() {
        LockSupport.unpark(yielding);
    }

    /** While it is served: not to be served any longer than to the end of a packet. */
    void purge() {
        purged = true;
        wake();
    }

    boolean isPurged() {
        return purged;
    }

    /**
     * Of one that waits or gives way, whose client has nothing to say: whether it has ended.
     * Whatever it says instead ends it as well.
     */
    boolean isOver() {
        try {
            return channel.read(ByteBuffer.allocate(1)) != 0;
        } catch (IOException e) {
            return true;
        }
    }

    /**
     * Never waits: it is the first that is sent.
     *
     * @return whether the connection could take it
     */
    boolean answer(StageAnswer answer) {
        try {
            return channel.write(ByteBuffer.wrap(new byte[] {answer.code()})) == 1;
        } catch (IOException e) {
            return false;
        }
    }

    /** Wakes whoever reads or writes: to close a channel doesn't. */
    void shutDown() {
        try {
            channel.shutdownInput();
            channel.shutdownOutput();
        } catch (IOException e) {
            // It is down.
        }
    }

    void close() {
        state.set(State.ENDED);
        try {
            channel.close();
        } catch (IOException e) {
            // Nothing that could be kept.
        }
    }
}
