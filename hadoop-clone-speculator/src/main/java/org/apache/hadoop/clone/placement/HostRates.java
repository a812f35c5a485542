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
package org.apache.hadoop.clone.placement;

import java.util.HashMap;
import java.util.Map;
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * How fast each host is, by what a job's attempts of one kind have done there in how much time. The
 * sums are kept as attempts change, so that to ask takes as long as there are hosts, however many
 * attempts there were. Not thread-safe.
 *
 * @param <A> what names an attempt
 */
@InterfaceAudience.Private
public final class HostRates<A> {

    /**
     * What an attempt has done on a host. Times are in milliseconds of one clock.
     *
     * @param end 0 as long as it runs
     * @param done from 0 to 1; anything below counts as unknown, and the stint as none
     */
    public record Stint(String host, long start, long end, double done) {
        private boolean isRunning() {
            return end <= 0;
        }
    }

    /** All stints on a host. */
    private static final class Sum {
        private double done;
        private long millisOfEnded;
        private long running;
        private long startsOfRunning;

        void add(Stint stint, long start, int times) {
            done += times * stint.done;
            if (stint.isRunning()) {
                running += times;
                startsOfRunning += times * start;
            } else {
                millisOfEnded += times * (stint.end - start);
            }
        }

        long millis(long now) {
            return millisOfEnded + running * now - startsOfRunning;
        }
    }

    private final Map<A, Stint> stints = new HashMap<>();
    private final Map<String, Sum> sums = new HashMap<>();
    private long from;
    private long lastEnd;

    /** What the attempt has done by now; it takes the place of what was said of it before. */
    public void put(A attempt, Stint stint) {
        Stint before = stints.put(attempt, stint);
        if (before != null) {
            add(before, -1);
        }
        add(stint, 1);
        lastEnd = Math.max(lastEnd, stint.end);
    }

    /** What the attempt has done says nothing of its host. */
    public void remove(A attempt) {
        Stint before = stints.remove(attempt);
        if (before != null) {
            add(before, -1);
        }
    }

    /** Time before that doesn't count; a stint that had ended by then isn't one. */
    public void countFrom(long millis) {
        if (millis != from) {
            from = millis;
            sums.clear();
            stints.values().forEach(stint -> add(stint, 1));
        }
    }

    private void add(Stint stint, int times) {
        long start = Math.max(stint.start, from);
        if (stint.done >= 0 && (stint.isRunning() || stint.end > start)) {
            sums.computeIfAbsent(stint.host, host -> new Sum()).add(stint, start, times);
        }
    }

    /** When the last attempt that has ended did; 0 if none has. */
    public long lastEnd() {
        return lastEnd;
    }

    /**
     * All of a host's work over all of its time, so that an attempt that has only begun says next
     * to nothing; in parts of an attempt for each millisecond. Hosts without any time are missing.
     */
    public Map<String, Double> rates(long now) {
        Map<String, Double> rates = new HashMap<>();
        sums.forEach(
                (host, sum) -> {
                    long millis = sum.millis(now);
                    if (millis > 0) {
                        rates.put(host, sum.done / millis);
                    }
                });
        return rates;
    }
}
