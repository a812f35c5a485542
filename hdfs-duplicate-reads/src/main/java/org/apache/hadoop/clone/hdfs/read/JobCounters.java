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

import java.util.List;
import org.apache.hadoop.clone.hdfs.read.DuplicateReadStatistics.Counter;
import org.apache.hadoop.fs.FileSystem;

/**
 * What a job's counters say of duplicates. A task of MapReduce looks at nothing but the statistics
 * of file systems (Task.updateCounters), one group for each scheme. So duplicates have two schemes:
 * one for all, with the bytes that they have read, and one for those that were faster.
 *
 * <p>Bytes are counted by the thread that reads them. Others add up what their own threads have
 * read of all schemes, as Spark does for its tasks: there a duplicate's bytes are nobody's.
 */
final class JobCounters {
    static final String ALL = "hdfs-duplicates";
    static final String WON = "hdfs-duplicates-won";

    // Statistics are found by a class.
    private abstract static class All extends FileSystem {}

    private abstract static class Won extends FileSystem {}

    // Not before there is a duplicate: jobs without one have no such counters.
    @SuppressWarnings("deprecation") // what takes its place isn't what tasks look at
    private static final class Lazy {
        static final FileSystem.Statistics ALL_ONES = FileSystem.getStatistics(ALL, All.class);
        static final FileSystem.Statistics WON_ONES = FileSystem.getStatistics(WON, Won.class);

        private Lazy() {}
    }

    private JobCounters() {}

    /** Both schemes, as soon as there is a duplicate. */
    static List<FileSystem.Statistics> all() {
        return List.of(Lazy.ALL_ONES, Lazy.WON_ONES);
    }

    static void add(Counter counter, long amount) {
        switch (counter) {
            case SENT:
                Lazy.ALL_ONES.incrementReadOps((int) amount);
                // So that a job has both, or none.
                Lazy.WON_ONES.incrementReadOps(0);
                break;
            case WON:
                Lazy.WON_ONES.incrementReadOps((int) amount);
                break;
            default:
                // Those are for operators.
        }
    }

    /** A duplicate's thread has read so many bytes, for whatever comes of them. */
    static void read(long bytes) {
        Lazy.ALL_ONES.incrementBytesRead(bytes);
    }
}
