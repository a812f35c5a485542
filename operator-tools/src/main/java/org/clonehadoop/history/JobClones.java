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
package org.clonehadoop.history;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.HashMap;
import java.util.Map;
import org.clonehadoop.rest.RestClient;

/**
 * What clones did in a finished job, by its counters. Pure.
 *
 * @param elapsedMillis from its submission to its end, as a report of it has
 * @param counters of {@code CloneCounter}, by name; those that are 0 may be missing
 */
record JobClones(
        String id,
        String name,
        String user,
        String queue,
        String state,
        long elapsedMillis,
        Map<String, Long> counters) {
    private static final String GROUP = "org.apache.hadoop.clone.appmaster.CloneCounter";

    /**
     * @param job of the JobHistory server's list of jobs
     * @param counters its answer for that job's counters
     */
    static JobClones of(JsonNode job, JsonNode counters) {
        Map<String, Long> ours = new HashMap<>();
        for (JsonNode group : RestClient.list(counters, "jobCounters", "counterGroup")) {
            if (group.path("counterGroupName").asText().equals(GROUP)) {
                for (JsonNode counter : group.path("counter")) {
                    ours.put(
                            counter.path("name").asText(),
                            counter.path("totalCounterValue").asLong());
                }
            }
        }
        return new JobClones(
                job.path("id").asText(),
                job.path("name").asText(),
                job.path("user").asText(),
                job.path("queue").asText(),
                job.path("state").asText(),
                job.path("finishTime").asLong() - job.path("submitTime").asLong(),
                ours);
    }

    long count(String counter) {
        return counters.getOrDefault(counter, 0L);
    }

    /** For how long an original was frozen, in the mean; 0 if none was. */
    long meanFrozenMillis() {
        long sent = count("CLONES_SENT");
        return sent == 0 ? 0 : count("FROZEN_MILLIS") / sent;
    }

    ObjectNode json() {
        ObjectMapper mapper = new ObjectMapper();
        ObjectNode json =
                mapper.createObjectNode()
                        .put("id", id)
                        .put("name", name)
                        .put("user", user)
                        .put("queue", queue)
                        .put("state", state)
                        .put("elapsed_s", elapsedMillis / 1000.0)
                        .put("frozen_ms_mean", meanFrozenMillis());
        json.set("counters", mapper.valueToTree(counters));
        return json;
    }
}
