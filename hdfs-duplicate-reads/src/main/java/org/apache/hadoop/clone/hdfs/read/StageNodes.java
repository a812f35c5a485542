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
 * Which DataNodes have no stage, or one that answers nobody. To a DataNode without one a duplicate
 * would be a primary like any other, and take its share. So nothing is sent there, for ten seconds
 * at first: it may be starting, or collecting garbage, or a packet was lost. Each time that none is
 * found again it is twice as long, up to ten minutes.
 *
 * <p>Safe for use by several threads.
 */
final class StageNodes {
    static final long LEAST_NANOS = TimeUnit.SECONDS.toNanos(10);
    static final long MOST_NANOS = TimeUnit.MINUTES.toNanos(10);

    private record Absence(long since, long nanos) {
        boolean isOver(long now) {
            return now - since >= nanos;
        }

        Absence again(long now) {
            return isOver(now) ? new Absence(now, Math.min(2 * nanos, MOST_NANOS)) : this;
        }
    }

    private final Map<String, Absence> without = new ConcurrentHashMap<>();
    private final Map<String, Long> answered = new ConcurrentHashMap<>();
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
        long now = clock.getAsLong();
        Absence known = without.get(node);
        without.put(node, known == null ? new Absence(now, LEAST_NANOS) : known.again(now));
        return known == null;
    }

    /**
     * A copy has waited there, and its turn didn't come. If another's did meanwhile, the stage is
     * busy; else it may be sick, and the next one would wait in vain as well.
     *
     * @param since when it came, by this one's clock
     * @return whether there is news: that none is there
     */
    boolean saysNothing(String node, long since) {
        Long last = answered.get(node);
        return (last == null || last - since < 0) && hasNone(node);
    }

    /** One was found there: it has let a copy begin. */
    void hasOne(String node) {
        answered.put(node, clock.getAsLong());
        without.remove(node);
    }

    boolean mayHaveOne(String node) {
        Absence known = without.get(node);
        return known == null || known.isOver(clock.getAsLong());
    }
}
