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

import java.io.Closeable;
import java.io.IOException;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.clone.hdfs.read.wire.StageAnswer;
import org.apache.hadoop.clone.stage.Copy;
import org.apache.hadoop.clone.stage.Priority;
import org.apache.hadoop.clone.stage.Server;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.XceiverDoor;
import org.apache.hadoop.hdfs.util.DataTransferThrottler;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The layer below the stages: a thread for each copy whose turn has come, in which Hadoop's own
 * xceiver serves it, as on the DataNode's own port.
 */
final class StagedXceivers implements Server<StagedRead>, Closeable {
    private static final Logger LOG = LoggerFactory.getLogger(StagedXceivers.class);

    /** Of the xceivers that a DataNode may have at once: the last ones are no duplicates'. */
    private static final Map<Priority, Double> SHARES =
            Map.of(Priority.PRIMARY, 1.0, Priority.DUPLICATE, 0.75);

    private final Xceivers xceivers;
    private final boolean handshake;
    private final StageMetrics metrics;
    private final long maxWaitMillis;
    private final Map<Priority, Starter> starters = new EnumMap<>(Priority.class);

    StagedXceivers(DataNode node, StageSettings settings, StageMetrics metrics) {
        this.xceivers = new Xceivers(node);
        this.handshake = XceiverDoor.hasHandshake(node);
        this.metrics = metrics;
        this.maxWaitMillis = settings.maxWaitMillis();
        starters.put(Priority.PRIMARY, new Starter("staged primaries"));
        Starter duplicates = new Starter("duplicates");
        if (settings.idle()) {
            duplicates.useIdleDisks();
        }
        starters.put(Priority.DUPLICATE, duplicates);
    }

    private static final class Xceivers extends XceiverDoor {
        private final ThreadLocal<YieldingThrottler> ofThread = new ThreadLocal<>();

        Xceivers(DataNode node) {
            super(node);
        }

        // Asked for once in each read, when the xceiver has taken its volume, before it sends.
        @Override
        public DataTransferThrottler getReadThrottler() {
            YieldingThrottler throttler = ofThread.get();
            throttler.begin();
            return throttler;
        }
    }

    @Override
    public void start(Copy<StagedRead> copy, Progress progress) {
        StagedRead read = copy.work();
        if (!read.starts()) {
            progress.failed();
            return;
        }
        if (!xceivers.hasRoom(SHARES.get(copy.priority()))) {
            metrics.turnedAway();
            read.answer(StageAnswer.TURNED_AWAY);
            giveUp(read, progress);
            return;
        }
        long waited = System.nanoTime() - copy.dispatchedNanos();
        metrics.started(TimeUnit.NANOSECONDS.toMillis(waited));
        if (!read.answer(StageAnswer.STARTED)) {
            metrics.purgedServed();
            giveUp(read, progress);
            return;
        }
        progress.started();
        try {
            starters.get(copy.priority()).execute(() -> startThread(read, progress));
        } catch (RejectedExecutionException | OutOfMemoryError e) {
            giveUp(read, progress);
        }
    }

    private void startThread(StagedRead read, Progress progress) {
        try {
            xceivers.thread(() -> serve(read, progress)).start();
        } catch (RuntimeException | OutOfMemoryError e) {
            // A DataNode that stops has a thread group to which none can be added.
            LOG.warn("No thread for a duplicate: {}", e.toString());
            giveUp(read, progress);
        }
    }

    private static void giveUp(StagedRead read, Progress progress) {
        read.close();
        progress.failed();
    }

    private void serve(StagedRead read, Progress progress) {
        YieldingThrottler throttler =
                new YieldingThrottler(
                        read,
                        progress,
                        metrics,
                        TimeUnit.MILLISECONDS.toNanos(maxWaitMillis),
                        xceivers.bandwidth());
        xceivers.ofThread.set(throttler);
        try {
            xceivers.xceiver(
                            new OneReadPeer(
                                    read.channel().socket(),
                                    (int) maxWaitMillis,
                                    handshake,
                                    progress::needsNoPlace,
                                    throttler::end))
                    .run();
        } catch (IOException | RuntimeException e) {
            LOG.debug("A duplicate couldn't be served", e);
        } finally {
            throttler.end();
            if (!throttler.isComplete()) {
                metrics.purgedServed();
            }
            giveUp(read, progress);
        }
    }

    @Override
    public void stop(Copy<StagedRead> copy) {
        copy.work().purge();
    }

    @Override
    public void close() {
        starters.values().forEach(Starter::close);
    }
}
