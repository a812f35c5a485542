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
import java.net.NoRouteToHostException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.hadoop.clone.hdfs.read.DuplicateReadStatistics.Counter;
import org.apache.hadoop.clone.hdfs.read.ReplicaReaders.Passage;
import org.apache.hadoop.clone.stage.Priority;
import org.apache.hadoop.fs.ChecksumException;
import org.apache.hadoop.fs.ReadOption;
import org.apache.hadoop.hdfs.BlockReader;
import org.apache.hadoop.hdfs.client.impl.BlockReaderRemote;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.shortcircuit.ClientMmap;
import org.apache.hadoop.io.IOUtils;
import org.apache.hadoop.util.DataChecksum;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads a range of a block for one caller: by stock's reader, in the caller's thread and into its
 * buffer, as if there were nothing else; and for each window that takes too long by a duplicate at
 * another DataNode. If that wins, the range is read on from there.
 *
 * <p>Each byte comes from one replica, whose checksums were verified. A primary's failure goes to
 * stock's stream as ever, which tries the next replica at once, and doesn't give way to anybody as
 * a duplicate would.
 */
final class RacedReader extends BufferReader {
    private static final Logger LOG = LoggerFactory.getLogger(RacedReader.class);

    private static final int FAILED = -2;

    /** What a reader needs of the stream that it is of. */
    interface Stream {
        /** Of its client. */
        ReplicaReaders readers();

        /**
         * A reader of a file of this host.
         *
         * @param from in the block
         * @return null if that replica is read through TCP
         */
        BlockReader openLocal(
                ReadBlock block, DatanodeInfo node, long from, long length, Connection connection)
                throws IOException;

        /** Whether a DataNode isn't to be read from. */
        boolean isDead(DatanodeInfo node);

        /** Where a duplicate goes only if it can go nowhere else. */
        List<DatanodeInfo> lastPlaces();

        /** A duplicate never had its turn there, or couldn't be read: go elsewhere next. */
        void ofNoHelp(List<DatanodeInfo> places);

        /** A replica is corrupt: nobody is to read there again. */
        void isCorrupt(DatanodeInfo node);

        /**
         * It may be this host that is: others weren't found to be better. Stock is to see for
         * itself, and to count it: where all seem to be corrupt it reports none.
         */
        void mayBeCorrupt(DatanodeInfo node);

        /** A replica is corrupt, and another one isn't. */
        void report(ReadBlock block, DatanodeInfo node);

        /** Null for a range of a block that is read as a whole, at once. */
        Pace pace();
    }

    /**
     * A replica that was found to be so.
     *
     * @param until in the block: what was asked of it
     */
    private record Corrupt(DatanodeInfo node, long until) {}

    private final Duplicates duplicates;
    private final ReadBlock block;
    private final Stream stream;
    private final Windows windows;
    private final DatanodeInfo chosen;
    private final InetSocketAddress chosenAddress;
    private final long end;
    private final Queue<Corrupt> corrupt = new ConcurrentLinkedQueue<>();
    private final PatientPeer.Reader caller = new Caller();

    private DatanodeInfo node;
    private InetSocketAddress address;
    private long position;
    private BlockReader primary;
    private Connection connection = newConnection();
    private WindowRace race;
    private long windowStart;
    private long windowBegan;
    private long windowEnd;
    private WindowCopy copy;
    private int distance;
    private boolean throughStage;
    private boolean stageFailed;

    /**
     * @param chosen by the stream, to be read from first
     * @param address its data transfer's
     * @param from in the block
     * @param length from 1
     */
    RacedReader(
            Duplicates duplicates,
            ReadBlock block,
            Stream stream,
            DatanodeInfo chosen,
            InetSocketAddress address,
            long from,
            long length) {
        super("block");
        this.duplicates = duplicates;
        this.block = block;
        this.stream = stream;
        this.chosen = chosen;
        this.node = chosen;
        this.address = address;
        this.chosenAddress = address;
        this.position = from;
        this.end = from + length;
        // More than all duplicates may fill would have none.
        int most =
                (int)
                        Math.min(
                                duplicates.settings().windowBytes(),
                                duplicates.threads().memory().mostBytes());
        this.windows = stream.pace() == null ? Windows.ofRange(most) : Windows.ofStream(most);
        beginWindow();
    }

    /**
     * Connects, and asks for the range.
     *
     * @throws IOException for stock's stream to handle. Nothing is left then
     */
    void open() throws IOException {
        boolean open = false;
        try {
            openPrimary();
            open = true;
        } finally {
            if (!open) {
                close();
            }
        }
    }

    /** Which is read from now. */
    DatanodeInfo node() {
        return node;
    }

    /** As stock's stream reads, of which records may be small: no buffer is made for each. */
    @Override
    public int read(byte[] to, int offset, int length) throws IOException {
        if (position < end && !hasCopy() && primary != null) {
            int read = readPrimary(to, offset, length);
            if (read != FAILED) {
                return read;
            }
        }
        return super.read(to, offset, length);
    }

    @Override
    public int read(ByteBuffer to) throws IOException {
        while (position < end) {
            if (hasCopy()) {
                return readCopy(to);
            }
            if (primary != null) {
                int read = readPrimary(to);
                if (read != FAILED) {
                    return read;
                }
            } else {
                openPrimary();
            }
        }
        return -1;
    }

    private int readCopy(ByteBuffer to) throws IOException {
        ByteBuffer rest = copy.from(position);
        rest.limit(rest.position() + Math.min(rest.remaining(), to.remaining()));
        int read = rest.remaining();
        to.put(rest);
        duplicates.statistics().add(Counter.BYTES_WON, read);
        advance(read);
        return read;
    }

    private boolean hasCopy() {
        if (copy == null) {
            takeCopy();
        }
        return copy != null;
    }

    // What was read; or that it goes on elsewhere.
    private int readPrimary(byte[] to, int offset, int length) throws IOException {
        beginUnnoticed();
        try {
            return got(primary.read(to, offset, length));
        } catch (IOException e) {
            onFailure(e);
            return FAILED;
        } finally {
            endUnnoticed();
        }
    }

    private int readPrimary(ByteBuffer to) throws IOException {
        beginUnnoticed();
        try {
            return got(primary.read(to));
        } catch (IOException e) {
            onFailure(e);
            return FAILED;
        } finally {
            endUnnoticed();
        }
    }

    private int got(int read) {
        if (read > 0) {
            advance(read);
        }
        return read;
    }

    // Where a connection notices its waits itself nothing is told here: a packet has hundreds of
    // small records.
    private void beginUnnoticed() {
        if (connection.isUnnoticed()) {
            caller.waits();
        }
    }

    private void endUnnoticed() {
        if (connection.isUnnoticed()) {
            caller.goesOn();
        }
    }

    private void openPrimary() throws IOException {
        throughStage = false; // what was before it may have been
        try {
            primary = stream.openLocal(block, node, position, end - position, connection);
            throughStage = primary == null && maybeQueues();
            if (throughStage) {
                primary = openStaged();
                throughStage = primary != null;
            }
            if (primary == null) {
                primary =
                        stream.readers()
                                .open(block, node, address, position, end - position, connection);
            }
            distance = primary.getNetworkDistance();
            race.primaryStarted();
        } catch (IOException e) {
            onFailure(e);
        } finally {
            endUnnoticed();
        }
    }

    private Connection newConnection() {
        return new Connection(caller);
    }

    private boolean maybeQueues() {
        return stream.pace() == null && !stageFailed && duplicates.queuesAt(node);
    }

    /**
     * Of a range only: a stream would have its place in the stage while its application is
     * elsewhere.
     *
     * @return null if it can't be had there
     */
    private BlockReader openStaged() throws IOException {
        Passage passage = new Passage(race.job(), Priority.PRIMARY, () -> {});
        int turnMillis = (int) duplicates.settings().stageWait().orElseThrow().toMillis();
        long asked = System.nanoTime();
        try {
            BlockReader staged =
                    stream.readers()
                            .openStaged(
                                    block,
                                    node,
                                    passage,
                                    turnMillis,
                                    position,
                                    end - position,
                                    connection);
            duplicates.hasStage(node);
            duplicates.statistics().count(Counter.STAGED);
            return staged;
        } catch (NoStageException e) {
            if (connection.hasEnded()) {
                throw e;
            }
            duplicates.hasNoStage(node, e);
        } catch (IOException e) {
            if (connection.hasEnded()) {
                throw e;
            }
            if (e instanceof SocketTimeoutException) {
                duplicates.stageSaysNothing(node, asked, e);
            }
            failedInStage(e);
        } catch (RuntimeException e) {
            failedInStage(e); // a socket's option that this system hasn't, for example
        }
        return null;
    }

    private void failedInStage(Exception failure) {
        stageFailed = true;
        duplicates.statistics().count(Counter.NOT_STAGED);
        LOG.debug("{} is read directly from {}", block.located().getBlock(), node, failure);
    }

    /** Returns if the duplicate has won, or the primary is to be opened anew. */
    private void onFailure(IOException failure) throws IOException {
        boolean isChecksum = failure instanceof ChecksumException;
        if (duplicateEndsIt()) {
            if (isChecksum) {
                isCorrupt(node, windowEnd);
            }
            takeCopy();
        } else if (race.wasPurgedInVain() && !isChecksum) {
            LOG.debug("{} is read on, as its duplicate has failed", node, failure);
            endPrimary();
        } else if (throughStage && !isChecksum) {
            failedInStage(failure);
            endPrimary();
        } else if (hasGoneOver() && !ReplicaReaders.isOfSecurity(failure)) {
            goBack(failure);
        } else {
            tellFailure(failure);
            throw failure;
        }
    }

    /**
     * Where it went on after a duplicate had won fails. The stream would take that for a failure of
     * the DataNode that it has chosen, and read the range again from its beginning.
     */
    private void goBack(IOException failure) {
        LOG.info(
                "{} is read at {} again: {}",
                block.located().getBlock(),
                chosen,
                failure.toString());
        if (failure instanceof ChecksumException) {
            isCorrupt(node, windowEnd);
        }
        stream.ofNoHelp(List.of(node));
        tellFailure(failure);
        race.over(position);
        node = chosen;
        address = chosenAddress;
        endPrimary();
        beginWindow();
    }

    /**
     * Only what is the DataNode's fault for all: no token that has expired, no read that was
     * cancelled.
     */
    private void tellFailure(IOException failure) {
        if (failure instanceof SocketTimeoutException
                || failure instanceof ConnectException
                || failure instanceof NoRouteToHostException) {
            race.primaryFailed();
        }
    }

    private void isCorrupt(DatanodeInfo at, long until) {
        corrupt.add(new Corrupt(at, until));
        stream.isCorrupt(at);
    }

    private boolean duplicateEndsIt() throws IOException {
        caller.waits();
        try {
            return race.awaitsDuplicate();
        } finally {
            caller.goesOn();
        }
    }

    private void takeCopy() {
        copy = race.takeCopy();
        if (copy != null) {
            closePrimary();
            node = copy.node();
            distance = stream.readers().distance(node);
        }
    }

    private void advance(long bytes) {
        position += bytes;
        if (position >= windowEnd) {
            endWindow();
            if (position < end) {
                beginWindow();
            }
        }
    }

    private void endWindow() {
        endUnnoticed();
        if (hasCopy()) {
            endCopy();
        } else if (stream.pace() != null && race.hadNoHelp()) {
            long waited = race.waitedNanos();
            long otherNanos = System.nanoTime() - windowBegan - waited;
            stream.pace().took(position - windowStart, waited, otherNanos);
        }
        tellPlaces();
        race.over(position);
        if (connection.hasEnded()) {
            // Also by a duplicate that was to be alone, and was too late.
            endPrimary();
        }
    }

    private void tellPlaces() {
        List<DatanodeInfo> places = race.ofNoHelp();
        if (!places.isEmpty()) {
            stream.ofNoHelp(places);
        }
    }

    private void endCopy() {
        copy.memory().give();
        copy = null;
        address = stream.readers().address(node);
        if (position < end) {
            duplicates.statistics().count(Counter.TAKEN_OVER);
        }
    }

    private void beginWindow() {
        windowStart = position;
        windowBegan = System.nanoTime();
        windowEnd = windows.next(position, end);
        Pace pace = stream.pace();
        long least = duplicates.settings().duplicate().delay().toNanos();
        race =
                new WindowRace(
                        duplicates,
                        node,
                        connection,
                        pace == null,
                        pace == null ? least : pace.patienceNanos(windowEnd - windowStart, least),
                        position,
                        duplicateOf(node, windowEnd));
        if (primary != null) {
            race.primaryStarted();
        }
    }

    private WindowRace.Sender duplicateOf(DatanodeInfo besides, long until) {
        return (of, from) -> {
            List<DatanodeInfo> places = duplicates.places(block, besides, stream::isDead);
            List<DatanodeInfo> last = new ArrayList<>(stream.lastPlaces());
            last.retainAll(places);
            places.removeAll(last);
            places.addAll(last);
            return places.isEmpty() || from >= until
                    ? null
                    : new DuplicateRead(
                            duplicates,
                            stream.readers(),
                            block,
                            places,
                            from,
                            (int) (until - from),
                            of,
                            at -> isCorrupt(at, until));
        };
    }

    @Override
    public long skip(long bytes) throws IOException {
        long wanted = Math.min(bytes, end - position);
        if (wanted <= 0) {
            return 0;
        }
        if (!hasCopy() && primary != null) {
            if (wanted <= primary.available() || !hasGoneOver()) {
                return skipPrimary(wanted);
            }
            endPrimary();
        }
        // Where it goes on is opened when it is read from.
        advance(wanted);
        return wanted;
    }

    private long skipPrimary(long wanted) throws IOException {
        beginUnnoticed();
        try {
            long skipped = primary.skip(wanted);
            advance(skipped);
            return skipped;
        } catch (IOException e) {
            onFailure(e);
            advance(wanted);
            return wanted;
        } finally {
            endUnnoticed();
        }
    }

    /**
     * How far a stream can seek without another reader, which would begin at the NameNode's first
     * replica again. Where a duplicate has won that is to the range's end.
     */
    @Override
    public int available() {
        return copy != null || primary == null || hasGoneOver()
                ? (int) Math.min(end - position, Integer.MAX_VALUE)
                : primary.available();
    }

    private boolean hasGoneOver() {
        return !node.equals(chosen);
    }

    /** Never throws: stock's positional read would go on with a buffer whose position has moved. */
    @Override
    public void close() {
        tellPlaces();
        race.over(position);
        if (copy != null) {
            copy.memory().give();
            copy = null;
        }
        closePrimary();
        for (Corrupt found = corrupt.poll(); found != null; found = corrupt.poll()) {
            if (position >= found.until()) {
                stream.report(block, found.node());
            } else {
                stream.mayBeCorrupt(found.node());
            }
        }
    }

    // Another can be opened then.
    private void endPrimary() {
        closePrimary();
        if (connection.hasEnded()) {
            connection = newConnection();
        }
    }

    private void closePrimary() {
        connection.release();
        if (primary == null) {
            return;
        }
        if (connection.hasEnded() && primary instanceof BlockReaderRemote) {
            // Not for the cache, which a reader that has all gives it to.
            IOUtils.cleanupWithLogger(LOG, ((BlockReaderRemote) primary).getPeer());
        }
        IOUtils.cleanupWithLogger(LOG, primary);
        primary = null;
    }

    @Override
    public boolean isShortCircuit() {
        return primary != null && primary.isShortCircuit();
    }

    @Override
    public ClientMmap getClientMmap(EnumSet<ReadOption> options) {
        return null;
    }

    @Override
    public DataChecksum getDataChecksum() {
        return primary == null ? null : primary.getDataChecksum();
    }

    @Override
    public int getNetworkDistance() {
        return distance;
    }

    /** Tells the window that is read of its caller's waits. */
    private final class Caller implements PatientPeer.Reader {
        @Override
        public void waits() {
            race.callerWaits(position, connection.isUnnoticed());
        }

        @Override
        public long patienceMillis() {
            return race.patienceMillis();
        }

        @Override
        public void outOfPatience() {
            race.outOfPatience();
        }

        @Override
        public void goesOn() {
            race.callerGoesOn();
        }
    }
}
