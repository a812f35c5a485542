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

/** All that has happened to a job's spills and is still true, in order. Not thread-safe. */
final class SpillStory {
    private static final BitSet NONE = new BitSet();

    private final List<Entry> entries = new ArrayList<>();

    /**
     * @param empty partitions for which there is nothing to be fetched
     */
    private record Entry(SpillUpdate update, BitSet empty) {}

    void add(SpillUpdate update) {
        add(update, NONE);
    }

    /**
     * @param update says where a spill is
     * @param empty partitions that it has no records for; not to be changed any more
     */
    void add(SpillUpdate update, BitSet empty) {
        entries.add(new Entry(update, empty.isEmpty() ? NONE : empty));
    }

    /**
     * From this spill on everything that the map is said to have is void. Who reads the story from
     * its beginning learns that instead of where those spills were, and who is in the midst of it
     * finds as many entries as before.
     */
    void addVoid(int map, int from) {
        Entry voided = new Entry(SpillUpdate.voided(map, from), NONE);
        entries.replaceAll(entry -> isAt(entry.update, map, from) ? voided : entry);
        entries.add(voided);
    }

    private static boolean isAt(SpillUpdate update, int map, int from) {
        return update.kind() == SpillUpdate.Kind.AT
                && update.map() == map
                && update.spill() >= from;
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
        return entries.subList(begin, end).stream().map(entry -> of(entry, partition)).toList();
    }

    private static SpillUpdate of(Entry entry, int partition) {
        return entry.empty.get(partition)
                ? SpillUpdate.empty(entry.update.map(), entry.update.spill())
                : entry.update;
    }
}
