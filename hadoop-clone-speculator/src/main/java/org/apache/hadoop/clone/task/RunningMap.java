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
package org.apache.hadoop.clone.task;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.apache.hadoop.clone.conf.CloneKeys;
import org.apache.hadoop.clone.shuffle.SpillCollector;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.MapTask.MapOutputBuffer;
import org.apache.hadoop.mapred.SpillProgress;
import org.apache.hadoop.mapred.TaskAttemptID;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The map that this process runs, as far as a clone of it is concerned. */
final class RunningMap extends RunningTask {
    private static final Logger LOG = LoggerFactory.getLogger(RunningMap.class);

    private static final String STOCK_COLLECTOR =
            "org.apache.hadoop.mapred.MapTask$MapOutputBuffer";

    private static final Set<String> COLLECTORS =
            Set.of(STOCK_COLLECTOR, SpillCollector.class.getName());

    /** Frames of the map's thread that are there while records are read, and at no other time. */
    private static final Set<String> RECORD_LOOPS =
            Set.of(
                    "org.apache.hadoop.mapred.MapTask.runNewMapper",
                    "org.apache.hadoop.mapred.MapTask.runOldMapper");

    private static final Set<String> NOT_RECORD_LOOPS =
            Set.of(
                    "org.apache.hadoop.mapred.MapTask.createSortingCollector",
                    "org.apache.hadoop.mapred.MapTask$MapOutputBuffer.flush",
                    "org.apache.hadoop.mapreduce.OutputCommitter.setupTask",
                    // A map without reduces opens or closes its output.
                    "org.apache.hadoop.mapred.MapTask$NewDirectOutputCollector.<init>",
                    "org.apache.hadoop.mapred.MapTask$NewDirectOutputCollector.close",
                    "org.apache.hadoop.mapred.MapTask$DirectMapOutputCollector.init",
                    "org.apache.hadoop.mapred.MapTask$DirectMapOutputCollector.close");

    /** After the last record. */
    private static final String LAST_SPILL = SpillCollector.class.getName() + ".flush";

    /** Part of a clone's time limit that a spill may take to end. */
    private static final int SPILL_SHARE = 4;

    private static final long SPILL_POLL_MILLIS = 10;

    private final RecordParking parking;
    private final TaskOutput output;

    RunningMap(Object task, JobConf job, Thread thread) {
        super(task, job, thread);
        parking = new RecordParking(new RecordHooks(HookWriter.MAP_RECORDS));
        output = new TaskOutput(task(), job);
    }

    @Override
    Optional<String> obstacle() throws IOException {
        String collector = job().get(MRJobConfig.MAP_OUTPUT_COLLECTOR_CLASS_ATTR, STOCK_COLLECTOR);
        if (hasReduces() && !COLLECTORS.contains(collector)) {
            return Optional.of("its output collector is " + collector);
        }
        if (!mayStop()) {
            return Optional.of("it isn't reading records now");
        }
        Optional<String> written = outputObstacle();
        return written.isPresent() ? written : lastingCompany();
    }

    private boolean hasReduces() {
        return job().getNumReduceTasks() > 0;
    }

    /** To HDFS, as all maps without reduces do, and others with MultipleOutputs. */
    private boolean writesItself() throws IOException {
        return !hasReduces() || output.isAny();
    }

    private Optional<String> outputObstacle() throws IOException {
        return writesItself() ? output.obstacle() : output.committerObstacle();
    }

    private boolean mayStop() {
        List<String> frames = frames();
        return frames.stream().anyMatch(RECORD_LOOPS::contains)
                && frames.stream().noneMatch(NOT_RECORD_LOOPS::contains)
                && (!frames.contains(LAST_SPILL) || isSortingLast());
    }

    /** In the midst of it nobody is parked whose user's resources would be closed. */
    private static boolean isSortingLast() {
        return SpillCollector.isSorting() && TaskHooks.RESOURCES.none();
    }

    @Override
    void prepare() {
        parking.prepare();
    }

    /**
     * At a record boundary at which none of its output is just being spilled; and if that is near,
     * at one at which the larger of the two buffers for per-spill outputs is garbage, and with it
     * most of what the process has in memory. Else a spill of these that is being sorted is held.
     */
    @Override
    Optional<String> park(long limitMillis, Patience patience)
            throws IOException, InterruptedException {
        long boundaryMillis =
                millis(CloneKeys.BOUNDARY_PATIENCE, CloneKeys.BOUNDARY_PATIENCE_DEFAULT);
        BoundaryWait wait = new BoundaryWait(TimeUnit.MILLISECONDS.toNanos(boundaryMillis));
        long spillMillis = millis(CloneKeys.TIME_LIMIT, CloneKeys.TIME_LIMIT_DEFAULT) / SPILL_SHARE;
        SpillWait spill = new SpillWait(spillMillis, limitMillis, patience);
        Object hold = SpillCollector.newHold();
        // The map may be standing still for a spill already, with its other buffer full.
        long fullMillis = isSpilled() ? spillMillis : 0;
        Optional<String> obstacle =
                parking.park(
                        () -> mayPark(wait, spill, hold),
                        fullMillis + boundaryMillis + limitMillis,
                        patience);
        if (obstacle.isPresent()) {
            SpillCollector.sortOn();
            return spill.inVain().or(() -> obstacle);
        }
        if (wait.atBoundary()) {
            HeapPages.giveBack();
        }
        return obstacle;
    }

    @Override
    Optional<String> hold(long limitMillis) throws IOException, InterruptedException {
        return writesItself() ? output.hold(limitMillis) : Optional.empty();
    }

    @Override
    TaskOutput output() {
        return output;
    }

    /**
     * Asked by the map's thread at each record boundary, so that what is quickly known comes first:
     * a map that has yet to go on goes on at its speed.
     */
    private static boolean mayPark(BoundaryWait wait, SpillWait spill, Object hold) {
        boolean mayStop =
                SpillCollector.toBoundary()
                        .map(distance -> wait.mayStop(distance, System.nanoTime()))
                        .orElse(true);
        if (!mayStop) {
            return false;
        }
        SpillCollector.holdSort(hold);
        spill.await();
        return isQuiet();
    }

    @Override
    void release() {
        try {
            output.release();
        } finally {
            SpillCollector.sortOn();
            parking.release();
        }
    }

    /**
     * Where processors are slow, as a straggler's often are, a spill takes long; and a map that ran
     * on would fill its other buffer meanwhile, so that the next spill began as this one ends. So
     * it stands still, and the spill is written the sooner. That may take so much time in all; then
     * the map runs on, and may be parked for some time yet. Once the spill is foreseen to take
     * longer than both, the clone isn't waited for: its container begins at zero now, and not when
     * its patience is over.
     *
     * <p>Used by the map's thread alone; what it says is read by others once that has been asked.
     */
    private final class SpillWait {
        private final long millis;
        private final long afterMillis;
        private final Patience patience;
        private final boolean isForeseeable = writesItsRecords();
        private Patience own;
        private Patience both;
        private String inVain;

        /**
         * @param millis for which the map stands still at most
         * @param afterMillis for which it may be parked after that
         */
        SpillWait(long millis, long afterMillis, Patience patience) {
            this.millis = millis;
            this.afterMillis = afterMillis;
            this.patience = patience;
        }

        void await() {
            SpillForecast forecast = null;
            while (inVain == null && isSpilled() && hasTime()) {
                if (forecast == null) {
                    forecast = new SpillForecast(System.nanoTime(), both.leftNanos());
                }
                if (isForeseeable) {
                    judge(forecast);
                }
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(SPILL_POLL_MILLIS));
            }
        }

        private boolean hasTime() {
            if (own == null) {
                LOG.info("Waits for its spill to end");
                own = new Patience(patience.atMost(millis));
                both = new Patience(patience.atMost(millis + afterMillis));
            }
            return !own.isOver();
        }

        private void judge(SpillForecast forecast) {
            spillProgress()
                    .flatMap(spill -> forecast.tooLong(spill, System.nanoTime()))
                    .ifPresent(this::giveUp);
        }

        private void giveUp(Duration left) {
            inVain =
                    "its spill would take another %d ms, and %d ms are left for it"
                            .formatted(left.toMillis(), both.leftMillis());
            parking.giveUp();
        }

        /** Why it was given up before its time was over; empty if it wasn't. */
        Optional<String> inVain() {
            return Optional.ofNullable(inVain);
        }
    }

    /** Of the spill that is being written. */
    private Optional<SpillProgress> spillProgress() {
        Optional<SpillProgress> ours = SpillCollector.progress();
        return ours.isPresent()
                ? ours
                : spilling().flatMap(buffer -> SpillProgress.of(buffer, task().getMapOutputFile()));
    }

    /**
     * A spill's file has the buffer's bytes: nothing, by either of Hadoop's APIs, makes them fewer.
     */
    private boolean writesItsRecords() {
        return job().getCombinerClass() == null
                && job().get(MRJobConfig.COMBINE_CLASS_ATTR) == null
                && !job().getCompressMapOutput();
    }

    /** Certain at a record boundary, if asked by the map's thread. */
    private static boolean isQuiet() {
        return SpillCollector.isQuiet() && !isSpilling();
    }

    private static boolean isSpilled() {
        return SpillCollector.isWriting() || isSpilling();
    }

    @Override
    boolean isWriting() {
        return isSpilled();
    }

    @Override
    boolean runsWhileParked() {
        return false;
    }

    private static boolean isSpilling() {
        return spilling().isPresent();
    }

    /** Stock's buffer, while its thread spills it. */
    private static Optional<MapOutputBuffer<?, ?>> spilling() {
        return spillThread()
                .<MapOutputBuffer<?, ?>>map(spill -> Hidden.SPILLED_BUFFER.get(spill))
                .filter(buffer -> Hidden.IS_SPILLING.get(buffer));
    }

    private static Optional<Thread> spillThread() {
        return Threads.all().stream()
                .filter(t -> t.getClass().getName().endsWith("MapOutputBuffer$SpillThread"))
                .findFirst();
    }

    @Override
    long outputBytes() throws IOException {
        return writesItself() ? output.bytesToCopy() : 0;
    }

    /** Its local files have been moved. */
    @Override
    void repair() throws IOException {
        output.repair();
    }

    @Override
    Path output(String localDir) {
        return output(localDir, attempt());
    }

    /** A published spill isn't the attempt's any more: {@link #isQuiet} waits for its end. */
    @Override
    Stream<Path> passingOutput(String localDir) {
        return SpillCollector.underWay().stream().map(spill -> output(localDir, spill));
    }

    /** The attempt's output below one of the application's local directories. */
    static Path output(String localDir, TaskAttemptID attempt) {
        return Path.of(localDir, "output", attempt.toString());
    }

    /** Spills are found by the attempt's id. */
    @Override
    void moveOutput(TaskAttemptID to) throws IOException {
        if (isSpilled()) {
            throw new IOException("it has begun a spill as its original");
        }
        for (String local : paths().localDirs()) {
            Path source = output(local);
            if (Files.exists(source)) {
                Files.move(source, output(local, to));
            }
        }
    }
}
