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

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.hadoop.clone.stage.Server;
import org.apache.hadoop.hdfs.util.Canceler;
import org.apache.hadoop.hdfs.util.DataTransferThrottler;

/**
 * What an xceiver asks after each packet, stock's place for bandwidth: here a duplicate gives way,
 * for as long as anybody else is there. Of one read, and its thread's alone.
 */
final class YieldingThrottler extends DataTransferThrottler {
    /** The last packet of a read has no bytes, only the checksums' length (BlockSender). */
    private static final long EMPTY_PACKET = 4;

    private final StagedRead read;
    private final Server.Progress progress;
    private final StageMetrics metrics;
    private final long maxWaitNanos;
    private final DataTransferThrottler bandwidth;
    private boolean holds;
    private boolean complete;

    /**
     * @param bandwidth that all reads of the stage share; or null
     */
    YieldingThrottler(
            StagedRead read,
            Server.Progress progress,
            StageMetrics metrics,
            long maxWaitNanos,
            DataTransferThrottler bandwidth) {
        super(1); // which nobody looks at
        this.read = read;
        this.progress = progress;
        this.metrics = metrics;
        this.maxWaitNanos = maxWaitNanos;
        this.bandwidth = bandwidth;
    }

    /**
     * The xceiver holds its volume now, and is about to send the first packet. A primary is
     * somebody else to all duplicates, whichever port it came by.
     */
    void begin() {
        if (!holds && read.isDuplicate()) {
            holds = true;
            read.place().begin();
            awaitTurn();
        }
    }

    /** Nothing more will be read. Harmless if that is known. */
    void end() {
        if (holds) {
            holds = false;
            read.place().end();
        }
    }

    /** Whether all was sent. */
    boolean isComplete() {
        return complete;
    }

    @Override
    public void throttle(long bytes) {
        throttle(bytes, null);
    }

    @Override
    public void throttle(long bytes, Canceler canceler) {
        metrics.served(bytes);
        progress.served(bytes);
        if (bytes <= EMPTY_PACKET) {
            complete = true;
            end();
            progress.ended();
            return;
        }
        if (bandwidth != null) {
            bandwidth.throttle(bytes, canceler);
        }
        awaitTurn();
    }

    private void awaitTurn() {
        if (!read.isPurged() && read.place().stage().mayGoOn(read.copy())) {
            return;
        }
        long began = System.nanoTime();
        read.yields();
        metrics.yields();
        boolean goesOn = yieldSince(began);
        metrics.yielded(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began));
        read.goesOn();
        if (!goesOn) {
            end();
            // The next packet finds a broken pipe. An interrupt would be an error to BlockSender
            // if it hasn't sent any yet (ClosedByInterruptException of its file).
            read.shutDown();
        }
    }

    private boolean yieldSince(long began) {
        while (!read.isPurged() && !Thread.currentThread().isInterrupted()) {
            if (read.place().stage().mayGoOn(read.copy())) {
                return true;
            }
            long left = began + maxWaitNanos - System.nanoTime();
            if (left <= 0) {
                return false;
            }
            LockSupport.parkNanos(this, left);
        }
        return false;
    }
}
