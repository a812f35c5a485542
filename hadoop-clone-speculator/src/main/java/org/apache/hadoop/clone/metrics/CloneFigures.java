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

import java.util.List;
import java.util.Map;
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * All figures of a job's clones at a moment.
 *
 * @param permission what operators let the job do now, in words
 * @param on whether they let it clone
 * @param decisions how often each was made: by outcome, then by reason
 * @param underWay clones that haven't ended, by state
 * @param counters as in the job's history, by name
 * @param extraContainerMillis for how long tasks have had containers for second attempts
 * @param reasons why clones came to nothing, and how many
 * @param clones the last ones, the newest first
 */
@InterfaceAudience.Private
public record CloneFigures(
        String job,
        String permission,
        boolean on,
        Map<String, Map<String, Long>> decisions,
        Map<String, Long> underWay,
        Map<String, Long> counters,
        long extraContainerMillis,
        Map<String, Long> reasons,
        List<Row> clones) {

    /**
     * One clone.
     *
     * @param attempt empty as long as there is none
     * @param host where that is; empty as long as it is nowhere
     * @param sinceMillis when it came into its state, since the epoch
     * @param why it did, where that isn't plain
     */
    public record Row(
            long id,
            String original,
            String attempt,
            String host,
            String state,
            long sinceMillis,
            String why) {}
}
