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
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.classification.InterfaceStability;
import org.apache.hadoop.clone.protocol.AppMasterClient;
import org.apache.hadoop.clone.protocol.SpillProtocol;
import org.apache.hadoop.clone.seam.HadoopLine;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.MapOutputCollector;
import org.apache.hadoop.mapred.MapTask;
import org.apache.hadoop.mapred.MapTask.MapOutputBuffer;
import org.apache.hadoop.mapred.SpillProgress;
import org.apache.hadoop.mapred.TaskAttemptID;
import org.apache.hadoop.mapreduce.JobContext;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The value for {@value org.apache.hadoop.mapreduce.MRJobConfig#MAP_OUTPUT_COLLECTOR_CLASS_ATTR}.
 * It is stock's collector wherever the AppMaster hasn't asked for per-spill outputs, or this node's
 * Hadoop isn't known: then the AppMaster has the map run again, without counting that as a failure.
 */
@InterfaceAudience.Public
@InterfaceStability.Evolving
public final class SpillCollector<K, V> implements MapOutputCollector<K, V> {
    private static final Logger LOG = LoggerFactory.getLogger(SpillCollector.class);

    /** Name of the thread that writes spills. */
    public static final String THREAD = "clone-spills";

    private static final float STOCK_SPILL_PERCENT = 0.8f;

    /** A task's JVM runs one map; whoever clones it has no other way to its collector. */
    private static volatile PerSpillCollector<?, ?> running;

    private static volatile Runnable atBoundary = () -> {};

    private MapOutputCollector<K, V> collector;

    @Override
    public void init(Context context) throws IOException, ClassNotFoundException {
        Optional<String> appMaster = SpillMarker.of(context.getMapTask().getJobID());
        if (appMaster.isEmpty() || !isPossible()) {
            collector = new MapOutputBuffer<>();
            collector.init(context);
        } else {
            PerSpillCollector<K, V> perSpill = perSpill(context, appMaster.get());
            perSpill.init(context);
            collector = perSpill;
            running = perSpill;
        }
    }

    private static boolean isPossible() {
        Optional<String> obstacle = HadoopLine.obstacleHere();
        if (obstacle.isPresent()) {
            LOG.error("No per-spill outputs of this map: {}", obstacle.get());
        }
        return obstacle.isEmpty();
    }

    /**
     * Has the map's thread run something whenever it has filled a spill and all before that are
     * published, and now and then while it waits for that.
     */
    public static void atBoundaries(Runnable hook) {
        atBoundary = hook;
    }

    /**
     * By the map's thread: how far it is from a boundary, but for a spill that is being written.
     * Empty if there are no per-spill outputs.
     */
    public static Optional<BoundaryDistance> toBoundary() {
        return Optional.ofNullable(running).map(PerSpillCollector::toBoundary);
    }

    /**
     * Whether the files of all spills that have been begun are complete and published. Asked by the
     * map's thread, between two records. True if there are no per-spill outputs.
     */
    public static boolean isQuiet() {
        PerSpillCollector<?, ?> collector = running;
        return collector == null || collector.isQuiet();
    }

    /**
     * Whether a spill is being sorted or written, and isn't held. False if there are no per-spill
     * outputs.
     */
    public static boolean isWriting() {
        PerSpillCollector<?, ?> collector = running;
        return collector != null && collector.isWriting();
    }

    /**
     * How far the spill is that {@linkplain #isWriting is being written}; it must be neither
     * combined nor compressed. Empty if it has no file, and if there are no per-spill outputs.
     */
    public static Optional<SpillProgress> progress() {
        return Optional.ofNullable(running).flatMap(PerSpillCollector::progress);
    }

    /** Whether a spill is being sorted. False if there are no per-spill outputs. */
    public static boolean isSorting() {
        PerSpillCollector<?, ?> collector = running;
        return collector != null && collector.sorts().isSorting();
    }

    /**
     * What {@link #holdSort} needs, until {@link #sortOn}, which must follow. Null if there are no
     * per-spill outputs.
     */
    public static Object newHold() {
        PerSpillCollector<?, ?> collector = running;
        return collector == null ? null : collector.sorts().newKey();
    }

    /**
     * By the map's thread: a spill that is being sorted stays as it is, in memory, from the next
     * step of its sort on; then it {@linkplain #isWriting isn't being written}.
     *
     * @param hold nothing happens if {@link #sortOn} was called since it was made
     */
    public static void holdSort(Object hold) {
        Optional.ofNullable(running).ifPresent(collector -> collector.holdSort(hold));
    }

    /** Harmless if no sort is held. */
    public static void sortOn() {
        Optional.ofNullable(running).ifPresent(collector -> collector.sorts().open());
    }

    /**
     * By any thread: the ids of spills of which files may be open just now, as stock's layout names
     * their directories. None if there are no per-spill outputs.
     */
    public static List<TaskAttemptID> underWay() {
        PerSpillCollector<?, ?> collector = running;
        return collector == null ? List.of() : collector.underWay();
    }

    private static <K, V> PerSpillCollector<K, V> perSpill(Context context, String appMaster)
            throws IOException {
        JobConf job = context.getJobConf();
        MapTask map = context.getMapTask();
        BufferPlan plan =
                new BufferPlan(
                        job.getInt(MRJobConfig.IO_SORT_MB, MRJobConfig.DEFAULT_IO_SORT_MB),
                        job.getFloat(JobContext.MAP_SORT_SPILL_PERCENT, STOCK_SPILL_PERCENT));
        SpillPublisher publisher =
                new SpillPublisher(
                        new AppMasterClient(appMaster, map.getJobID())
                                .connect(SpillProtocol.class, SpillProtocol.versionID, job),
                        map,
                        () -> atBoundary.run());
        return new PerSpillCollector<>(plan, publisher);
    }

    @Override
    public void collect(K key, V value, int partition) throws IOException, InterruptedException {
        collector.collect(key, value, partition);
    }

    @Override
    public void flush() throws IOException, InterruptedException, ClassNotFoundException {
        collector.flush();
    }

    @Override
    public void close() throws IOException, InterruptedException {
        collector.close();
    }
}
