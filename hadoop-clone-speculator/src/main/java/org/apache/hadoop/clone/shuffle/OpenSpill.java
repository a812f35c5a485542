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
package org.apache.hadoop.clone.shuffle;

import java.io.IOException;
import java.util.Optional;
import org.apache.hadoop.mapred.AheadSort;
import org.apache.hadoop.mapred.Counters;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.MapOutputCollector;
import org.apache.hadoop.mapred.MapTask.MapOutputBuffer;
import org.apache.hadoop.mapred.Reporter;
import org.apache.hadoop.mapred.SpillProgress;
import org.apache.hadoop.mapred.SpillTask;
import org.apache.hadoop.mapreduce.JobContext;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.TaskCounter;
import org.apache.hadoop.util.IndexedSorter;

/**
 * One spill while records go into it: a stock buffer that never gets full, so that its sort,
 * combiner, codec, encryption and counters are the spill's.
 *
 * <p>With a soft limit of 100 % stock spills inside the buffer only for a record that doesn't fit,
 * and then the mapper waits: what happens depends on the records alone, not on threads.
 */
final class OpenSpill<K, V> {
    /** Bookkeeping of a record in the buffer, MapOutputBuffer.METASIZE. */
    private static final int RECORD_BYTES = 16;

    private final MapOutputBuffer<K, V> buffer = new MapOutputBuffer<>();
    private final SpillPlace place;
    private final Reporter reporter;
    private final Counters.Counter outputBytes;
    private final IndexedSorter sorter;
    private final long end;
    private long records;

    /**
     * @param task the map, with this spill's files
     * @param limit bytes of records and of their bookkeeping that fill it
     */
    OpenSpill(
            MapOutputCollector.Context map,
            SpillTask task,
            SpillPlace place,
            int megabytes,
            long limit)
            throws IOException, ClassNotFoundException {
        this.place = place;
        reporter = map.getReporter();
        outputBytes = map.getReporter().getCounter(TaskCounter.MAP_OUTPUT_BYTES);
        end = outputBytes.getCounter() + limit;
        task.beginSpill(place.files());
        sorter = AheadSort.ofJob(map.getJobConf());
        AheadSort.during(sorter, () -> init(map, task, megabytes));
    }

    /**
     * The buffer reads its size and its sorter from the job's configuration. A changed copy of that
     * wouldn't do: mappers set values in theirs that their combiners read.
     */
    private void init(MapOutputCollector.Context map, SpillTask task, int megabytes)
            throws IOException, ClassNotFoundException {
        JobConf job = map.getJobConf();
        String size = job.getRaw(MRJobConfig.IO_SORT_MB);
        String percent = job.getRaw(JobContext.MAP_SORT_SPILL_PERCENT);
        String sortedBy = job.getRaw(MRJobConfig.MAP_SORT_CLASS);
        try {
            job.setInt(MRJobConfig.IO_SORT_MB, megabytes);
            job.setFloat(JobContext.MAP_SORT_SPILL_PERCENT, 1);
            job.setClass(MRJobConfig.MAP_SORT_CLASS, AheadSort.class, IndexedSorter.class);
            buffer.init(new MapOutputCollector.Context(task, job, map.getReporter()));
        } finally {
            restore(job, MRJobConfig.IO_SORT_MB, size);
            restore(job, JobContext.MAP_SORT_SPILL_PERCENT, percent);
            restore(job, MRJobConfig.MAP_SORT_CLASS, sortedBy);
        }
    }

    private static void restore(JobConf job, String key, String value) {
        if (value == null) {
            job.unset(key);
        } else {
            job.set(key, value);
        }
    }

    /**
     * @return whether the spill is full now
     */
    boolean collect(K key, V value, int partition) throws IOException {
        buffer.collect(key, value, partition);
        records++;
        return outputBytes.getCounter() + records * RECORD_BYTES >= end;
    }

    /** How many bytes of records and of their bookkeeping may come until it is full. */
    long left() {
        return end - outputBytes.getCounter() - records * RECORD_BYTES;
    }

    /** How many records the mapper has put into it. */
    long records() {
        return records;
    }

    /** While it is written; empty if it has no file. */
    Optional<SpillProgress> progress() {
        return SpillProgress.of(buffer, place.files());
    }

    SpillPlace place() {
        return place;
    }

    /** Whether some of it is on disk already, for a record that didn't fit. */
    boolean hasFiles() {
        try {
            place.files().getSpillFile(0);
            return true;
        } catch (IOException e) {
            return false; // so it says that there is none
        }
    }

    /**
     * Sorts and writes it; after that its files never change.
     *
     * @param gate passed while it is sorted
     */
    void write(SortGate gate) throws IOException, ClassNotFoundException, InterruptedException {
        try {
            sort(gate);
            buffer.flush();
        } finally {
            AheadSort.forget();
        }
        buffer.close();
    }

    private void sort(SortGate gate) {
        gate.begins();
        try {
            AheadSort.sort(
                    buffer,
                    sorter,
                    () -> {
                        reporter.progress();
                        gate.pass();
                    });
        } finally {
            gate.ends();
        }
    }
}
