package org.clonehadoop.benchmarks.straggler;

import java.io.IOException;
import org.apache.hadoop.mapreduce.Mapper;

/**
 * Hadoop's identity mapper with a {@link Slowdown}. For jobs that don't set a mapper, as TeraSort:
 * {@code -D mapreduce.job.map.class=} this.
 */
public final class StragglerMapper<K, V> extends Mapper<K, V, K, V> {
    private Brake brake;

    @Override
    protected void setup(Context context) {
        brake = Brake.on(new Slowdown(context.getConfiguration()), context::getTaskAttemptID);
    }

    @Override
    protected void map(K key, V value, Context context) throws IOException, InterruptedException {
        super.map(key, value, context);
        brake.press();
    }
}
