package org.apache.hadoop.clone.shuffle;

import java.io.IOException;
import org.apache.hadoop.clone.protocol.SpillProtocol;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.MapOutputCollector;
import org.apache.hadoop.mapred.MapTask;
import org.apache.hadoop.mapred.MapTask.MapOutputBuffer;
import org.apache.hadoop.mapreduce.JobContext;
import org.apache.hadoop.mapreduce.MRJobConfig;

/**
 * The value for {@value org.apache.hadoop.mapreduce.MRJobConfig#MAP_OUTPUT_COLLECTOR_CLASS_ATTR}.
 * It is stock's collector wherever the AppMaster hasn't asked for per-spill outputs.
 */
public final class SpillCollector<K, V> implements MapOutputCollector<K, V> {
    /** Name of the thread that writes spills. */
    public static final String THREAD = "clone-spills";

    private static final float STOCK_SPILL_PERCENT = 0.8f;

    /** A task's JVM runs one map; whoever clones it has no other way to its collector. */
    private static volatile PerSpillCollector<?, ?> running;

    private MapOutputCollector<K, V> collector;

    @Override
    public void init(Context context) throws IOException, ClassNotFoundException {
        String appMaster = System.getenv(SpillProtocol.ADDRESS);
        collector = appMaster == null ? new MapOutputBuffer<>() : perSpill(context, appMaster);
        collector.init(context);
    }

    /**
     * Whether the files of all spills that have been begun are complete and published. Asked by the
     * map's thread, between two records. True if there are no per-spill outputs.
     */
    public static boolean isQuiet() {
        PerSpillCollector<?, ?> collector = running;
        return collector == null || collector.isQuiet();
    }

    private static <K, V> MapOutputCollector<K, V> perSpill(Context context, String appMaster)
            throws IOException {
        JobConf job = context.getJobConf();
        MapTask map = context.getMapTask();
        BufferPlan plan =
                new BufferPlan(
                        job.getInt(MRJobConfig.IO_SORT_MB, MRJobConfig.DEFAULT_IO_SORT_MB),
                        job.getFloat(JobContext.MAP_SORT_SPILL_PERCENT, STOCK_SPILL_PERCENT));
        return new PerSpillCollector<>(
                plan, new SpillPublisher(SpillClient.connect(appMaster, map.getJobID(), job), map));
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
