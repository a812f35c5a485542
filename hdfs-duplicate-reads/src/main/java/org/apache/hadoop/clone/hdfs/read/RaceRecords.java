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
 * DataNode is told of if all of this is so:
 *
 * <ul>
 *   <li>It loses more than a fifth of its races.
 *   <li>It loses twice the share that all others together lose, or wins less than half of theirs.
 *       Where disks are equal and busy, duplicates win half of the races everywhere, and nobody can
 *       lose twice as many.
 *   <li>It is no chance: it loses by {@value #DEVIATIONS} standard deviations more than as many
 *       races of the others' would.
 * </ul>
 *
 * <p>Of others of which nothing is known half is expected, as of equals. So {@value #LEAST} races
 * are enough for one that loses all of them, and one that loses three quarters where others lose
 * half is known after some forty. Of a thousand DataNodes that are like all others three at most
 * are named in their next thousand races.
 *
 * <p>Safe for use by several threads.
 */
final class RaceRecords {
    static final int LEAST = 20;
    static final int MOST = 200;
    static final double TOO_MANY = 0.2;
    static final double TWICE = 2;
    static final double DEVIATIONS = 4;
    static final long QUIET_NANOS = TimeUnit.HOURS.toNanos(1);

    private static final RaceRecords OF_JVM = new RaceRecords(System::nanoTime);

    private static final class Record {
        private double races;
        private double losses;
        private Long told;

        private void add(boolean lost) {
            if (races >= MOST) {
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

    /** Of all clients of this process: one alone may never have enough races. */
    static RaceRecords ofJvm() {
        return OF_JVM;
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
                        && record.races >= LEAST
                        && (record.told == null || now - record.told >= QUIET_NANOS)
                        && isTooMany(share, record.races, shareOfOthers(record));
        if (!tell) {
            return Optional.empty();
        }
        record.told = now;
        return Optional.of(share);
    }

    private static boolean isTooMany(double share, double races, double others) {
        double deviation = Math.sqrt(others * (1 - others) / races);
        return share > TOO_MANY
                && (share > TWICE * others || TWICE * (1 - share) < 1 - others)
                && share - others > DEVIATIONS * deviation;
    }

    // By Laplace's rule of succession: few races say little, and none a half.
    private double shareOfOthers(Record one) {
        double races = 0;
        double losses = 0;
        for (Record other : records.values()) {
            races += other == one ? 0 : other.races;
            losses += other == one ? 0 : other.losses;
        }
        return (losses + 1) / (races + 2);
    }
}
