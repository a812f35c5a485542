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
import java.net.InetSocketAddress;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.clone.hdfs.read.datanode.StagedRead.State;
import org.apache.hadoop.clone.hdfs.read.wire.StageAnswer;
import org.apache.hadoop.clone.hdfs.read.wire.StageHeader;
import org.apache.hadoop.clone.stage.Cascade;
import org.apache.hadoop.clone.stage.Priority;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The stage's port, and its one thread besides those of copies that are served: it accepts, reads
 * headers, sees which of those that wait or give way have ended, which is how a client purges, and
 * looks who else uses the disks. A thread for each that waits, looking for itself, would take more
 * of the processors than serving them.
 */
final class StageAcceptor implements Runnable, Closeable {
    private static final Logger LOG = LoggerFactory.getLogger(StageAcceptor.class);

    private static final int BACKLOG = 128;
    private static final int MILLIS_BETWEEN_PULSES = 1;
    // So that it is known who was there before the first duplicate came.
    private static final int MILLIS_BETWEEN_PULSES_WITHOUT_JOBS = 100;
    private static final long NANOS_BETWEEN_ROUNDS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long HEADER_NANOS = TimeUnit.SECONDS.toNanos(5);
    private static final long CLOSE_MILLIS = TimeUnit.SECONDS.toMillis(10);

    private final ServerSocketChannel listener;
    private final Selector selector;
    private final SelectionKey accepting;
    private final VolumeStages stages;
    private final StageSettings settings;
    private final StageMetrics metrics;
    private final Thread thread;
    private volatile boolean closing;
    private long lastRoundNanos;
    private boolean accepts = true;

    /**
     * Listens, but does nothing until it is {@link #start started}.
     *
     * @throws IOException if it can't have the port
     */
    StageAcceptor(
            InetSocketAddress address,
            VolumeStages stages,
            StageSettings settings,
            StageMetrics metrics)
            throws IOException {
        this.stages = stages;
        this.settings = settings;
        this.metrics = metrics;
        this.listener = ServerSocketChannel.open();
        try {
            listener.bind(address, BACKLOG);
            listener.configureBlocking(false);
            this.selector = Selector.open();
        } catch (IOException e) {
            listener.close();
            throw e;
        }
        this.accepting = listener.register(selector, SelectionKey.OP_ACCEPT);
        this.lastRoundNanos = System.nanoTime();
        this.thread = new Thread(this, "Stage of duplicate reads at port " + address.getPort());
        thread.setDaemon(true);
    }

    void start() {
        // Before anybody comes, so that whoever does is seen.
        stages.refresh();
        stages.pulse(false);
        thread.start();
    }

    @Override
    public void run() {
        try {
            while (!closing) {
                selector.select(this::handleAlone, pause());
                stages.pulse(hasJobs());
                wakeThoseThatMayGoOn();
                makeRounds();
            }
        } catch (IOException | RuntimeException | Error e) {
            LOG.error("No more duplicates are served here, all else goes on", e);
        } finally {
            end();
        }
    }

    private boolean hasJobs() {
        return selector.keys().size() > 1;
    }

    private int pause() {
        return hasJobs() ? MILLIS_BETWEEN_PULSES : MILLIS_BETWEEN_PULSES_WITHOUT_JOBS;
    }

    private void handle(SelectionKey key) {
        if (key == accepting) {
            acceptAll();
            return;
        }
        StagedRead read = (StagedRead) key.attachment();
        switch (read.state()) {
            case ANNOUNCED -> readHeader(read);
            case WAITING, YIELDING -> {
                if (read.isOver()) {
                    purge(read);
                }
            }
            default -> {} // its xceiver reads
        }
    }

    /** Whatever comes of one connection is its own. */
    private void handleAlone(SelectionKey key) {
        try {
            handle(key);
        } catch (CancelledKeyException e) {
            LOG.debug("A connection has ended", e);
        } catch (RuntimeException e) {
            LOG.warn("A connection is closed, and no other", e);
            if (key.attachment() instanceof StagedRead read) {
                read.close();
            }
        }
    }

    private void acceptAll() {
        try {
            for (SocketChannel next = listener.accept(); next != null; next = listener.accept()) {
                accepts = true;
                accept(next);
            }
        } catch (IOException e) {
            // Out of descriptors, most likely: it would say so again at once, and each round.
            if (accepts) {
                LOG.warn("No duplicate can be accepted for now: {}", e.toString());
            }
            accepts = false;
            accepting.interestOps(0);
        }
    }

    private void accept(SocketChannel channel) {
        boolean taken = false;
        try {
            channel.configureBlocking(false);
            // Of each priority as many as may wait, and as many that haven't said why they come.
            if (selector.keys().size() > (Priority.values().length + 1) * (long) settings.queue()) {
                return;
            }
            SelectionKey key = channel.register(selector, SelectionKey.OP_READ);
            key.attach(new StagedRead(channel, key, System.nanoTime()));
            taken = true;
        } catch (IOException e) {
            LOG.debug("A connection ended before it was accepted", e);
        } finally {
            if (!taken) {
                closeQuietly(channel);
            }
        }
    }

    private void readHeader(StagedRead read) {
        try {
            Optional<StageHeader> header = read.readHeader();
            if (header.isPresent()) {
                dispatch(read, header.get());
            }
        } catch (IOException e) {
            LOG.debug("No job at {}: {}", read.channel(), e.getMessage());
            read.close();
        }
    }

    private void dispatch(StagedRead read, StageHeader header) throws IOException {
        Optional<Place> place = stages.place(header);
        if (place.isEmpty() || isFull(header.priority())) {
            turnAway(read);
            return;
        }
        read.waits(header, place.get(), settings.trafficClass(), System.nanoTime());
        metrics.queued();
        if (!read.place().stage().dispatch(read.copy())) {
            turnAway(read);
        }
    }

    private boolean isFull(Priority priority) {
        return selector.keys().size() > settings.queue()
                && reads(State.WAITING).stream()
                                .filter(read -> read.copy().priority() == priority)
                                .count()
                        >= settings.queue();
    }

    private List<StagedRead> reads(State state) {
        List<StagedRead> found = new ArrayList<>();
        for (SelectionKey key : selector.keys()) {
            if (key.attachment() instanceof StagedRead read && read.state() == state) {
                found.add(read);
            }
        }
        return found;
    }

    private void turnAway(StagedRead read) {
        if (read.leaves()) {
            metrics.turnedAway();
            read.answer(StageAnswer.TURNED_AWAY);
            read.close();
        }
    }

    private void purge(StagedRead read) {
        boolean waited = read.leaves();
        read.place().stage().purge(copy -> copy.work() == read, Cascade.YES);
        if (waited) {
            metrics.purgedWaiting();
            read.close();
        }
    }

    private void wakeThoseThatMayGoOn() {
        if (hasJobs()) {
            for (StagedRead read : reads(State.YIELDING)) {
                if (read.place().stage().mayGoOn(read.copy())) {
                    read.wake();
                }
            }
        }
    }

    /** What need not be done with each pulse. */
    private void makeRounds() {
        long now = System.nanoTime();
        if (now - lastRoundNanos < NANOS_BETWEEN_ROUNDS) {
            return;
        }
        lastRoundNanos = now;
        accepting.interestOps(SelectionKey.OP_ACCEPT);
        metrics.level(stages.level());
        stages.refresh();
        for (StagedRead read : reads(State.ANNOUNCED)) {
            if (read.ageNanos(now) > HEADER_NANOS) {
                read.close();
            }
        }
        long mostNanos = TimeUnit.MILLISECONDS.toNanos(settings.maxWaitMillis());
        for (StagedRead read : reads(State.WAITING)) {
            if (now - read.copy().dispatchedNanos() > mostNanos && read.leaves()) {
                read.place().stage().purge(copy -> copy.work() == read, Cascade.NO);
                metrics.turnedAway();
                read.answer(StageAnswer.TURNED_AWAY);
                read.close();
            }
        }
    }

    private void end() {
        if (!selector.isOpen()) {
            return;
        }
        closeQuietly(listener);
        for (StagedRead read : reads(State.ANNOUNCED)) {
            read.close();
        }
        for (StagedRead read : reads(State.WAITING)) {
            purge(read);
        }
        for (State served : List.of(State.SERVED, State.YIELDING)) {
            for (StagedRead read : reads(served)) {
                read.purge();
                read.shutDown();
            }
        }
        closeQuietly(selector);
    }

    private static void closeQuietly(Closeable what) {
        try {
            what.close();
        } catch (IOException e) {
            LOG.debug("Can't close {}", what, e);
        }
    }

    /** Ends all of it, and waits for that. */
    @Override
    public void close() {
        closing = true;
        if (thread.getState() == Thread.State.NEW) {
            end();
            return;
        }
        selector.wakeup();
        try {
            thread.join(CLOSE_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
