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
package org.apache.hadoop.clone.appmaster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.clone.metrics.CloneFigures;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.v2.app.AppContext;
import org.apache.hadoop.mapreduce.v2.app.job.Job;
import org.apache.hadoop.mapreduce.v2.util.MRBuilderUtils;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Our pages, asked for from stock's web application as it runs in every AppMaster. */
@Tag("older-hadoop")
class ClonePagesTest {
    private static final String EVIL = "<script>alert('x')</script> & \"more\"";
    private static final CloneFigures FIGURES =
            new CloneFigures(
                    "job_1_0001",
                    "on, at most 3 clones at once in: cluster",
                    true,
                    Map.of("NEW", Map.of("NOT_CLONEABLE", 2L)),
                    Map.of("RUNNING", 1L),
                    Map.of("CLONES_WON", 5L),
                    61_000,
                    Map.of("its thread '" + EVIL + "' runs", 4L),
                    List.of(
                            new CloneFigures.Row(
                                    1, "attempt_1", "attempt_2", "h2", "GIVEN_UP", 0, EVIL)));

    private PagedClientService service;

    @AfterEach
    void stop() {
        service.stop();
    }

    /** Of an AppMaster whose job may be seen by anybody, or by nobody. */
    private static AppContext context(boolean open) {
        ApplicationId id = ApplicationId.newInstance(1, 1);
        Job job = mock(Job.class);
        when(job.checkAccess(any(), any())).thenReturn(open);
        AppContext context = mock(AppContext.class);
        when(context.getApplicationID()).thenReturn(id);
        when(context.getApplicationName()).thenReturn("walk");
        when(context.getUser()).thenReturn("alice");
        when(context.getNMHostname()).thenReturn("localhost");
        when(context.getAllJobs()).thenReturn(Map.of(MRBuilderUtils.newJobId(id, 1), job));
        return context;
    }

    private HttpResponse<String> get(String path, boolean open) throws Exception {
        service = new PagedClientService(context(open), () -> FIGURES);
        service.init(new Configuration());
        service.start();
        URI uri = URI.create("http://localhost:" + service.getHttpPort() + path);
        return HttpClient.newHttpClient()
                .send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString());
    }

    @Test
    void thePageHasAllFigures() throws Exception {
        HttpResponse<String> page = get("/mapreduce/clones", true);
        assertThat(page.statusCode()).isEqualTo(200);
        assertThat(page.headers().firstValue("Content-Type").orElse("")).startsWith("text/html");
        assertThat(page.body())
                .contains("Clones are on, at most 3 clones at once in: cluster")
                .contains("CLONES_WON", "EXTRA_CONTAINER_MILLIS", "NOT_CLONEABLE", "RUNNING")
                .contains("attempt_2", "GIVEN_UP", "h2")
                .contains("id=\"nav\"");
    }

    /** Threads' names, for instance, are the user's. */
    @Test
    void whatUserCodeHasSaidIsText() throws Exception {
        assertThat(get("/mapreduce/clones", true).body())
                .contains("&lt;script&gt;alert(")
                .doesNotContain("<script>alert");
    }

    @Test
    void theJsonIsTheSame() throws Exception {
        HttpResponse<String> json = get("/mapreduce/clones/json", true);
        assertThat(json.statusCode()).isEqualTo(200);
        assertThat(json.headers().firstValue("Content-Type").orElse(""))
                .startsWith("application/json");
        ObjectMapper mapper = new ObjectMapper();
        JsonNode expected = mapper.valueToTree(FIGURES);
        assertThat(mapper.readTree(json.body())).isEqualTo(mapper.readTree(expected.toString()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"/mapreduce/clones", "/mapreduce/clones/json"})
    void whoMayNotSeeTheJobSeesNoneOfIt(String path) throws Exception {
        HttpResponse<String> refused = get(path, false);
        assertThat(refused.statusCode()).isEqualTo(403);
        assertThat(refused.body())
                .contains("does not have permission")
                .doesNotContain("CLONES_WON");
    }

    @Test
    void stocksPagesAreAsBefore() throws Exception {
        HttpResponse<String> page = get("/mapreduce/app/info", true);
        assertThat(page.statusCode()).isEqualTo(200);
        assertThat(page.body()).contains("Application Master Overview", "alice");
    }
}
