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

import org.apache.hadoop.mapreduce.Counter;
import org.apache.hadoop.mapreduce.CounterGroup;
import org.apache.hadoop.mapreduce.Counters;
import org.apache.hadoop.mapreduce.FileSystemCounter;
import org.apache.hadoop.mapreduce.TaskCounter;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormatCounter;
import org.apache.hadoop.mapreduce.v2.api.records.TaskType;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskAttemptStatusUpdateEvent.TaskAttemptStatus;

/**
 * What an attempt's counters say of its input: so much had been read when so large a share of it
 * was. A map's progress is the share of its split; a constant factor is all the same, since sizes
 * are only compared within a kind.
 *
 * @param bytes 0 if that isn't known
 * @param share from 0 to 1
 */
record InputSize(double bytes, double share) {
    private static final InputSize UNKNOWN = new InputSize(0, 0);

    /**
     * Every map has read its split and its file's header from HDFS before its first record, some
     * hundred bytes. Where it has no other input from there these are no size.
     */
    private static final long TELLING_BYTES = 1 << 20;

    /** A reduce's progress when it has fetched everything. */
    static final double FETCHED = 1 / 3.0;

    /**
     * Maps that end before they have reported while they read tell of it as they sort, or never.
     *
     * @param mapsOnly whether the job has no reduces, so that its maps merge nothing
     */
    static InputSize of(TaskAttemptStatus status, boolean mapsOnly) {
        // findCounter() adds what isn't there, and before its first report an attempt's are those
        // that all have in common (TaskAttemptImpl.EMPTY_COUNTERS).
        Counters counters = status.counters;
        if (counters == null || AttemptCounters.isEmpty(counters) || status.phase == null) {
            return UNKNOWN;
        }
        return switch (status.phase) {
            case MAP -> new InputSize(read(counters), status.progress);
            case SHUFFLE -> ofFetching(status, counters);
            case SORT -> ofSorting(status, counters, mapsOnly);
            case REDUCE -> new InputSize(fetched(counters), 1);
            default -> UNKNOWN;
        };
    }

    private static InputSize ofFetching(TaskAttemptStatus status, Counters counters) {
        return new InputSize(fetched(counters), Math.min(1, status.progress / FETCHED));
    }

    /** The report that tells of a new phase has the progress and the bytes of the one before. */
    private static InputSize ofSorting(
            TaskAttemptStatus status, Counters counters, boolean mapsOnly) {
        boolean isMap = status.id.getTaskId().getTaskType() == TaskType.MAP;
        return isMap
                ? new InputSize(
                        read(counters),
                        Math.min(mapsOnly ? 1 : AttemptCounters.READ, status.progress))
                : ofFetching(status, counters);
    }

    /** What a map has read. */
    static long read(Counters counters) {
        long read = readByFormat(counters);
        if (read > 0) {
            return read;
        }
        long fromHdfs = counters.findCounter("hdfs", FileSystemCounter.BYTES_READ).getValue();
        return fromHdfs >= TELLING_BYTES ? fromHdfs : 0;
    }

    // Where an attempt counts as much as it may findCounter() would throw: this one isn't among
    // the framework's own counters, of which there may be any number.
    private static long readByFormat(Counters counters) {
        for (CounterGroup group : counters) {
            if (group.getName().equals(FileInputFormatCounter.class.getName())) {
                Counter read = group.findCounter(FileInputFormatCounter.BYTES_READ.name(), false);
                return read == null ? 0 : read.getValue();
            }
        }
        return 0;
    }

    /** What a reduce has fetched. */
    static long fetched(Counters counters) {
        return counters.findCounter(TaskCounter.REDUCE_SHUFFLE_BYTES).getValue();
    }
}
