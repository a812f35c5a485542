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
package org.apache.hadoop.clone.estimate;

import java.util.HashMap;
import java.util.Map;

/**
 * How long containers of a kind take until their attempts work. Those that haven't come so far
 * count with what they have waited: the estimate of an exponential time from censored samples, all
 * time that was waited over the number of those that started.
 */
final class StartTimes {
    private static final class Sums {
        private double startedMillis;
        private int started;
        private double launches;
        private int waiting;

        void add(Sums other, int sign) {
            startedMillis += sign * other.startedMillis;
            started += sign * other.started;
            launches += sign * other.launches;
            waiting += sign * other.waiting;
        }

        double mean(long now) {
            return meanWithout(NOTHING, now);
        }

        double meanWithout(Sums other, long now) {
            return (startedMillis
                            - other.startedMillis
                            + (waiting - other.waiting) * (double) now
                            - (launches - other.launches))
                    / (started - other.started);
        }
    }

    private static final Sums NOTHING = new Sums();

    private final Sums all = new Sums();
    private final Map<String, Sums> byHost = new HashMap<>();

    void launched(String host, long now) {
        Sums change = new Sums();
        change.waiting = 1;
        change.launches = now;
        add(host, change);
    }

    /**
     * @param launched when it was; later than now if the clock was set back meanwhile
     */
    void started(String host, long launched, long now) {
        Sums change = new Sums();
        change.startedMillis = Math.max(0, now - launched);
        change.started = 1;
        change.waiting = -1;
        change.launches = -launched;
        add(host, change);
    }

    /** It will not start any more, or wasn't to begin at zero. */
    void withdrawn(String host, long launched) {
        Sums change = new Sums();
        change.waiting = -1;
        change.launches = -launched;
        add(host, change);
    }

    private void add(String host, Sums change) {
        all.add(change, 1);
        byHost.computeIfAbsent(host, name -> new Sums()).add(change, 1);
    }

    /**
     * On other hosts, if any has started there.
     *
     * @return milliseconds; NaN as long as none has
     */
    double usual(String host, long now) {
        Sums here = byHost.getOrDefault(host, NOTHING);
        if (all.started > here.started) {
            return all.meanWithout(here, now);
        }
        return all.started > 0 ? all.mean(now) : Double.NaN;
    }
}
