package org.clonehadoop.benchmarks.jobs;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The JobHistory server's REST interface. */
public final class History {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Pattern CLONE =
            Pattern.compile("clone of (attempt_[0-9]+_[0-9]+_[mr]_\\d+_\\d+)");

    private final HttpClient client = HttpClient.newHttpClient();
    private final ObjectMapper mapper = new ObjectMapper();
    private final URI jobs;

    /**
     * @param server e.g. {@code http://h0:19888}
     */
    public History(URI server) {
        jobs = server.resolve("/ws/v1/history/mapreduce/jobs/");
    }

    /**
     * Waits for the job to arrive there, which is a moment after its end.
     *
     * @throws TimeoutException if it isn't there after a minute
     */
    public Job job(String id) throws IOException, InterruptedException, TimeoutException {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        HttpResponse<String> found = get(id);
        while (found.statusCode() != 200) {
            if (System.nanoTime() > deadline) {
                throw new TimeoutException(
                        jobs + " doesn't know " + id + ": HTTP status " + found.statusCode());
            }
            Thread.sleep(200);
            found = get(id);
        }
        List<JsonNode> attempts = new ArrayList<>();
        for (JsonNode task : list(body(get(id + "/tasks")), "tasks", "task")) {
            String path = id + "/tasks/" + task.path("id").asText() + "/attempts";
            list(body(get(path)), "taskAttempts", "taskAttempt").forEach(attempts::add);
        }
        return job(body(found).path("job"), attempts);
    }

    static Job job(JsonNode job, List<JsonNode> attempts) {
        return new Job(
                job.path("id").asText(),
                job.path("name").asText(),
                job.path("state").asText(),
                job.path("submitTime").asLong(),
                job.path("finishTime").asLong(),
                attempts.stream()
                        .map(History::attempt)
                        .sorted(Comparator.comparing(Attempt::type).thenComparing(Attempt::id))
                        .toList());
    }

    private static Attempt attempt(JsonNode attempt) {
        String id = attempt.path("id").asText();
        Matcher original = CLONE.matcher(attempt.path("diagnostics").asText());
        return new Attempt(
                id,
                id.replaceFirst("^attempt_", "task_").replaceFirst("_\\d+$", ""),
                attempt.path("type").asText(),
                attempt.path("nodeHttpAddress").asText().replaceFirst(":\\d+$", ""),
                attempt.path("startTime").asLong(),
                attempt.path("finishTime").asLong(),
                attempt.path("state").asText(),
                original.find() ? original.group(1) : null);
    }

    /** A list of one is no list in this interface. */
    static List<JsonNode> list(JsonNode body, String outer, String inner) {
        JsonNode found = body.path(outer).path(inner);
        List<JsonNode> list = new ArrayList<>();
        if (found.isArray()) {
            found.forEach(list::add);
        } else if (found.isObject()) {
            list.add(found);
        }
        return list;
    }

    private HttpResponse<String> get(String path) throws IOException, InterruptedException {
        HttpRequest request =
                HttpRequest.newBuilder(jobs.resolve(path))
                        .header("Accept", "application/json")
                        .timeout(PATIENCE)
                        .build();
        return client.send(request, BodyHandlers.ofString());
    }

    private JsonNode body(HttpResponse<String> response) throws IOException {
        if (response.statusCode() != 200) {
            throw new IOException(response.uri() + ": HTTP status " + response.statusCode());
        }
        return mapper.readTree(response.body());
    }
}
