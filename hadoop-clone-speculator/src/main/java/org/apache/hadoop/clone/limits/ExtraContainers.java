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
import java.util.Set;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskId;

/**
 * For how long tasks have had a second container: what all second attempts of a job cost, since one
 * of the two does in vain what it does.
 */
@InterfaceAudience.Private
public final class ExtraContainers {
    private record Pair(long since, Set<TaskAttemptId> attempts) {}

    private final Map<TaskId, Pair> pairs = new HashMap<>();
    private long endedMillis;

    /**
     * The task has a second container.
     *
     * @param attempts its attempts that have one
     */
    public synchronized void began(TaskId task, Set<TaskAttemptId> attempts, long nowMillis) {
        pairs.putIfAbsent(task, new Pair(nowMillis, Set.copyOf(attempts)));
    }

    /**
     * An attempt has ended. Of one that had ended before more may be heard, while others of its
     * task go on.
     *
     * @return for how long its task had a second container by that, in milliseconds; 0 if it had
     *     none
     */
    public synchronized long ended(TaskAttemptId attempt, long nowMillis) {
        Pair pair = pairs.get(attempt.getTaskId());
        if (pair == null || !pair.attempts().contains(attempt)) {
            return 0;
        }
        pairs.remove(attempt.getTaskId());
        long millis = nowMillis - pair.since();
        endedMillis += millis;
        return millis;
    }

    /** All together until now, in milliseconds. */
    public synchronized long millis(long nowMillis) {
        return endedMillis
                + pairs.values().stream().mapToLong(pair -> nowMillis - pair.since()).sum();
    }
}
