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
package org.apache.hadoop.clone.metrics;

import org.apache.hadoop.mapreduce.counters.AbstractCounters;
import org.apache.hadoop.mapreduce.counters.CounterGroupBase;
import org.apache.hadoop.mapreduce.counters.FileSystemCounterGroup;
import org.apache.hadoop.mapreduce.counters.FrameworkCounterGroup;
import org.apache.hadoop.mapreduce.counters.LimitExceededException;
import org.apache.hadoop.mapreduce.counters.Limits;

/**
 * Room for counters of ours. A job that has more than {@code mapreduce.job.counters.max} fails, in
 * its AppMaster or in its client.
 */
public final class CounterRoom {
    /** Of a task's or a job's limit: others may still come. */
    private static final int SHARE = 4;

    private CounterRoom() {}

    /** Whether these are so few that ours won't matter, whatever comes. */
    public static boolean isAmple(AbstractCounters<?, ?> counters) {
        int limited = 0;
        for (CounterGroupBase<?> group : counters) {
            if (isLimited(group)) {
                limited += group.size();
            }
        }
        return limited * SHARE <= Limits.getCountersMax();
    }

    /** Hadoop's own are known, and don't count. */
    private static boolean isLimited(CounterGroupBase<?> group) {
        CounterGroupBase<?> own = group.getUnderlyingGroup();
        return !(own instanceof FrameworkCounterGroup || own instanceof FileSystemCounterGroup);
    }

    /**
     * Adds one more to these, or leaves them as good as they are; whether there was room for it.
     */
    public static boolean add(AbstractCounters<?, ?> counters, Enum<?> another) {
        try {
            counters.findCounter(another);
            return true;
        } catch (LimitExceededException e) {
            return false;
        }
    }
}
