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

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.apache.hadoop.clone.protocol.SpillUpdate;

/**
 * All that has happened to a job's spills and is still true, in order. Not thread-safe.
 *
 * <p>A large job has hundreds of thousands of entries. So they refer to what is known of the spills
 * anyway, and what a reduce is told is made when it asks.
 */
final class SpillStory {
    private final List<Entry> entries = new ArrayList<>();
    private final EmptyPartitionsPool emptyPartitions;

    /** What has happened once. */
    interface Entry {
        /**
         * @param partition of the reduce that is told
         */
        SpillUpdate tell(int partition);

        /** Whether it says where one of these spills is. */
        default boolean isPlaceOf(int map, int fromSpill) {
            return false;
        }
    }

    SpillStory() {
        this(new EmptyPartitionsPool(EmptyPartitionsPool.LIMIT_BYTES));
    }

    SpillStory(EmptyPartitionsPool emptyPartitions) {
        this.emptyPartitions = emptyPartitions;
    }

    /** The partitions for which there is nothing to be fetched, as far as they can be told. */
    EmptyPartitions keep(BitSet empty) {
        return emptyPartitions.keep(empty);
    }

    void add(Entry entry) {
        entries.add(entry);
    }

    /**
     * From this spill on everything that the map is said to have is void. Who reads the story from
     * its beginning learns that instead of where those spills were, and who is in the midst of it
     * finds as many entries as before.
     */
    void addVoid(int map, int from) {
        SpillUpdate update = SpillUpdate.voided(map, from);
        Entry voided = partition -> update;
        entries.replaceAll(entry -> entry.isPlaceOf(map, from) ? voided : entry);
        entries.add(voided);
    }

    int size() {
        return entries.size();
    }

    /**
     * @param partition of the reduce that is told
     * @param from how much of it that knows already
     */
    List<SpillUpdate> tell(int partition, int from, int most) {
        int begin = Math.min(Math.max(from, 0), entries.size());
        int end = begin + Math.min(entries.size() - begin, most);
        return entries.subList(begin, end).stream().map(entry -> entry.tell(partition)).toList();
    }
}
