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
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.util.EnumSet;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.hadoop.fs.ReadOption;
import org.apache.hadoop.hdfs.BlockReader;
import org.apache.hadoop.hdfs.shortcircuit.ClientMmap;
import org.apache.hadoop.io.IOUtils;
import org.apache.hadoop.util.DataChecksum;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads a replica's file on this host, by stock's reader but in another thread: a read of a file
 * can't be ended, but whoever waits for it can be told to go on. What was given up ends when the
 * disk lets it, and closes its file then.
 */
final class LocalReader extends BufferReader {
    private static final Logger LOG = LoggerFactory.getLogger(LocalReader.class);

    /** What it reads at once, and so its memory. */
    private static final int MOST_BYTES = 1 << 20;

    /** Makes stock's reader. */
    @FunctionalInterface
    interface Opener {
        BlockReader open() throws IOException;
    }

    @FunctionalInterface
    private interface Work {
        int run() throws IOException;
    }

    private final Executor threads;
    private final Connection connection;
    private volatile BlockReader file;
    private boolean busy;
    private boolean closed;

    private LocalReader(Executor threads, Connection connection) {
        super("file");
        this.threads = threads;
        this.connection = connection;
    }

    /**
     * @param threads may refuse: the caller's reads then
     * @param connection whose end ends the wait for it, with a reader
     */
    static LocalReader open(Executor threads, Connection connection, Opener opener)
            throws IOException {
        LocalReader reader = new LocalReader(threads, connection);
        boolean open = false;
        try {
            reader.elsewhere(
                    () -> {
                        reader.file = opener.open();
                        return 0;
                    });
            open = true;
        } finally {
            if (!open) {
                reader.close();
            }
        }
        return reader;
    }

    @Override
    public int read(ByteBuffer to) throws IOException {
        // Never into the caller's: who reads may be given up, and go on writing.
        ByteBuffer own = ByteBuffer.allocate(Math.min(to.remaining(), MOST_BYTES));
        int read = elsewhere(() -> file.read(own));
        to.put(own.flip());
        return read;
    }

    private int elsewhere(Work work) throws IOException {
        CompletableFuture<Integer> done = new CompletableFuture<>();
        synchronized (this) {
            busy = true;
        }
        connection.endBy(() -> done.cancel(false));
        PatientPeer.Reader reader = connection.reader();
        reader.waits();
        try {
            start(work, done);
            return await(done, reader);
        } finally {
            reader.goesOn();
        }
    }

    private void start(Work work, CompletableFuture<Integer> done) {
        try {
            threads.execute(() -> run(work, done));
        } catch (RejectedExecutionException | OutOfMemoryError e) {
            // Too many wait for disks already.
            run(work, done);
        }
    }

    private void run(Work work, CompletableFuture<Integer> done) {
        try {
            int result = done.isDone() ? 0 : work.run();
            idle();
            done.complete(result);
        } catch (IOException | RuntimeException | Error e) {
            idle();
            done.completeExceptionally(e);
        }
    }

    private void idle() {
        boolean last;
        synchronized (this) {
            busy = false;
            last = closed;
        }
        if (last) {
            closeFile();
        }
    }

    private int await(CompletableFuture<Integer> done, PatientPeer.Reader reader)
            throws IOException {
        try {
            while (true) {
                long patience = reader.patienceMillis();
                if (patience == 0) {
                    return done.get();
                }
                try {
                    return done.get(patience, TimeUnit.MILLISECONDS);
                } catch (TimeoutException e) {
                    reader.outOfPatience();
                }
            }
        } catch (CancellationException e) {
            throw new IOException("given up, since a duplicate was faster", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while a local file was read");
        } catch (ExecutionException e) {
            throw failure(e.getCause());
        }
    }

    // As it would have been thrown here: stock's stream looks at its class.
    private static IOException failure(Throwable cause) {
        if (cause instanceof RuntimeException) {
            throw (RuntimeException) cause;
        }
        if (cause instanceof Error) {
            throw (Error) cause;
        }
        return (IOException) cause;
    }

    @Override
    public long skip(long bytes) throws IOException {
        return file.skip(bytes);
    }

    /** What can be skipped without going to the disk: stock's reader says all. */
    @Override
    public int available() {
        return file.available();
    }

    @Override
    public void close() {
        synchronized (this) {
            closed = true;
            if (busy) {
                return;
            }
        }
        closeFile();
    }

    private void closeFile() {
        IOUtils.cleanupWithLogger(LOG, file);
    }

    @Override
    public boolean isShortCircuit() {
        return file.isShortCircuit();
    }

    /** A mapped page that has to be read first can't be given up. */
    @Override
    public ClientMmap getClientMmap(EnumSet<ReadOption> options) {
        return null;
    }

    @Override
    public DataChecksum getDataChecksum() {
        return file.getDataChecksum();
    }

    @Override
    public int getNetworkDistance() {
        return file.getNetworkDistance();
    }
}
