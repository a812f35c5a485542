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
package org.apache.hadoop.mapred;

import java.io.IOException;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.mapred.MapTask.MapOutputBuffer;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.util.IndexedSortable;
import org.apache.hadoop.util.IndexedSorter;
import org.apache.hadoop.util.Progressable;
import org.apache.hadoop.util.QuickSort;
import org.apache.hadoop.util.ReflectionUtils;

/**
 * Sorts a spill's records before its buffer is flushed. Stock makes the spill's file first, and
 * nobody could be cloned from then on; but on a slow host it is the sort that takes long.
 *
 * <p>As the buffer's own sorter it leaves alone what is sorted already, and sorts all else as the
 * job has it. Here because where a buffer has its records is known in this package only.
 */
@InterfaceAudience.Private
public final class AheadSort implements IndexedSorter {
    /** Of the job whose buffer the thread is just making. */
    private static final ThreadLocal<IndexedSorter> JOBS = ThreadLocal.withInitial(QuickSort::new);

    /** Integers of bookkeeping for a record, MapOutputBuffer.NMETA. */
    private static final int RECORD = 4;

    /** What the thread has sorted and is just flushing. */
    private static final ThreadLocal<Range> SORTED = new ThreadLocal<>();

    private record Range(IndexedSortable buffer, int from, int to) {}

    /** The job's. */
    private final IndexedSorter sorter = JOBS.get();

    /** A buffer is made. */
    public interface Making {
        void run() throws IOException, ClassNotFoundException;
    }

    /** The job's own, made anew. */
    public static IndexedSorter ofJob(JobConf job) {
        return ReflectionUtils.newInstance(
                job.getClass(MRJobConfig.MAP_SORT_CLASS, QuickSort.class, IndexedSorter.class),
                job);
    }

    /**
     * @param sorter by which buffers sort what they sort themselves that the thread makes
     *     meanwhile, and whose job names this class
     */
    public static void during(IndexedSorter sorter, Making making)
            throws IOException, ClassNotFoundException {
        try {
            JOBS.set(sorter);
            making.run();
        } finally {
            JOBS.remove();
        }
    }

    /**
     * Sorts what is in the buffer, which this thread is to flush next, and then to {@link #forget}.
     * Not where a part of it was spilled before, as a record was too large: then only stock knows
     * what is left.
     *
     * @param buffer that was made {@link #during} this
     * @param sorter the job's
     * @param step called again and again meanwhile, by this thread
     */
    public static void sort(MapOutputBuffer<?, ?> buffer, IndexedSorter sorter, Progressable step) {
        if (!isFresh(buffer) || buffer.kvindex == buffer.kvend) {
            return;
        }
        // As flush and sortAndSpill have them.
        int capacity = buffer.kvbuffer.length / Integer.BYTES;
        int end = (buffer.kvindex + RECORD) % capacity;
        int start = buffer.kvstart >= end ? buffer.kvstart : capacity + buffer.kvstart;
        Range range = new Range(buffer, end / RECORD, 1 + start / RECORD);
        sorter.sort(buffer, range.from, range.to, step);
        SORTED.set(range);
    }

    /** As MapOutputBuffer.flush tells it. */
    private static boolean isFresh(MapOutputBuffer<?, ?> buffer) {
        int recordBytes = RECORD * Integer.BYTES;
        int end = buffer.kvend * Integer.BYTES + recordBytes;
        return !buffer.spillInProgress
                && buffer.numSpills == 0
                && buffer.kvstart == buffer.kvend
                && end % buffer.kvbuffer.length == buffer.equator - buffer.equator % recordBytes;
    }

    /** The buffer has been flushed. */
    public static void forget() {
        SORTED.remove();
    }

    @Override
    public void sort(IndexedSortable buffer, int from, int to) {
        sort(buffer, from, to, null);
    }

    @Override
    public void sort(IndexedSortable buffer, int from, int to, Progressable progress) {
        Range sorted = SORTED.get();
        boolean isSorted =
                sorted != null && sorted.buffer == buffer && sorted.from == from && sorted.to == to;
        if (!isSorted) {
            sorter.sort(buffer, from, to, progress);
        }
    }
}
