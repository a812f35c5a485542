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
import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import javax.xml.parsers.DocumentBuilderFactory;
import org.clonehadoop.command.Commands;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReportCommandTest {
    private static final String ID = "job_1_0001";
    private static final Attempt ORIGINAL = attempt(0, 0, "h1", 1000, 41_000, "KILLED", null);
    private static final Attempt WINNER =
            attempt(0, 1, "h2", 31_000, 40_000, "SUCCEEDED", ORIGINAL.id());
    private static final Attempt OTHER = attempt(1, 0, "<h3>", 1000, 20_000, "SUCCEEDED", null);
    private static final Attempt LOSER = attempt(1, 1, "h1", 15_000, 21_000, "KILLED", OTHER.id());

    private static final Job JOB =
            new Job(
                    ID,
                    "sort & <count>",
                    "SUCCEEDED",
                    0,
                    45_000,
                    Map.of(
                            "CLONES_ORDERED", 3L,
                            "CLONES_SENT", 2L,
                            "FROZEN_MILLIS", 240L,
                            "WON_MILLIS", 62_500L),
                    Map.of(),
                    30,
                    List.of(ORIGINAL, WINNER, OTHER, LOSER));

    private static Attempt attempt(
            int task, int number, String host, long start, long end, String state, String from) {
        String base = "1_0001_m_00000" + task;
        return new Attempt(
                "attempt_" + base + "_" + number,
                "task_" + base,
                "MAP",
                host,
                start,
                end,
                state,
                from);
    }

    /** The original of one that won did in vain what it did after its clone's launch. */
    @Test
    void eachCloneHasItsLine() {
        assertThat(CloneLine.of(JOB))
                .containsExactly(
                        new CloneLine(WINNER.id(), "h2", ORIGINAL.id(), "h1", 31, 40, true, 10),
                        new CloneLine(LOSER.id(), "h1", OTHER.id(), "<h3>", 15, 21, false, 6));
    }

    @Test
    void theSummarySaysWhatWasSavedAndThrownAway() {
        assertThat(ReportCommand.summary(JOB, CloneLine.of(JOB)))
                .containsExactly(
                        "job_1_0001 (sort & <count>): SUCCEEDED after 45.0 s, with 4 attempts of 2"
                                + " tasks",
                        "Clones: 3 ordered, 2 ran, 1 won",
                        "Saved: about 62.5 s of tasks' time, by the AppMaster's estimates. Thrown"
                                + " away: 16.0 s in containers of attempts that didn't win.",
                        "Originals were frozen for 120 ms, on average");
    }

    /** As with very many counters: the job's are right then, as history has them. */
    @Test
    void clonesOfWhichAttemptsDontTellCountAndAreSaidToBeMissing() {
        Attempt silent = attempt(0, 1, "h2", 31_000, 40_000, "SUCCEEDED", null);
        Map<String, Long> counters =
                Map.of("CLONES_ORDERED", 4L, "CLONES_RUNNING", 3L, "CLONES_WON", 1L);
        Job job =
                new Job(
                        ID,
                        "sort",
                        "SUCCEEDED",
                        0,
                        45_000,
                        counters,
                        Map.of(),
                        30,
                        List.of(ORIGINAL, silent, OTHER, LOSER));
        assertThat(ReportCommand.summary(job, CloneLine.of(job)))
                .contains("Clones: 4 ordered, 3 ran, 1 won")
                .anyMatch(line -> line.contains("2 that ran and 1 that won aren't listed"));
    }

    @Test
    void thePageIsWellFormedWhateverJobsAndHostsAreCalled() throws Exception {
        List<CloneLine> clones = CloneLine.of(JOB);
        String page = JobPage.html(JOB, ReportCommand.summary(JOB, clones), clones);
        DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(
                        new ByteArrayInputStream(
                                page.replaceFirst("<!DOCTYPE html>", "")
                                        .replace("<meta charset=\"utf-8\">", "")
                                        .getBytes(StandardCharsets.UTF_8)));
        assertThat(page)
                .contains("sort &amp; &lt;count&gt;", "&lt;h3&gt;", "<svg", "class=\"branch\"")
                .doesNotContain("<h3>", "<count>");
    }

    /** Also one that is behind a path, as a proxy's. */
    @ParameterizedTest
    @ValueSource(strings = {"", "/gateway/default/"})
    void aServersAnswersBecomeAllThreeReports(String before, @TempDir Path dir) throws Exception {
        HttpServer real = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
        Answers server = new Answers(real, before.replaceFirst("/$", ""));
        String attempts = "/tasks/task_1_0001_m_000000/attempts";
        server.answer(
                "",
                """
                {"job": {"id": "job_1_0001", "name": "sort", "state": "SUCCEEDED",
                 "submitTime": 1000, "finishTime": 46000}}""");
        server.answer(
                "/counters",
                """
                {"jobCounters": {"counterGroup": [{"counterGroupName":
                 "org.apache.hadoop.clone.appmaster.CloneCounter", "counter": [
                 {"name": "WON_MILLIS", "totalCounterValue": 5000},
                 {"name": "CLONES_ORDERED", "totalCounterValue": 1}]}]}}""");
        server.answer("/tasks", "{\"tasks\": {\"task\": [{\"id\": \"task_1_0001_m_000000\"}]}}");
        server.answer(
                attempts,
                """
                {"taskAttempts": {"taskAttempt": [
                 {"id": "attempt_1_0001_m_000000_0", "type": "MAP", "state": "KILLED",
                  "nodeHttpAddress": "h1:8042", "startTime": 2000, "finishTime": 31000},
                 {"id": "attempt_1_0001_m_000000_1", "type": "MAP", "state": "SUCCEEDED",
                  "nodeHttpAddress": "h2:8042", "startTime": 21000, "finishTime": 30000}]}}""");
        server.answer(attempts + "/attempt_1_0001_m_000000_0/counters", "{}");
        server.answer(
                attempts + "/attempt_1_0001_m_000000_1/counters",
                "{\"x\": \"CLONED_FROM_ATTEMPT_0\"}");
        real.start();
        try {
            Path html = dir.resolve("job.html");
            Path json = dir.resolve("job.json");
            int exit =
                    Commands.line(new ReportCommand())
                            .execute(
                                    ID,
                                    "--url",
                                    "http://127.0.0.1:" + real.getAddress().getPort() + before,
                                    "--html",
                                    html.toString(),
                                    "--json",
                                    json.toString());
            assertThat(exit).isZero();
            assertThat(Files.readString(html)).contains("Clones: 1 ordered, 1 ran, 1 won");
            JsonNode all = new ObjectMapper().readTree(json.toFile());
            assertThat(all.path("saved_s").asDouble()).isEqualTo(5);
            assertThat(all.path("thrown_away_s").asDouble()).isEqualTo(10);
            assertThat(all.at("/clones_by_attempt/0/original_host").asText()).isEqualTo("h1");
        } finally {
            real.stop(0);
        }
    }

    private record Answers(HttpServer server, String before) {
        void answer(String path, String body) {
            server.createContext(
                    before + "/ws/v1/history/mapreduce/jobs/" + ID + path,
                    exchange -> {
                        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
                        exchange.sendResponseHeaders(200, bytes.length);
                        exchange.getResponseBody().write(bytes);
                        exchange.close();
                    });
        }
    }

    /** What it says on standard error as it fails. */
    private static String failure(String url) {
        StringWriter said = new StringWriter();
        int code =
                Commands.line(new ReportCommand())
                        .setErr(new PrintWriter(said, true))
                        .execute(ID, "--url", url);
        assertThat(code).isEqualTo(1);
        return said.toString();
    }

    @Test
    void whatIsNoUrlIsNamed() {
        assertThat(failure("h1:19888").lines())
                .singleElement()
                .asString()
                .contains("no URL", "h1:19888");
    }

    /** As a proxy's. */
    @Test
    void aPageInsteadOfAnAnswerIsOneLine() throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
        new Answers(server, "").answer("", "<html>\n<body>Sign in</body></html>\n");
        server.start();
        try {
            assertThat(failure("http://127.0.0.1:" + server.getAddress().getPort()).lines())
                    .singleElement()
                    .asString()
                    .contains("answers no JSON");
        } finally {
            server.stop(0);
        }
    }

    @Test
    void aServerThatIsNotThereIsSaid() throws IOException {
        ServerSocket closed = new ServerSocket(0);
        String url = "http://127.0.0.1:" + closed.getLocalPort();
        closed.close();
        assertThat(Commands.line(new ReportCommand()).execute(ID, "--url", url)).isEqualTo(1);
        assertThat(Commands.line(new ReportCommand()).execute(ID)).isEqualTo(2);
    }
}
