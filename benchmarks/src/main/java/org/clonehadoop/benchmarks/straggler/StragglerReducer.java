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
