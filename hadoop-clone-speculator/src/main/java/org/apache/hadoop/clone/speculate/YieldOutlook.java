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
package org.apache.hadoop.clone.speculate;

import java.util.Optional;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.clone.score.CloneScore;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.apache.hadoop.mapreduce.v2.app.job.TaskAttempt;

/** What must be known where a reduce may {@linkplain ReduceYield give way}. */
@InterfaceAudience.Private
public interface YieldOutlook {
    /** Whether maps without any attempt under way waited for containers at the last look. */
    boolean firstMapsWait();

    /**
     * Of a map for which a second attempt waits, as if that began now.
     *
     * @return empty if the map doesn't run any more
     */
    Optional<CloneScore> waitingScore(TaskAttemptId map);

    /**
     * What a reduce that waits for maps would lose if it began again, in milliseconds: its start,
     * and what it has fetched. It is taken to start as others did: reduces, or maps where nothing
     * is known of reduces. Hadoop tells nothing of these to speculators where they have no second
     * attempts (MRAppMaster.SpeculatorEventDispatcher).
     *
     * @return NaN as long as nothing has started
     */
    double restartMillis(TaskAttempt reduce);

    /** Of a second in a container, in seconds that a second attempt must save. */
    double price();
}
