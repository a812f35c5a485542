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

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * How DataNodes' primaries fare against duplicates, so that these never hide a dying disk. A
 * DataNode is told of if it loses more than a fifth of its races, and twice as large a share as all
 * others together: where disks are equal and busy, duplicates win a good part of the races
 * everywhere.
 *
 * <p>Safe for use by several threads.
 */
final class RaceRecords {
    static final int ENOUGH = 100;
    static final double TOO_MANY = 0.2;
    static final double TOO_MANY_OVER_OTHERS = 2;
    static final long QUIET_NANOS = TimeUnit.HOURS.toNanos(1);

    private static final class Record {
        private double races;
        private double losses;
        private Long told;

        private void add(boolean lost) {
            if (races >= 2 * ENOUGH) {
                races /= 2;
                losses /= 2;
            }
            races++;
            losses += lost ? 1 : 0;
        }
    }

    private final Map<String, Record> records = new HashMap<>();
    private final LongSupplier clock;

    /**
     * @param nanoClock that never goes back
     */
    RaceRecords(LongSupplier nanoClock) {
        this.clock = nanoClock;
    }

    /**
     * A race has ended.
     *
     * @param node that of the primary
     * @return what the operator should know: the share that this DataNode loses, once an hour
     */
    synchronized Optional<Double> ended(String node, boolean lost) {
        Record record = records.computeIfAbsent(node, unused -> new Record());
        record.add(lost);
        double share = record.losses / record.races;
        long now = clock.getAsLong();
        boolean tell =
                lost
                        && record.races >= ENOUGH
                        && share > TOO_MANY
                        && share > TOO_MANY_OVER_OTHERS * shareOfOthers(record)
                        && (record.told == null || now - record.told >= QUIET_NANOS);
        if (!tell) {
            return Optional.empty();
        }
        record.told = now;
        return Optional.of(share);
    }

    private double shareOfOthers(Record one) {
        double races = 0;
        double losses = 0;
        for (Record other : records.values()) {
            races += other == one ? 0 : other.races;
            losses += other == one ? 0 : other.losses;
        }
        return races == 0 ? 0 : losses / races;
    }
}
