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

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.clonehadoop.command.Commands;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class HistoryCommandTest {
    private static final String JOBS =
            """
            {"jobs":{"job":[
              {"id":"job_1_1","name":"early","user":"u","queue":"q","state":"SUCCEEDED","submitTime":900,"startTime":1000,"finishTime":3000},
              {"id":"job_1_2","name":"late","user":"u","queue":"q","state":"SUCCEEDED","submitTime":1500,"startTime":2000,"finishTime":9000}]}}
            """;

    private static final String COUNTERS =
            """
            {"jobCounters":{"counterGroup":[
              {"counterGroupName":"org.apache.hadoop.clone.appmaster.CloneCounter","counter":[
                {"name":"CLONES_ORDERED","totalCounterValue":3},{"name":"CLONES_WON","totalCounterValue":1},
                {"name":"CLONES_SENT","totalCounterValue":2},{"name":"FROZEN_MILLIS","totalCounterValue":300}]},
              {"counterGroupName":"other","counter":[{"name":"CLONES_WON","totalCounterValue":9}]}]}}
            """;

    private HttpServer server;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        answer("/ws/v1/history/mapreduce/jobs", JOBS);
        answer("/ws/v1/history/mapreduce/jobs/job_1_1/counters", "{}");
        answer("/ws/v1/history/mapreduce/jobs/job_1_2/counters", COUNTERS);
        server.start();
    }

    private void answer(String path, String body) {
        answer(path, 200, body);
    }

    private void answer(String path, int status, String body) {
        server.createContext(
                path,
                exchange -> {
                    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
                    exchange.sendResponseHeaders(status, bytes.length);
                    exchange.getResponseBody().write(bytes);
                    exchange.close();
                });
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    private int run(String url, Path json) {
        return run(new HistoryCommand(), url, json);
    }

    private static int run(HistoryCommand command, String url, Path json) {
        return Commands.line(command)
                .execute("--url", url, "--last", "2", "--json", json.toString());
    }

    /** What it says on standard error as it fails. */
    private String failure() {
        StringWriter said = new StringWriter();
        int code =
                Commands.line(new HistoryCommand(Duration.ofSeconds(1)))
                        .setErr(new PrintWriter(said, true))
                        .execute("--url", "http://localhost:" + server.getAddress().getPort());
        assertThat(code).isEqualTo(1);
        return said.toString();
    }

    private void neverAnswer(String path) {
        server.removeContext(path);
        server.createContext(path, exchange -> {});
    }

    @Test
    void tellsOfTheLatestJobFirst(@TempDir Path directory) throws Exception {
        Path json = directory.resolve("jobs.json");
        assertThat(run("http://localhost:" + server.getAddress().getPort() + "/", json)).isZero();
        var jobs = new com.fasterxml.jackson.databind.ObjectMapper().readTree(json.toFile());
        assertThat(jobs.at("/0/id").textValue()).isEqualTo("job_1_2");
        assertThat(jobs.at("/0/elapsed_s").doubleValue()).isEqualTo(7.5);
        assertThat(jobs.at("/0/counters/CLONES_WON").longValue()).isEqualTo(1);
        assertThat(jobs.at("/0/frozen_ms_mean").longValue()).isEqualTo(150);
        assertThat(jobs.at("/1/counters").isEmpty()).isTrue();
    }

    /** As Jersey writes it. */
    @Test
    void aListOfOneIsNoList(@TempDir Path directory) throws Exception {
        server.removeContext("/ws/v1/history/mapreduce/jobs");
        answer(
                "/ws/v1/history/mapreduce/jobs",
                "{\"jobs\":{\"job\":{\"id\":\"job_1_2\",\"submitTime\":0,\"finishTime\":9000}}}");
        Path json = directory.resolve("jobs.json");
        assertThat(run("http://localhost:" + server.getAddress().getPort(), json)).isZero();
        var jobs = new com.fasterxml.jackson.databind.ObjectMapper().readTree(json.toFile());
        assertThat(jobs).hasSize(1);
        assertThat(jobs.at("/0/counters/CLONES_WON").longValue()).isEqualTo(1);
    }

    /** As with mapreduce.cluster.acls.enabled. */
    @Test
    void aJobThatTheUserMayNotViewHidesNoOther(@TempDir Path directory) throws Exception {
        server.removeContext("/ws/v1/history/mapreduce/jobs/job_1_2/counters");
        answer("/ws/v1/history/mapreduce/jobs/job_1_2/counters", 401, "");
        Path json = directory.resolve("jobs.json");
        assertThat(run("http://localhost:" + server.getAddress().getPort(), json)).isZero();
        var jobs = new com.fasterxml.jackson.databind.ObjectMapper().readTree(json.toFile());
        assertThat(jobs).hasSize(1);
        assertThat(jobs.at("/0/id").textValue()).isEqualTo("job_1_1");
    }

    /** Its file was removed, or can't be parsed, or a proxy's page is there instead. */
    @ParameterizedTest
    @CsvSource({"404, ''", "500, ''", "200, <html>"})
    void aJobThatCantBeReadHidesNoOther(int status, String body, @TempDir Path directory)
            throws Exception {
        server.removeContext("/ws/v1/history/mapreduce/jobs/job_1_2/counters");
        answer("/ws/v1/history/mapreduce/jobs/job_1_2/counters", status, body);
        Path json = directory.resolve("jobs.json");
        assertThat(run("http://localhost:" + server.getAddress().getPort(), json)).isZero();
        var jobs = new com.fasterxml.jackson.databind.ObjectMapper().readTree(json.toFile());
        assertThat(jobs).hasSize(1);
        assertThat(jobs.at("/0/id").textValue()).isEqualTo("job_1_1");
    }

    @Test
    void aJobWhoseCountersDontArriveInTimeHidesNoOther(@TempDir Path directory) throws Exception {
        neverAnswer("/ws/v1/history/mapreduce/jobs/job_1_2/counters");
        Path json = directory.resolve("jobs.json");
        HistoryCommand command = new HistoryCommand(Duration.ofSeconds(1));
        String url = "http://localhost:" + server.getAddress().getPort();
        assertThat(run(command, url, json)).isZero();
        var jobs = new com.fasterxml.jackson.databind.ObjectMapper().readTree(json.toFile());
        assertThat(jobs).hasSize(1);
        assertThat(jobs.at("/0/id").textValue()).isEqualTo("job_1_1");
    }

    @Test
    void aListThatTakesTooLongSaysHowToShortenIt() {
        neverAnswer("/ws/v1/history/mapreduce/jobs");
        assertThat(failure().lines())
                .singleElement()
                .asString()
                .contains("hasn't answered within 1 s", "--user or --queue");
    }

    @Test
    void aPageInsteadOfAListIsOneLine() {
        server.removeContext("/ws/v1/history/mapreduce/jobs");
        answer("/ws/v1/history/mapreduce/jobs", "<html>\n<body>Sign in</body></html>\n");
        assertThat(failure().lines()).singleElement().asString().contains("answers no JSON");
    }

    @Test
    void aServerThatIsntThereIsAFailure(@TempDir Path directory) {
        Path json = directory.resolve("jobs.json");
        assertThat(run("http://localhost:1", json)).isEqualTo(1);
        assertThat(Files.exists(json)).isFalse();
    }
}
