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
package org.clonehadoop.benchmarks.feed;

import java.util.EnumMap;
import java.util.Map;
import java.util.function.Function;
import org.apache.hadoop.mapreduce.Counter;
import org.apache.hadoop.mapreduce.Counters;
import org.apache.hadoop.mapreduce.FileSystemCounter;
import org.apache.hadoop.mapreduce.TaskCounter;

/** The counters of an attempt that tell how much it has done. */
public enum FeedCounter {
    LOCAL_BYTES_WRITTEN(counters -> counters.findCounter("file", FileSystemCounter.BYTES_WRITTEN)),
    HDFS_BYTES_READ(counters -> counters.findCounter("hdfs", FileSystemCounter.BYTES_READ)),
    HDFS_BYTES_WRITTEN(counters -> counters.findCounter("hdfs", FileSystemCounter.BYTES_WRITTEN)),
    MAP_INPUT_RECORDS(counters -> counters.findCounter(TaskCounter.MAP_INPUT_RECORDS)),
    MAP_OUTPUT_BYTES(counters -> counters.findCounter(TaskCounter.MAP_OUTPUT_BYTES)),
    REDUCE_SHUFFLE_BYTES(counters -> counters.findCounter(TaskCounter.REDUCE_SHUFFLE_BYTES)),
    REDUCE_INPUT_RECORDS(counters -> counters.findCounter(TaskCounter.REDUCE_INPUT_RECORDS));

    private final Function<Counters, Counter> in;

    FeedCounter(Function<Counters, Counter> in) {
        this.in = in;
    }

    /** Those that aren't 0; none before the first report. */
    public static Map<FeedCounter, Long> read(Counters counters) {
        Map<FeedCounter, Long> values = new EnumMap<>(FeedCounter.class);
        // findCounter() adds what isn't there, and before its first report an attempt's are those
        // that all have in common (TaskAttemptImpl.EMPTY_COUNTERS).
        if (counters == null || counters.countCounters() == 0) {
            return values;
        }
        for (FeedCounter counter : values()) {
            long value = counter.in.apply(counters).getValue();
            if (value != 0) {
                values.put(counter, value);
            }
        }
        return values;
    }

    public void set(Counters counters, long value) {
        in.apply(counters).setValue(value);
    }
}
