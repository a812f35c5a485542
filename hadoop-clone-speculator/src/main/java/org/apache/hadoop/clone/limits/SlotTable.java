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
package org.apache.hadoop.clone.limits;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** Which slots of a cap are free, by the files that are there. */
final class SlotTable {
    private SlotTable() {}

    /**
     * A file of the slots' directory.
     *
     * @param modifiedMillis its holder's last sign of life
     */
    record Held(String file, long modifiedMillis) {}

    /**
     * The files one of which would take a slot, in any order: many look at the same time.
     *
     * @param deadMillis after which a holder without a sign of life is dead
     */
    static List<SlotName> free(
            List<Held> files, SlotLimit cap, long nowMillis, long deadMillis, Random random) {
        Map<Integer, SlotName> last = new HashMap<>();
        Map<SlotName, Long> alive = new HashMap<>();
        for (Held held : files) {
            SlotName.parse(held.file(), cap.scope())
                    .ifPresent(
                            slot -> {
                                last.merge(slot.number(), slot, SlotTable::later);
                                alive.put(slot, held.modifiedMillis());
                            });
        }
        List<SlotName> free = new ArrayList<>();
        for (int number = 0; number < cap.clones(); number++) {
            SlotName holder = last.get(number);
            if (holder == null) {
                free.add(new SlotName(cap.scope(), number, 0));
            } else if (nowMillis - alive.get(holder) > deadMillis) {
                free.add(holder.next());
            }
        }
        Collections.shuffle(free, random);
        return free;
    }

    private static SlotName later(SlotName one, SlotName other) {
        return Collections.max(List.of(one, other), Comparator.comparingLong(SlotName::generation));
    }
}
