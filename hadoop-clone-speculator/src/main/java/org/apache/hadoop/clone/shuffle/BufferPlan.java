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

/**
 * How large the buffer of each spill is. Two buffers share the memory of stock's one: while the
 * first is sorted and written the mapper fills the second. They have the sizes that stock's
 * circular buffer has before and after its soft limit, so that a map that needs one spill with
 * stock needs one here, and the mapper has as much room as there until it must wait.
 */
final class BufferPlan {
    /** Stock's default soft limit; with a higher one every other spill would be tiny. */
    private static final float MOST_PERCENT = 0.8f;

    private static final int LEAST_MEGABYTES = 1;

    /** Part of a buffer that is left for the record that comes when it is almost full. */
    private static final int SLACK = 32;

    private static final int MEGABYTE = 1 << 20;

    private final int evenMegabytes;
    private final int oddMegabytes;

    /**
     * @param sortMegabytes mapreduce.task.io.sort.mb, at least 1
     * @param spillPercent mapreduce.map.sort.spill.percent, more than 0 and at most 1
     */
    BufferPlan(int sortMegabytes, float spillPercent) {
        evenMegabytes =
                Math.max(
                        LEAST_MEGABYTES,
                        Math.round(sortMegabytes * Math.min(spillPercent, MOST_PERCENT)));
        oddMegabytes = Math.max(LEAST_MEGABYTES, sortMegabytes - evenMegabytes);
    }

    /** Size of the buffer for the map's spill with this index. */
    int megabytes(int spill) {
        return spill % 2 == 0 ? evenMegabytes : oddMegabytes;
    }

    /** Whether the buffer for this spill isn't larger than the other. */
    boolean isSmaller(int spill) {
        return megabytes(spill) <= megabytes(spill + 1);
    }

    /** How many bytes of records and of their bookkeeping end the spill. */
    long limit(int spill) {
        long size = (long) megabytes(spill) * MEGABYTE;
        return size - size / SLACK;
    }
}
