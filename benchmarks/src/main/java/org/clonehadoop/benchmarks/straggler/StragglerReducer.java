package org.clonehadoop.benchmarks.straggler;

import java.io.IOException;
import org.apache.hadoop.mapreduce.Reducer;

/**
 * Hadoop's identity reducer with a {@link Slowdown}. For jobs that don't set a reducer, as
 * TeraSort: {@code -D mapreduce.job.reduce.class=} this.
 */
public final class StragglerReducer<K, V> extends Reducer<K, V, K, V> {
    private Brake brake;

    @Override
    protected void setup(Context context) {
        brake = Brake.on(new Slowdown(context.getConfiguration()), context::getTaskAttemptID);
    }

    @Override
    protected void reduce(K key, Iterable<V> values, Context context)
            throws IOException, InterruptedException {
        for (V value : values) {
            context.write(key, value);
            brake.press();
        }
    }
}
