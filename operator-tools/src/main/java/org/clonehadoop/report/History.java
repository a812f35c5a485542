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

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.clonehadoop.rest.NoTicketException;
import org.clonehadoop.rest.RestClient;

/** The JobHistory server's REST interface. */
public final class History {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int NOT_FOUND = 404;
    private static final int SERVER_ERROR = 500;
    private static final Pattern CLONE = Pattern.compile("CLONED_FROM_ATTEMPT_(\\d+)");

    private final RestClient client;
    private final String jobs;
    private final Duration patience;

    /**
     * @param server e.g. {@code http://h0:19888}, or with a path, as behind a proxy
     */
    public History(URI server) {
        this(server, PATIENCE);
    }

    /**
     * @param patience for a job to arrive there, and for each answer
     */
    public History(URI server, Duration patience) {
        this.patience = patience;
        client = new RestClient(patience);
        jobs = RestClient.history(server.toString()) + "jobs/";
    }

    /**
     * Waits for the job to arrive there, which is a moment after its end.
     *
     * @throws TimeoutException if it doesn't in time
     * @throws NoTicketException if the server asks for a Kerberos ticket and there is none
     * @throws IOException if the server doesn't answer, or refuses to
     */
    public Job job(String id) throws IOException, InterruptedException, TimeoutException {
        long deadline = System.nanoTime() + patience.toNanos();
        HttpResponse<String> found = get(id);
        while (found.statusCode() == NOT_FOUND || found.statusCode() >= SERVER_ERROR) {
            if (System.nanoTime() > deadline) {
                throw new TimeoutException(
                        jobs + " doesn't know " + id + ": HTTP status " + found.statusCode());
            }
            Thread.sleep(200);
            found = get(id);
        }
        List<JsonNode> attempts = new ArrayList<>();
        Map<String, JsonNode> counters = new HashMap<>();
        for (JsonNode task : RestClient.list(body(id + "/tasks"), "tasks", "task")) {
            String path = id + "/tasks/" + task.path("id").asText() + "/attempts";
            for (JsonNode attempt : RestClient.list(body(path), "taskAttempts", "taskAttempt")) {
                attempts.add(attempt);
                String name = attempt.path("id").asText();
                counters.put(name, body(path + "/" + name + "/counters"));
            }
        }
        return job(RestClient.body(found).path("job"), body(id + "/counters"), attempts, counters);
    }

    /**
     * @param jobCounters of the job
     * @param attemptCounters by the attempt's id
     */
    static Job job(
            JsonNode job,
            JsonNode jobCounters,
            List<JsonNode> attempts,
            Map<String, JsonNode> attemptCounters) {
        Map<String, Long> ofTasks = counters(jobCounters, ".TaskCounter");
        Map<String, Long> all = new TreeMap<>(counters(jobCounters, ".FileSystemCounter"));
        all.putAll(ofTasks);
        long finish = job.path("finishTime").asLong();
        return new Job(
                job.path("id").asText(),
                job.path("name").asText(),
                job.path("state").asText(),
                job.path("submitTime").asLong(),
                finish,
                counters(jobCounters, ".CloneCounter"),
                all,
                ofTasks.getOrDefault("CPU_MILLISECONDS", 0L) / 1000.0,
                attempts.stream()
                        .map(a -> attempt(a, attemptCounters.get(a.path("id").asText()), finish))
                        .sorted(Comparator.comparing(Attempt::type).thenComparing(Attempt::id))
                        .toList());
    }

    private static Map<String, Long> counters(JsonNode job, String group) {
        Map<String, Long> values = new TreeMap<>();
        for (JsonNode found : RestClient.list(job, "jobCounters", "counterGroup")) {
            if (found.path("counterGroupName").asText().endsWith(group)) {
                for (JsonNode counter : found.path("counter")) {
                    values.put(
                            counter.path("name").asText(),
                            counter.path("totalCounterValue").asLong());
                }
            }
        }
        return values;
    }

    // One that was being killed as the job ended has no end of its own.
    private static Attempt attempt(JsonNode attempt, JsonNode counters, long jobFinish) {
        long finish = attempt.path("finishTime").asLong();
        String id = attempt.path("id").asText();
        // The counter's name holds the original's number.
        Matcher original = CLONE.matcher(counters == null ? "" : counters.toString());
        return new Attempt(
                id,
                id.replaceFirst("^attempt_", "task_").replaceFirst("_\\d+$", ""),
                attempt.path("type").asText(),
                attempt.path("nodeHttpAddress").asText().replaceFirst(":\\d+$", ""),
                attempt.path("startTime").asLong(),
                finish > 0 ? finish : jobFinish,
                attempt.path("state").asText(),
                original.find() ? id.replaceFirst("\\d+$", original.group(1)) : null);
    }

    private HttpResponse<String> get(String path) throws IOException, InterruptedException {
        return client.get(URI.create(jobs + path));
    }

    private JsonNode body(String path) throws IOException, InterruptedException {
        return RestClient.body(get(path));
    }
}
