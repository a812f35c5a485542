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
package org.apache.hadoop.clone.hdfs.read.datanode;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * How many readers and writers have been at one block for as long as {@link Presence} remembers.
 */
final class Stayers {
    private final Supplier<Set<String>> atBlocks;

    /** The second in which each was seen first. */
    private final Map<String, Long> since = new HashMap<>();

    private long second = Long.MIN_VALUE;
    private volatile int count;

    /**
     * @param atBlocks those that are there, each by a name that it has at that block only
     */
    Stayers(Supplier<Set<String>> atBlocks) {
        this.atBlocks = atBlocks;
    }

    /** Looks, once a second. Called by one thread, again and again. */
    void sample(long nanos) {
        long now = TimeUnit.NANOSECONDS.toSeconds(nanos);
        if (now == second) {
            return;
        }
        second = now;
        Set<String> there = atBlocks.get();
        since.keySet().retainAll(there);
        there.forEach(name -> since.putIfAbsent(name, now));
        count =
                (int)
                        since.values().stream()
                                .filter(first -> now - first >= Presence.SECONDS)
                                .count();
    }

    int count() {
        return count;
    }
}
