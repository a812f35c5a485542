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
package org.clonehadoop.benchmarks.reads;

import org.apache.hadoop.fs.GlobalStorageStatistics;
import org.apache.hadoop.fs.StorageStatistics;

/**
 * What has become of a scheme's duplicates, by the client's own statistics.
 *
 * @param sent to a stage
 * @param won before their primaries
 * @param bytesDiscarded that they had brought for nothing
 */
record DuplicateCounts(long sent, long won, long bytesDiscarded) {
    private static final String STATISTICS = "DuplicateReads";

    /** What comes counts from nought. */
    static void reset() {
        StorageStatistics statistics = statistics();
        if (statistics != null) {
            statistics.reset();
        }
    }

    /** Since then; all nought for stock's schemes. */
    static DuplicateCounts now() {
        StorageStatistics statistics = statistics();
        return statistics == null
                ? new DuplicateCounts(0, 0, 0)
                : new DuplicateCounts(
                        statistics.getLong("duplicatesSent"),
                        statistics.getLong("duplicatesWon"),
                        statistics.getLong("bytesDiscarded"));
    }

    /** Null until this JVM has sent one. */
    private static StorageStatistics statistics() {
        return GlobalStorageStatistics.INSTANCE.get(STATISTICS);
    }
}
