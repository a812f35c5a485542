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

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.apache.hadoop.clone.hdfs.read.DuplicateReadStatistics.Counter;
import org.apache.hadoop.clone.hdfs.read.ReplicaReaders.Passage;
import org.apache.hadoop.fs.ChecksumException;
import org.apache.hadoop.hdfs.BlockReader;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.io.IOUtils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A duplicate: reads a range of a block at another DataNode, through its stage. Where it can't, at
 * the next one: the primary's may be one that brings nothing for a minute.
 */
final class DuplicateRead implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(DuplicateRead.class);

    private final Duplicates duplicates;
    private final ReplicaReaders readers;
    private final ReadBlock block;
    private final List<DatanodeInfo> places;
    private final long from;
    private final int length;
    private final WindowRace race;
    private final Consumer<DatanodeInfo> corrupt;

    private Connection connection = new Connection(null);
    private boolean begun;
    private boolean purged;
    private final List<DatanodeInfo> failedAt = new CopyOnWriteArrayList<>();
    private volatile DatanodeInfo asked;
    private volatile boolean started;

    /**
     * @param places those that may have a stage; the first from which it can be read is
     * @param from in the block
     * @param corrupt told where a replica was found to be so
     */
    DuplicateRead(
            Duplicates duplicates,
            ReplicaReaders readers,
            ReadBlock block,
            List<DatanodeInfo> places,
            long from,
            int length,
            WindowRace race,
            Consumer<DatanodeInfo> corrupt) {
        this.duplicates = duplicates;
        this.readers = readers;
        this.block = block;
        this.places = places;
        this.from = from;
        this.length = length;
        this.race = race;
        this.corrupt = corrupt;
    }

    /** Not needed any more: it is never sent, or ends at once. */
    synchronized void purge() {
        if (!purged && !begun && duplicates.threads().remove(this)) {
            duplicates.statistics().count(Counter.NEVER_SENT);
        }
        purged = true;
        connection.end();
    }

    private synchronized boolean begin() {
        begun = true;
        return !purged;
    }

    private synchronized boolean isPurged() {
        return purged;
    }

    private synchronized Connection newConnection() {
        connection = new Connection(null);
        if (purged) {
            connection.end();
        }
        return connection;
    }

    /** Whose stage was asked for it, and hasn't failed; null if there is none. */
    DatanodeInfo asked() {
        return asked;
    }

    /**
     * Where it was of no help, though it was needed: it couldn't be read, or its turn didn't come.
     */
    List<DatanodeInfo> ofNoHelp() {
        List<DatanodeInfo> places = new ArrayList<>(failedAt);
        DatanodeInfo last = asked;
        if (last != null && !started) {
            places.add(last);
        }
        return places;
    }

    @Override
    public void run() {
        if (!begin()) {
            duplicates.statistics().count(Counter.NEVER_SENT);
            return;
        }
        boolean complete = false;
        try {
            complete = readIfThereIsMemory();
        } catch (IOException | RuntimeException | OutOfMemoryError e) {
            if (!isPurged()) {
                countFailure(e);
            }
        } finally {
            if (!complete) {
                race.duplicateFailed();
            }
        }
    }

    // Before anything else: its turn, a disk's time, and by some policies the primary are given for
    // what is read.
    private boolean readIfThereIsMemory() throws IOException {
        DuplicateMemory.Part memory =
                duplicates
                        .threads()
                        .memory()
                        .take(length)
                        .orElseThrow(() -> new IOException("there is no memory for it"));
        boolean wanted = false;
        try {
            wanted = readSomewhere(memory);
            return wanted;
        } finally {
            if (!wanted) {
                memory.give();
            }
        }
    }

    private boolean readSomewhere(DuplicateMemory.Part memory) throws IOException {
        for (DatanodeInfo place : places) {
            try {
                return read(place, memory);
            } catch (NoStageException e) {
                if (isPurged()) {
                    return false;
                }
                asked = null;
                duplicates.hasNoStage(place, e);
            } catch (IOException | RuntimeException e) {
                if (e instanceof ChecksumException) {
                    tellOfCorrupt(place, (ChecksumException) e);
                }
                if (isPurged()) {
                    return false;
                }
                failedAt(place, e);
                if (race.hasEndedPrimary()) {
                    return false; // nobody reads until that is read on
                }
            }
        }
        return false;
    }

    private void tellOfCorrupt(DatanodeInfo place, ChecksumException e) {
        LOG.warn(
                "Found checksum error for {} of {} from {} at {}, reading a duplicate",
                block.located().getBlock(),
                block.file(),
                place,
                e.getPos());
        corrupt.accept(place);
    }

    private void failedAt(DatanodeInfo place, Exception e) {
        failedAt.add(place);
        asked = null;
        started = false;
        countFailure(e);
    }

    private void countFailure(Throwable e) {
        duplicates.statistics().count(Counter.FAILED);
        LOG.debug("No duplicate of {} of {}", block.located().getBlock(), block.file(), e);
    }

    private boolean read(DatanodeInfo place, DuplicateMemory.Part memory) throws IOException {
        BlockReader reader = open(place);
        try {
            started = true;
            race.duplicateStarted();
            return read(place, reader, memory);
        } finally {
            IOUtils.cleanupWithLogger(LOG, reader);
        }
    }

    private boolean read(DatanodeInfo place, BlockReader reader, DuplicateMemory.Part memory)
            throws IOException {
        List<ByteBuffer> pieces = new ArrayList<>();
        int read = 0;
        boolean wanted = false;
        try {
            // One after the other: a large array is hard to find room for, and a duplicate that
            // gives way may never need it.
            while (read < length) {
                ByteBuffer piece = WindowCopy.piece(length - read);
                pieces.add(piece);
                while (piece.hasRemaining()) {
                    int some = reader.read(piece);
                    if (some <= 0) {
                        throw new EOFException(place + " has less of the block");
                    }
                    JobCounters.read(some);
                    read += some;
                }
                piece.flip();
            }
            wanted = race.duplicateCompleted(new WindowCopy(place, from, pieces, memory));
            return wanted;
        } finally {
            if (!wanted) {
                duplicates.statistics().add(Counter.BYTES_DISCARDED, read);
            }
        }
    }

    private BlockReader open(DatanodeInfo place) throws IOException {
        Passage passage =
                new Passage(
                        race.job(),
                        duplicates.settings().duplicate().priority(),
                        () -> asked(place));
        BlockReader reader =
                readers.openStaged(
                        block, place, passage, readers.mostMillis(), from, length, newConnection());
        duplicates.hasStage(place);
        return reader;
    }

    private void asked(DatanodeInfo place) {
        asked = place;
        duplicates.statistics().count(Counter.SENT);
    }
}
