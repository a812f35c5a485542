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
package org.clonehadoop.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.clonehadoop.rest.RestClient;
import org.junit.jupiter.api.Test;

class HistoryTest {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    @Test
    void readsJobsAndAttempts() throws IOException {
        JsonNode job =
                MAPPER.readTree(
                        """
                        {"id": "job_1_0002", "name": "TeraSort", "state": "SUCCEEDED",
                         "submitTime": 1000, "startTime": 3000, "finishTime": 41500}""");
        Job read =
                History.job(
                        job,
                        MAPPER.readTree(
                                """
                                {"jobCounters": {"counterGroup": [
                                  {"counterGroupName": "org.apache.hadoop.mapreduce.TaskCounter",
                                   "counter": [{"name": "CPU_MILLISECONDS", "totalCounterValue": 4500}]},
                                  {"counterGroupName": "org.apache.hadoop.clone.appmaster.CloneCounter",
                                   "counter": [{"name": "CLONES_RUNNING", "totalCounterValue": 1},
                                               {"name": "CLONES_SENT", "totalCounterValue": 2},
                                               {"name": "FROZEN_MILLIS", "totalCounterValue": 170}]}]}}"""),
                        List.of(
                                attempt("r_000000_0", "REDUCE", "SUCCEEDED"),
                                attempt("m_000001_1", "MAP", "SUCCEEDED"),
                                attempt("m_000001_0", "MAP", "KILLED"),
                                attempt("m_000000_1", "MAP", "SUCCEEDED"),
                                attempt("m_000000_0", "MAP", "KILLED")),
                        Map.of(
                                "attempt_1_0002_m_000000_1",
                                MAPPER.readTree("[{\"name\": \"CLONED_FROM_ATTEMPT_0\"}]")));

        assertThat(read.seconds()).isEqualTo(40.5);
        assertThat(read.attempts())
                .extracting(Attempt::shortId)
                .containsExactly(
                        "m_000000_0", "m_000000_1", "m_000001_0", "m_000001_1", "r_000000_0");
        assertThat(read.attempts().get(1))
                .isEqualTo(
                        new Attempt(
                                "attempt_1_0002_m_000000_1",
                                "task_1_0002_m_000000",
                                "MAP",
                                "h2",
                                5000,
                                9000,
                                "SUCCEEDED",
                                "attempt_1_0002_m_000000_0"));
        assertThat(read.extraAttempts()).isEqualTo(2);
        assertThat(read.extraAttemptsWon()).isEqualTo(2);
        assertThat(read.clonesWon()).isEqualTo(1);
        assertThat(read.cpuSeconds()).isEqualTo(4.5);
        assertThat(read.counters()).containsEntry("CPU_MILLISECONDS", 4500L);
        assertThat(read.clonesLaunched()).isEqualTo(1);
        assertThat(read.freezeMillis()).isEqualTo(85);
        assertThat(read.orderToRunningMillis()).isZero();
        assertThat(read.thrownAwaySeconds()).isEqualTo(8);
    }

    @Test
    void anAttemptThatOutlivesItsJobEndsWithIt() throws IOException {
        JsonNode killed = attempt("r_000000_1", "REDUCE", "KILLED");
        ((ObjectNode) killed).put("finishTime", -1);
        Job read =
                History.job(
                        MAPPER.readTree("{\"finishTime\": 6500}"),
                        MAPPER.readTree("{}"),
                        List.of(killed),
                        Map.of());
        assertThat(read.thrownAwaySeconds()).isEqualTo(1.5);
    }

    @Test
    void listsMayBeSingleThingsOrMissing() throws IOException {
        assertThat(list("{\"tasks\": {\"task\": [{\"id\": 1}, {\"id\": 2}]}}")).hasSize(2);
        assertThat(list("{\"tasks\": {\"task\": {\"id\": 1}}}")).hasSize(1);
        assertThat(list("{\"tasks\": null}")).isEmpty();
    }

    private static List<JsonNode> list(String json) throws IOException {
        return RestClient.list(MAPPER.readTree(json), "tasks", "task");
    }

    private static JsonNode attempt(String id, String type, String state) {
        return MAPPER.createObjectNode()
                .put("id", "attempt_1_0002_" + id)
                .put("type", type)
                .put("state", state)
                .put("nodeHttpAddress", "h2:8042")
                .put("startTime", 5000)
                .put("finishTime", 9000);
    }
}
