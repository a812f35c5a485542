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
package org.apache.hadoop.clone.hdfs.read;

import java.util.OptionalDouble;
import java.util.function.LongSupplier;
import org.apache.hadoop.clone.stage.JobId;
import org.clonehadoop.selection.c3.C3;
import org.clonehadoop.selection.c3.Ewma;

/**
 * How fast DataNodes have answered this host lately: moving averages, by C3's weight, that all
 * clients of one user here have in common.
 *
 * <p>Safe for use by several threads and processes: what two say at once, one of them has said.
 */
final class NodeSpeeds {
    /** Where a DataNode's word may be, from its first place on. */
    private static final int PLACES = 8;

    private final HostMemory memory;
    private final LongSupplier clock;

    /**
     * @param secondClock the same for all processes
     */
    NodeSpeeds(HostMemory memory, LongSupplier secondClock) {
        this.memory = memory;
        this.clock = secondClock;
    }

    /**
     * Of a packet.
     *
     * @param node its UUID
     * @return empty if nothing is known, or no longer
     */
    OptionalDouble micros(String node) {
        JobId name = JobId.named(node);
        long now = clock.getAsLong();
        for (int i = 0; i < PLACES; i++) {
            long word = memory.get(place(name, i));
            if (SpeedWord.isOf(word, name.part())) {
                return SpeedWord.micros(word, now);
            }
        }
        return OptionalDouble.empty();
    }

    /** A packet of that DataNode's took so long. */
    void took(String node, double micros) {
        JobId name = JobId.named(node);
        long now = clock.getAsLong();
        int at = find(name, now);
        if (at < 0) {
            return;
        }
        long before = memory.get(at);
        double known =
                SpeedWord.isOf(before, name.part())
                        ? SpeedWord.micros(before, now).orElse(Double.NaN)
                        : Double.NaN;
        double next = Ewma.next(known, micros, C3.WEIGHT);
        memory.replace(at, before, SpeedWord.of(name.part(), now, next));
    }

    /** Its own place, or the first that may be taken; -1 if all are others'. */
    private int find(JobId name, long now) {
        int free = -1;
        for (int i = 0; i < PLACES; i++) {
            int at = place(name, i);
            long word = memory.get(at);
            if (SpeedWord.isOf(word, name.part())) {
                return at;
            }
            if (free < 0 && SpeedWord.isForgotten(word, now)) {
                free = at;
            }
        }
        return free;
    }

    private static int place(JobId name, int number) {
        return (int) (name.whole() + number) & HostMemory.WORDS - 1;
    }
}
