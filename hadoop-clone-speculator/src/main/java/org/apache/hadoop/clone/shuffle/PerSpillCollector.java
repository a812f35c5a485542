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
package org.apache.hadoop.clone.shuffle;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.IntStream;
import org.apache.hadoop.clone.protocol.SpillNotice;
import org.apache.hadoop.mapred.MapOutputCollector;
import org.apache.hadoop.mapred.MapTask;
import org.apache.hadoop.mapred.SpillProgress;
import org.apache.hadoop.mapred.SpillTask;
import org.apache.hadoop.mapred.TaskAttemptID;
import org.apache.hadoop.mapred.TaskStatus;

/**
 * Cuts a map's output into spills by what it has counted, and publishes each as soon as it is on
 * disk. One thread writes spills, one after the other, while the mapper fills the next.
 */
final class PerSpillCollector<K, V> implements MapOutputCollector<K, V> {
    private static final long LOOK_MILLIS = 200;

    private final BufferPlan plan;
    private final SpillSink sink;
    private final SortGate sorts = new SortGate();
    private final ExecutorService writer =
            Executors.newSingleThreadExecutor(work -> new UserThread(SpillCollector.THREAD, work));
    private Context map;
    private SpillTask spillTask;
    private SpillIds ids;
    private SpillChain chains;
    private OpenSpill<K, V> open;
    private boolean isFull; // the open one: it is cut before the next record is taken
    private volatile Future<?> writing;
    private volatile OpenSpill<K, V> written; // what the writing thread is at
    private volatile int spills;
    private volatile long largeNanos = BoundaryDistance.UNKNOWN;
    private volatile long writingSince;
    private long chain = SpillNotice.NO_CHAIN;

    PerSpillCollector(BufferPlan plan, SpillSink sink) {
        this.plan = plan;
        this.sink = sink;
    }

    @Override
    public void init(Context context) {
        map = context;
        spillTask = new SpillTask(context.getMapTask());
        ids = new SpillIds(context.getMapTask().getTaskID(), context.getJobConf().getNumMapTasks());
        chains = new SpillChain(context.getJobConf());
    }

    /** One that is interrupted hasn't taken the record, as stock's hasn't. */
    @Override
    public synchronized void collect(K key, V value, int partition)
            throws IOException, InterruptedException {
        if (isFull) {
            awaitWriter();
            sink.full();
            cut();
        }
        if (open == null) {
            open = begin();
        }
        isFull = open.collect(key, value, partition);
    }

    /** Stock makes its one buffer before there is a mapper that could be interrupted. */
    private OpenSpill<K, V> begin() throws IOException {
        boolean interrupted = Thread.interrupted();
        try {
            return new OpenSpill<>(
                    map, spillTask, place(), plan.megabytes(spills), plan.limit(spills));
        } catch (ClassNotFoundException e) {
            throw new IOException("No buffer for spill " + spills, e);
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** In a clone the attempt's id is another than when the spill was begun. */
    private SpillPlace place() {
        TaskAttemptID attempt = map.getMapTask().getTaskID();
        int spill = spills;
        Future<?> before = writing;
        return new SpillPlace(
                () -> id(attempt, spill), map.getJobConf(), () -> await(before, () -> {}));
    }

    private TaskAttemptID id(TaskAttemptID attempt, int spill) {
        return ids.of(attempt.getTaskID().getId(), spill, attempt.getId());
    }

    private void cut() throws IOException, InterruptedException {
        awaitWriter();
        OpenSpill<K, V> full = open;
        int index = spills;
        open = null;
        isFull = false;
        spills++;
        writing = writer.submit(() -> write(full, index));
    }

    /** By the writing thread. */
    private Void write(OpenSpill<K, V> full, int index)
            throws IOException, ClassNotFoundException, InterruptedException {
        writingSince = System.nanoTime();
        written = full;
        try {
            full.write(sorts);
        } finally {
            written = null; // its buffer is garbage
        }
        long before = chain;
        SpillChain.Link link = chains.next(before, full.records(), full.place().files());
        chain = link.chain();
        sink.finished(new SpillNotice(index, before, chain, full.place().servedAs(), link.bytes()));
        if (!plan.isSmaller(index) && !sorts.hasEverHeld()) {
            largeNanos = System.nanoTime() - writingSince;
        }
        return null;
    }

    /** Whether nothing is being written, and nothing of the open spill is on disk. */
    synchronized boolean isQuiet() {
        return !isWriting() && (open == null || !open.hasFiles());
    }

    /**
     * By any thread; the mapper's may be waiting for it in {@link #collect}. A sort that is held
     * writes nothing.
     */
    boolean isWriting() {
        Future<?> last = writing;
        return last != null && !last.isDone() && !sorts.isHeld();
    }

    /** By any thread: how far the spill is that {@link #isWriting is being written}. */
    Optional<SpillProgress> progress() {
        return Optional.ofNullable(written).flatMap(OpenSpill::progress);
    }

    /** What spills pass while they are sorted. */
    SortGate sorts() {
        return sorts;
    }

    /**
     * By the mapper's thread: holds a spill that is being sorted, if the open one has no files,
     * which would have to be waited for.
     */
    synchronized void holdSort(Object key) {
        if (open == null || !open.hasFiles()) {
            sorts.close(key);
        }
    }

    /**
     * By any thread: ids of spills of which files may be open just now. That is the one that is
     * being written, and the next one, of which a record may be too large for its buffer.
     */
    List<TaskAttemptID> underWay() {
        TaskAttemptID attempt = map.getMapTask().getTaskID();
        int next = spills;
        return IntStream.rangeClosed(Math.max(0, next - 1), next)
                .mapToObj(spill -> id(attempt, spill))
                .toList();
    }

    /**
     * How far the mapper is from a boundary, but for a spill that is being written; by its thread.
     */
    synchronized BoundaryDistance toBoundary() {
        if (open == null || plan.isSmaller(spills)) {
            return isWriting() ? untilWritten() : BoundaryDistance.NONE;
        }
        return new BoundaryDistance(isFull ? 0 : Math.max(1, open.left()), largeNanos);
    }

    private BoundaryDistance untilWritten() {
        long since = System.nanoTime() - writingSince;
        return new BoundaryDistance(
                0,
                largeNanos == BoundaryDistance.UNKNOWN
                        ? BoundaryDistance.UNKNOWN
                        : Math.max(1, largeNanos - since));
    }

    /** After it the mapper sees what the writing thread has done. */
    private void awaitWriter() throws IOException, InterruptedException {
        await(writing, this::waits);
        writing = null;
    }

    /** When the last spill is sorted nothing is left that a clone could do sooner. */
    private void waits() {
        if (open != null || sorts.isSorting()) {
            sink.waits();
        }
    }

    /**
     * @param write null if there is nothing to be awaited
     * @param meanwhile run now and then
     */
    private void await(Future<?> write, Runnable meanwhile)
            throws IOException, InterruptedException {
        while (write != null) {
            try {
                write.get(LOOK_MILLIS, TimeUnit.MILLISECONDS);
                return;
            } catch (TimeoutException e) {
                map.getReporter().progress();
                meanwhile.run();
            } catch (ExecutionException e) {
                throw new IOException("Spill failed", e.getCause());
            }
        }
    }

    /**
     * Stock flushes after a mapper that has failed as well. What is open then is not a spill that
     * another attempt would have, so it isn't published.
     */
    @Override
    public synchronized void flush() throws IOException, InterruptedException {
        MapTask task = map.getMapTask();
        if (task.getPhase() != TaskStatus.Phase.SORT) {
            return;
        }
        if (open != null) {
            cut();
        }
        awaitWriter();
        sink.ended(spills, chain);
        spillTask.endSpills();
        task.getSortPhase().complete();
    }

    @Override
    public synchronized void close() {
        writer.shutdownNow();
    }
}
