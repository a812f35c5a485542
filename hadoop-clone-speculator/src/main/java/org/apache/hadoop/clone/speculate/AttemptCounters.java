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
package org.apache.hadoop.clone.speculate;

import java.util.function.Function;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.mapreduce.Counter;
import org.apache.hadoop.mapreduce.Counters;
import org.apache.hadoop.mapreduce.FileSystemCounter;
import org.apache.hadoop.mapreduce.TaskCounter;
import org.apache.hadoop.mapreduce.v2.app.job.TaskAttempt;

/** What an attempt's counters say of it: nothing, which is 0, before its first report. */
@InterfaceAudience.Private
public final class AttemptCounters {
    private static final String SCHEME = "file";

    private AttemptCounters() {}

    /** f_clone of which nothing else is known, in bytes: files and memory, all that there is. */
    static long cloneBytes(TaskAttempt attempt) {
        return localBytes(attempt) + memoryBytes(attempt);
    }

    /** What it has written to local disks, in bytes. */
    public static long localBytes(TaskAttempt attempt) {
        return value(
                attempt, counters -> counters.findCounter(SCHEME, FileSystemCounter.BYTES_WRITTEN));
    }

    /** What its process has in memory, in bytes. */
    public static long memoryBytes(TaskAttempt attempt) {
        return value(attempt, counters -> counters.findCounter(TaskCounter.PHYSICAL_MEMORY_BYTES));
    }

    /** What a reduce has fetched, in bytes. */
    static long shuffledBytes(TaskAttempt reduce) {
        return value(reduce, counters -> counters.findCounter(TaskCounter.REDUCE_SHUFFLE_BYTES));
    }

    private static long value(TaskAttempt attempt, Function<Counters, Counter> which) {
        Counters counters = attempt.getCounters();
        // findCounter() adds what isn't there, and before its first report an attempt's are those
        // that all have in common (TaskAttemptImpl.EMPTY_COUNTERS).
        return counters.countCounters() == 0 ? 0 : Math.max(0, which.apply(counters).getValue());
    }
}
