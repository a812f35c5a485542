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

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Predicate;
import org.apache.hadoop.classification.InterfaceAudience;

/** Where attempts have just ended, whose containers are about to be given to others. */
@InterfaceAudience.Private
public final class RecentEnds {
    private record End(String host, long millis) {}

    private final long recentMillis;
    private final Deque<End> ends = new ArrayDeque<>();

    /**
     * @param recentMillis how long an end is remembered
     */
    public RecentEnds(long recentMillis) {
        this.recentMillis = recentMillis;
    }

    /** An attempt has ended on that host now; in the order of time. */
    public void ended(String host, long nowMillis) {
        ends.addLast(new End(host, nowMillis));
        forget(nowMillis);
    }

    /** Whether one has ended on such a host. */
    public boolean isAny(Predicate<String> hosts, long nowMillis) {
        forget(nowMillis);
        return ends.stream().anyMatch(end -> hosts.test(end.host));
    }

    private void forget(long nowMillis) {
        while (!ends.isEmpty() && ends.getFirst().millis <= nowMillis - recentMillis) {
            ends.removeFirst();
        }
    }
}
