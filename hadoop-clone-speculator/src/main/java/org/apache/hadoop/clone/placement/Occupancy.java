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
 * How many attempts worked on each host at once, in the mean of the time in which any did, as far
 * as that is remembered. Not thread-safe.
 */
@InterfaceAudience.Private
public final class Occupancy {
    private static final class Sum {
        private double busyMillis;
        private double attemptMillis;
        private int working;
        private long asOf;

        void advance(long now, Memory memory) {
            if (now > asOf) {
                double rest = memory.rest(asOf, now);
                busyMillis = busyMillis * rest + (working > 0 ? now - asOf : 0);
                attemptMillis = attemptMillis * rest + (double) working * (now - asOf);
                asOf = now;
            }
        }
    }

    private final Map<String, Sum> sums = new HashMap<>();
    private final Memory memory;

    public Occupancy(Memory memory) {
        this.memory = memory;
    }

    /** So many work there from now on. */
    public void changed(String host, int working, long now) {
        Sum sum = sums.computeIfAbsent(host, unknown -> new Sum());
        sum.advance(now, memory);
        sum.working = working;
    }

    /** At least 1; that of a host of which nothing is known. */
    public double of(String host, long now) {
        Sum sum = sums.get(host);
        if (sum == null) {
            return 1;
        }
        sum.advance(now, memory);
        return sum.busyMillis > 0 ? sum.attemptMillis / sum.busyMillis : 1;
    }
}
