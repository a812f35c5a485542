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
package org.apache.hadoop.clone.appmaster;

import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.DataOutput;
import java.io.EOFException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.zip.CRC32;
import org.apache.hadoop.clone.protocol.SpillNotice;
import org.apache.hadoop.clone.shuffle.PublishedSpill;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.DataOutputBuffer;
import org.apache.hadoop.io.IOUtils;
import org.apache.hadoop.io.WritableUtils;
import org.apache.hadoop.mapred.JobID;
import org.apache.hadoop.mapred.TaskAttemptID;
import org.apache.hadoop.mapred.TaskID;
import org.apache.hadoop.mapreduce.TaskType;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where the outputs of maps are that have succeeded, in a file for the AppMaster that takes this
 * one's place. A thread of its own writes it. What can't be written or read costs those maps
 * another run after a restart, and nothing else.
 */
final class SpillJournal implements Closeable {
    private static final Logger LOG = LoggerFactory.getLogger(SpillJournal.class);

    /** What a file begins with; another number for another format. */
    private static final int FORMAT = 0x53504c01;

    /** Maps that wait to be written; where the file system answers so late, others are left out. */
    private static final int MOST_WAITING = 100_000;

    /** Some 50 bytes a spill, and a bit for each partition if some are empty. */
    private static final long MOST_BYTES = 256L << 20;

    /** The file system may not answer any more. */
    private static final long CLOSE_SECONDS = 5;

    private final FileSystem files;
    private final Path path;
    private final ThreadPoolExecutor writer;
    private FSDataOutputStream out;
    private boolean broken;

    /**
     * @param path is written anew with the first map that succeeds
     */
    SpillJournal(FileSystem files, Path path) {
        this.files = files;
        this.path = path;
        writer =
                new ThreadPoolExecutor(
                        1,
                        1,
                        0,
                        TimeUnit.SECONDS,
                        new LinkedBlockingQueue<>(MOST_WAITING),
                        work -> {
                            Thread thread = new Thread(work, "spill-journal");
                            thread.setDaemon(true);
                            return thread;
                        },
                        new ThreadPoolExecutor.DiscardPolicy());
    }

    /**
     * A map has succeeded by the attempt. Returns at once.
     *
     * @param output is asked for when it is written; empty if it has been lost meanwhile
     */
    void succeeded(TaskAttemptID attempt, Supplier<Optional<List<PublishedSpill>>> output) {
        writer.execute(() -> write(attempt, output));
    }

    private void write(TaskAttemptID attempt, Supplier<Optional<List<PublishedSpill>>> output) {
        if (broken) {
            return;
        }
        try {
            Optional<List<PublishedSpill>> spills = output.get();
            if (spills.isPresent()) {
                append(attempt, spills.get());
            }
            // All that wait are flushed together.
            if (out != null && writer.getQueue().isEmpty()) {
                out.hflush();
            }
        } catch (IOException | RuntimeException e) {
            broken = true;
            LOG.warn("Maps that succeed from now on run again if this AppMaster is restarted", e);
        }
    }

    private void append(TaskAttemptID attempt, List<PublishedSpill> spills) throws IOException {
        if (out == null) {
            out = files.create(path, true);
            out.writeInt(FORMAT);
        }
        DataOutputBuffer entry = new DataOutputBuffer();
        writeEntry(entry, attempt, spills);
        if (out.getPos() + entry.getLength() > MOST_BYTES) {
            throw new IOException(path + " would be larger than " + MOST_BYTES + " bytes");
        }
        out.writeInt(entry.getLength());
        out.write(entry.getData(), 0, entry.getLength());
        out.writeInt(checksum(entry.getData(), entry.getLength()));
    }

    private static void writeEntry(
            DataOutput entry, TaskAttemptID attempt, List<PublishedSpill> spills)
            throws IOException {
        entry.writeInt(attempt.getTaskID().getId());
        entry.writeInt(attempt.getId());
        entry.writeInt(spills.size());
        for (PublishedSpill spill : spills) {
            entry.writeInt(spill.attempt());
            spill.notice().write(entry);
            WritableUtils.writeString(entry, spill.host());
        }
    }

    private static int checksum(byte[] bytes, int length) {
        CRC32 crc = new CRC32();
        crc.update(bytes, 0, length);
        return (int) crc.getValue();
    }

    /** Writes what waits, unless that takes long. */
    @Override
    public void close() {
        writer.shutdown();
        try {
            if (writer.awaitTermination(CLOSE_SECONDS, TimeUnit.SECONDS)) {
                IOUtils.cleanupWithLogger(LOG, out);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * What such a file says of a job's maps, up to where it was cut off or damaged.
     *
     * @return by the attempt that has succeeded; the caller's
     */
    static Map<TaskAttemptID, List<PublishedSpill>> read(FileSystem files, Path path, JobID job) {
        Map<TaskAttemptID, List<PublishedSpill>> outputs = new HashMap<>();
        try (DataInputStream in = new DataInputStream(new BufferedInputStream(files.open(path)))) {
            if (in.readInt() != FORMAT) {
                throw new IOException("written by another version");
            }
            while (true) {
                readEntry(in, job, outputs);
            }
        } catch (FileNotFoundException e) {
            LOG.info("No map had succeeded: there is no {}", path);
        } catch (EOFException e) {
            LOG.info("{} has the outputs of {} maps", path, outputs.size());
        } catch (IOException | RuntimeException e) {
            LOG.warn("Of {} only {} maps can be read", path, outputs.size(), e);
        }
        return outputs;
    }

    private static void readEntry(
            DataInputStream in, JobID job, Map<TaskAttemptID, List<PublishedSpill>> outputs)
            throws IOException {
        byte[] bytes = in.readNBytes(in.readInt());
        if (in.readInt() != checksum(bytes, bytes.length)) {
            throw new IOException("damaged");
        }
        DataInputStream entry = new DataInputStream(new ByteArrayInputStream(bytes));
        TaskID map = new TaskID(job, TaskType.MAP, entry.readInt());
        TaskAttemptID attempt = new TaskAttemptID(map, entry.readInt());
        List<PublishedSpill> spills = new ArrayList<>();
        for (int left = entry.readInt(); left > 0; left--) {
            int publisher = entry.readInt();
            SpillNotice notice = new SpillNotice();
            notice.readFields(entry);
            spills.add(new PublishedSpill(publisher, notice, WritableUtils.readString(entry)));
        }
        outputs.put(attempt, spills);
    }
}
