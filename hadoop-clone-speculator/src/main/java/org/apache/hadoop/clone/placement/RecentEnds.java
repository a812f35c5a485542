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
import java.util.function.Predicate;
import org.apache.hadoop.classification.InterfaceAudience;

/** Where attempts have just ended, whose containers are about to be given to others. */
@InterfaceAudience.Private
public final class RecentEnds {
    private final long recentMillis;
    private final Map<String, Long> last = new HashMap<>();

    /**
     * @param recentMillis how long an end is a recent one
     */
    public RecentEnds(long recentMillis) {
        this.recentMillis = recentMillis;
    }

    /** An attempt has ended on that host now. */
    public void ended(String host, long nowMillis) {
        last.put(host, nowMillis);
    }

    /** Whether one has ended on such a host. */
    public boolean isAny(Predicate<String> hosts, long nowMillis) {
        return last.entrySet().stream()
                .anyMatch(
                        end ->
                                nowMillis - end.getValue() < recentMillis
                                        && hosts.test(end.getKey()));
    }
}
