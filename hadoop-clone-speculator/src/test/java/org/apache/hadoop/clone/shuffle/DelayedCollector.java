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
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import org.apache.hadoop.mapred.MapOutputCollector;

/** Holds the mapper up now and then, so that the threads beside it come to other points. */
final class DelayedCollector<K, V> implements MapOutputCollector<K, V> {
    private static final int RARELY = 2000;
    private static final int MOST_NANOS = 3_000_000;

    private final MapOutputCollector<K, V> collector;
    private final Random random;

    DelayedCollector(MapOutputCollector<K, V> collector, Random random) {
        this.collector = collector;
        this.random = random;
    }

    @Override
    public void init(Context context) {
        throw new UnsupportedOperationException("the inner one is there already");
    }

    @Override
    public void collect(K key, V value, int partition) throws IOException, InterruptedException {
        if (random.nextInt(RARELY) == 0) {
            LockSupport.parkNanos(random.nextInt(MOST_NANOS));
        }
        collector.collect(key, value, partition);
    }

    @Override
    public void flush() {
        throw new UnsupportedOperationException("the inner one is flushed");
    }

    @Override
    public void close() {
        throw new UnsupportedOperationException("the inner one is closed");
    }
}
