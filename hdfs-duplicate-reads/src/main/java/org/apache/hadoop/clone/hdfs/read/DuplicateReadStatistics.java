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

import java.util.Arrays;
import java.util.EnumMap;
import java.util.Iterator;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.classification.InterfaceStability;
import org.apache.hadoop.fs.GlobalStorageStatistics;
import org.apache.hadoop.fs.StorageStatistics;

/**
 * What has become of this JVM's duplicates of reads, in {@link GlobalStorageStatistics}; and so in
 * Hadoop's metrics, and of it what matters in jobs' counters.
 */
@InterfaceAudience.Public
@InterfaceStability.Evolving
public final class DuplicateReadStatistics extends StorageStatistics {
    /** By which it is found. */
    public static final String NAME = "DuplicateReads";

    /** What is counted; docs/duplicate-reads.md says what each means. */
    public enum Counter {
        /** Duplicates that were asked for at a stage. */
        SENT("duplicatesSent"),
        /** Those that were faster than their primaries. */
        WON("duplicatesWon"),
        /** Those that waited for a thread until they weren't needed any more. */
        NEVER_SENT("duplicatesNeverSent"),
        /** Those that couldn't be read: each has cost nothing but itself. */
        FAILED("duplicatesFailed"),
        /** What was read by duplicates and handed on. */
        BYTES_WON("bytesWon"),
        /** What was read by duplicates for nothing. */
        BYTES_DISCARDED("bytesDiscarded"),
        /** Streams that went on at their duplicate's DataNode. */
        TAKEN_OVER("windowsTakenOver"),
        /** Primaries that were served by a stage. */
        STAGED("primariesStaged"),
        /** Primaries that went to a stage, and directly then. */
        NOT_STAGED("primariesNotStaged"),
        /** How often a DataNode was found to have no stage. */
        WITHOUT_STAGE("nodesWithoutStage");

        private final String key;

        Counter(String key) {
            this.key = key;
        }

        /** The statistic's name. */
        public String key() {
            return key;
        }
    }

    private final Map<Counter, LongAdder> counts = new EnumMap<>(Counter.class);

    DuplicateReadStatistics() {
        super(NAME);
        for (Counter counter : Counter.values()) {
            counts.put(counter, new LongAdder());
        }
    }

    private static final class OfJvm {
        static final DuplicateReadStatistics INSTANCE =
                (DuplicateReadStatistics)
                        GlobalStorageStatistics.INSTANCE.put(NAME, DuplicateReadStatistics::new);

        static {
            ClientMetrics.register(INSTANCE);
        }

        private OfJvm() {}
    }

    /** Those of this JVM. */
    static DuplicateReadStatistics ofJvm() {
        return OfJvm.INSTANCE;
    }

    void count(Counter counter) {
        add(counter, 1);
    }

    void add(Counter counter, long amount) {
        counts.get(counter).add(amount);
        JobCounters.add(counter, amount);
    }

    /** How many there were. */
    public long get(Counter counter) {
        return counts.get(counter).sum();
    }

    @Override
    public Iterator<LongStatistic> getLongStatistics() {
        return Arrays.stream(Counter.values())
                .map(counter -> new LongStatistic(counter.key(), get(counter)))
                .iterator();
    }

    @Override
    public Long getLong(String key) {
        return Arrays.stream(Counter.values())
                .filter(counter -> counter.key().equals(key))
                .map(this::get)
                .findFirst()
                .orElse(null);
    }

    @Override
    public boolean isTracked(String key) {
        return getLong(key) != null;
    }

    @Override
    public void reset() {
        counts.values().forEach(LongAdder::reset);
    }
}
