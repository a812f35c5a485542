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
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.clonehadoop.command.Commands;
import org.clonehadoop.rest.RestClient;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * {@code clone-hadoop history}. Exit code 0: told; 1: the server can't be asked; 2: wrong usage; 3:
 * the server asks for Kerberos and there is no ticket.
 */
@Command(
        name = "clone-hadoop history",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Lists the latest finished jobs that a JobHistory server knows, the latest first, with what"
                    + " clones did in them.",
            "A server that asks for Kerberos is shown the ticket that kinit got.",
            "Exit code 0: told; 1: the server can't be asked; 2: wrong usage; 3: no ticket."
        })
public final class HistoryCommand implements Callable<Integer> {
    private static final Duration LIMIT = Duration.ofSeconds(20);
    private static final int NAME_LENGTH = 24;
    private static final int UNAUTHORIZED = 401;

    @Option(
            names = "--url",
            required = true,
            paramLabel = "URL",
            description = "of the JobHistory server, such as http://host:19888")
    private String url;

    @Option(
            names = "--last",
            paramLabel = "N",
            defaultValue = "20",
            description = "so many jobs (${DEFAULT-VALUE})")
    private int last;

    @Option(names = "--user", paramLabel = "NAME", description = "only this user's jobs")
    private String user;

    @Option(names = "--queue", paramLabel = "NAME", description = "only this queue's jobs")
    private String queue;

    @Option(names = "--json", paramLabel = "FILE", description = "writes all counters of all jobs")
    private Path json;

    private final ObjectMapper mapper = new ObjectMapper();
    private final Duration limit;
    private final RestClient client;
    private int hidden; // jobs that the user may not view
    private int unreadable; // whose counters the server doesn't give

    public HistoryCommand() {
        this(LIMIT);
    }

    /**
     * @param limit for each answer
     */
    HistoryCommand(Duration limit) {
        this.limit = limit;
        client = new RestClient(limit);
    }

    public static void main(String[] arguments) {
        System.exit(Commands.line(new HistoryCommand()).execute(arguments));
    }

    @Override
    public Integer call() throws InterruptedException, IOException {
        Commands.require(this, last > 0, "--last needs a number from 1, not " + last);
        List<JobClones> jobs = jobs();
        System.out.print(table(jobs));
        if (hidden > 0) {
            System.out.printf(
                    "%d more may not be viewed by this user: ask as one that their"
                            + " mapreduce.job.acl-view-job has%n",
                    hidden);
        }
        if (unreadable > 0) {
            System.out.printf(
                    "%d more can't be read: the server has no counters of them (any more), or"
                            + " hasn't sent them within %d s%n",
                    unreadable, limit.toSeconds());
        }
        if (json != null) {
            Files.writeString(
                    json,
                    mapper.writerWithDefaultPrettyPrinter()
                                    .writeValueAsString(jobs.stream().map(JobClones::json).toList())
                            + "\n");
        }
        return CommandLine.ExitCode.OK;
    }

    private List<JobClones> jobs() throws IOException, InterruptedException {
        List<JsonNode> list = RestClient.list(RestClient.body(all()), "jobs", "job");
        list.sort(Comparator.comparingLong(job -> -job.path("finishTime").asLong()));
        List<JobClones> jobs = new ArrayList<>();
        for (JsonNode job : list.subList(0, Math.min(last, list.size()))) {
            URI counters = uri("jobs/" + job.path("id").asText() + "/counters");
            try {
                HttpResponse<String> answer = client.get(counters);
                if (answer.statusCode() == UNAUTHORIZED) {
                    hidden++;
                } else {
                    counters(answer)
                            .ifPresentOrElse(
                                    read -> jobs.add(JobClones.of(job, read)), () -> unreadable++);
                }
            } catch (HttpTimeoutException e) {
                unreadable++;
            }
        }
        return jobs;
    }

    private HttpResponse<String> all() throws IOException, InterruptedException {
        try {
            return client.get(uri(selection()));
        } catch (HttpTimeoutException e) {
            throw new IOException(e.getMessage() + ", or ask for less by --user or --queue", e);
        }
    }

    /**
     * Of one job: its file may just have been removed, or be broken; the others are there still.
     */
    private static Optional<JsonNode> counters(HttpResponse<String> answer) {
        try {
            return Optional.of(RestClient.body(answer));
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    private String selection() {
        StringBuilder selection = new StringBuilder("jobs?");
        if (user != null) {
            selection.append("user=").append(encoded(user)).append('&');
        }
        if (queue != null) {
            selection.append("queue=").append(encoded(queue));
        }
        return selection.toString();
    }

    private static String encoded(String name) {
        return URLEncoder.encode(name, StandardCharsets.UTF_8);
    }

    private URI uri(String path) throws IOException {
        try {
            return URI.create(RestClient.history(url) + path);
        } catch (IllegalArgumentException e) {
            throw new IOException("--url: no URL: " + url);
        }
    }

    static String table(List<JobClones> jobs) {
        StringBuilder table = new StringBuilder();
        table.append(
                "%-24s %-24s %-10s %8s %8s %6s %6s %9s %10s%n"
                        .formatted(
                                "job",
                                "name",
                                "user",
                                "seconds",
                                "ordered",
                                "ran",
                                "won",
                                "fell back",
                                "frozen ms"));
        for (JobClones job : jobs) {
            table.append(
                    String.format(
                            Locale.ROOT,
                            "%-24s %-24s %-10s %8.1f %8d %6d %6d %9d %10d%n",
                            job.id(),
                            job.name().length() > NAME_LENGTH
                                    ? job.name().substring(0, NAME_LENGTH)
                                    : job.name(),
                            job.user(),
                            job.elapsedMillis() / 1000.0,
                            job.count("CLONES_ORDERED"),
                            job.count("CLONES_RUNNING"),
                            job.count("CLONES_WON"),
                            job.count("CLONES_FELL_BACK"),
                            job.meanFrozenMillis()));
        }
        table.append(
                "Of %d jobs: clones: %d ordered, %d ran, %d won%n"
                        .formatted(
                                jobs.size(),
                                sum(jobs, "CLONES_ORDERED"),
                                sum(jobs, "CLONES_RUNNING"),
                                sum(jobs, "CLONES_WON")));
        return table.toString();
    }

    private static long sum(List<JobClones> jobs, String counter) {
        return jobs.stream().mapToLong(job -> job.count(counter)).sum();
    }
}
