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

import java.util.HashMap;
import java.util.Map;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.mapreduce.v2.api.records.TaskId;

/**
 * For how long tasks have had a second container: what all second attempts of a job cost, since one
 * of the two does in vain what it does.
 */
@InterfaceAudience.Private
public final class ExtraContainers {
    private final Map<TaskId, Long> since = new HashMap<>();
    private long endedMillis;

    /** The task has a second container. */
    public synchronized void began(TaskId task, long nowMillis) {
        since.putIfAbsent(task, nowMillis);
    }

    /**
     * One of its attempts has ended, whichever.
     *
     * @return for how long it had a second container, in milliseconds; 0 if it had none
     */
    public synchronized long ended(TaskId task, long nowMillis) {
        Long begun = since.remove(task);
        long millis = begun == null ? 0 : nowMillis - begun;
        endedMillis += millis;
        return millis;
    }

    /** All together until now, in milliseconds. */
    public synchronized long millis(long nowMillis) {
        return endedMillis + since.values().stream().mapToLong(begun -> nowMillis - begun).sum();
    }
}
