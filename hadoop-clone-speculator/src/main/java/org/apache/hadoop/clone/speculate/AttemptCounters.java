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

import java.util.function.ToLongFunction;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.mapreduce.CounterGroup;
import org.apache.hadoop.mapreduce.Counters;
import org.apache.hadoop.mapreduce.FileSystemCounter;
import org.apache.hadoop.mapreduce.TaskCounter;
import org.apache.hadoop.mapreduce.v2.api.records.Phase;
import org.apache.hadoop.mapreduce.v2.api.records.TaskType;
import org.apache.hadoop.mapreduce.v2.app.job.TaskAttempt;

/** What an attempt's counters say of it: nothing, which is 0, before its first report. */
@InterfaceAudience.Private
public final class AttemptCounters {
    private static final String SCHEME = "file";

    /** A map's progress when it has read everything and is still to merge what it collected. */
    static final double READ = 2 / 3.0;

    private AttemptCounters() {}

    /** What it has written to local disks, in bytes. */
    public static long localBytes(TaskAttempt attempt) {
        return value(
                attempt,
                counters ->
                        counters.findCounter(SCHEME, FileSystemCounter.BYTES_WRITTEN).getValue());
    }

    /** What its process has in memory, in bytes. */
    public static long memoryBytes(TaskAttempt attempt) {
        return value(
                attempt,
                counters -> counters.findCounter(TaskCounter.PHYSICAL_MEMORY_BYTES).getValue());
    }

    /** What a reduce has fetched, in bytes. */
    static long shuffledBytes(TaskAttempt reduce) {
        return value(reduce, InputSize::fetched);
    }

    /**
     * How much input an attempt has in all, by what it has read or fetched at its progress, in
     * bytes; 0 if that isn't known.
     *
     * @param mapsOnly whether its job has no reduces, so that its maps merge nothing
     */
    public static double inputBytes(TaskAttempt attempt, boolean mapsOnly) {
        boolean isMap = attempt.getID().getTaskId().getTaskType() == TaskType.MAP;
        boolean reads = attempt.getPhase() == Phase.MAP || attempt.getPhase() == Phase.SHUFFLE;
        double allRead = isMap ? (mapsOnly ? 1 : READ) : InputSize.FETCHED;
        double share = reads ? Math.min(1, attempt.getProgress() / allRead) : 1;
        long bytes = value(attempt, isMap ? InputSize::read : InputSize::fetched);
        return share > 0 ? bytes / share : 0;
    }

    private static long value(TaskAttempt attempt, ToLongFunction<Counters> which) {
        Counters counters = attempt.getCounters();
        // findCounter() adds what isn't there, and before its first report an attempt's are those
        // that all have in common (TaskAttemptImpl.EMPTY_COUNTERS).
        return isEmpty(counters) ? 0 : Math.max(0, which.applyAsLong(counters));
    }

    static boolean isEmpty(Counters counters) {
        for (CounterGroup group : counters) {
            if (group.size() > 0) {
                return false;
            }
        }
        return true;
    }
}
