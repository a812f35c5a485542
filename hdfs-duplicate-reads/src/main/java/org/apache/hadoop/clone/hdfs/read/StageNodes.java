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
package org.apache.hadoop.clone.hdfs.read;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Which DataNodes have no stage: nothing is sent there for ten minutes. To a DataNode without one a
 * duplicate would be a primary like any other, and take its share.
 *
 * <p>Safe for use by several threads.
 */
final class StageNodes {
    static final long FORGETS_NANOS = TimeUnit.MINUTES.toNanos(10);

    private final Map<String, Long> without = new ConcurrentHashMap<>();
    private final LongSupplier clock;

    /**
     * @param nanoClock that never goes back
     */
    StageNodes(LongSupplier nanoClock) {
        this.clock = nanoClock;
    }

    /**
     * None was found there.
     *
     * @return whether that is news
     */
    boolean hasNone(String node) {
        return without.put(node, clock.getAsLong()) == null;
    }

    boolean mayHaveOne(String node) {
        Long found = without.get(node);
        if (found == null) {
            return true;
        }
        return clock.getAsLong() - found >= FORGETS_NANOS && without.remove(node, found);
    }
}
