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

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeoutException;
import org.clonehadoop.command.Commands;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * {@code clone-hadoop report}. Exit code 0: told; 1: the server can't be asked, doesn't know the
 * job, or a file can't be written; 2: wrong usage; 3: the server asks for Kerberos and there is no
 * ticket.
 */
@Command(
        name = "clone-hadoop report",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Tells what became of a finished job's attempts and clones: who won, what that saved, and"
                    + " what was thrown away.",
            "A server that asks for Kerberos is shown the ticket that kinit got.",
            "Exit code 0: told; 1: the server can't be asked or doesn't know the job; 2: wrong usage;"
                    + " 3: no ticket."
        })
public final class ReportCommand implements Callable<Integer> {
    static final List<String> HEAD =
            List.of("clone", "on", "original", "on", "launched", "ended", "end", "thrown away");

    /** A job arrives there a moment after its end. */
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    @Parameters(paramLabel = "JOB", description = "such as job_1700000000000_0001")
    private String job;

    @Option(
            names = "--url",
            required = true,
            paramLabel = "URL",
            description = "of the JobHistory server, such as http://host:19888")
    private URI url;

    @Option(names = "--html", paramLabel = "FILE", description = "writes a page with swim-lanes")
    private Path html;

    @Option(names = "--json", paramLabel = "FILE", description = "writes all figures")
    private Path json;

    /** As {@code clone-hadoop report} starts it. */
    public static void main(String[] arguments) {
        System.exit(Commands.line(new ReportCommand()).execute(arguments));
    }

    @Override
    public Integer call() throws InterruptedException, IOException, TimeoutException {
        tell(new History(url, PATIENCE).job(job));
        return CommandLine.ExitCode.OK;
    }

    private void tell(Job found) throws IOException {
        List<CloneLine> clones = CloneLine.of(found);
        List<String> summary = summary(found, clones);
        summary.forEach(System.out::println);
        System.out.print(table(clones));
        if (html != null) {
            Files.writeString(html, JobPage.html(found, summary, clones));
        }
        if (json != null) {
            ObjectMapper mapper = new ObjectMapper();
            ObjectNode all = mapper.valueToTree(found);
            all.put("saved_s", savedSeconds(found))
                    .set("clones_by_attempt", mapper.valueToTree(clones));
            Files.writeString(
                    json, mapper.writerWithDefaultPrettyPrinter().writeValueAsString(all) + "\n");
        }
    }

    static List<String> summary(Job job, List<CloneLine> clones) {
        List<String> lines = new ArrayList<>();
        lines.add(
                line(
                        "%s (%s): %s after %.1f s, with %d attempts of %d tasks",
                        job.id(),
                        job.name(),
                        job.state(),
                        job.seconds(),
                        job.attempts().size(),
                        job.attempts().stream().map(Attempt::task).distinct().count()));
        lines.add(
                line(
                        "Clones: %d ordered, %d ran, %d won",
                        job.clones().getOrDefault("CLONES_ORDERED", 0L),
                        job.clonesLaunched(),
                        job.clonesWon()));
        long unlisted = job.clonesLaunched() - clones.size();
        long unlistedWon = job.clonesWon() - clones.stream().filter(CloneLine::won).count();
        if (unlisted > 0 || unlistedWon > 0) {
            lines.add(
                    line(
                            "Of these, %d that ran and %d that won aren't listed: their attempts"
                                    + " don't say what they were cloned from, and count here as"
                                    + " begun from zero",
                            unlisted, unlistedWon));
        }
        lines.add(
                line(
                        "Saved: about %.1f s of tasks' time, by the AppMaster's estimates. Thrown"
                                + " away: %.1f s in containers of attempts that didn't win.",
                        savedSeconds(job), job.thrownAwaySeconds()));
        if (job.freezeMillis() != null) {
            lines.add(line("Originals were frozen for %.0f ms, on average", job.freezeMillis()));
        }
        return lines;
    }

    private static double savedSeconds(Job job) {
        return job.clones().getOrDefault("WON_MILLIS", 0L) / 1000.0;
    }

    private static String line(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }

    static List<String> cells(CloneLine clone) {
        return List.of(
                clone.attempt(),
                clone.host(),
                clone.original(),
                clone.originalHost(),
                line("%.1f s", clone.launchedSeconds()),
                line("%.1f s", clone.endedSeconds()),
                clone.won() ? "won" : "lost",
                line("%.1f s", clone.thrownAwaySeconds()));
    }

    private static String table(List<CloneLine> clones) {
        StringBuilder table = new StringBuilder();
        String format = "%-40s %-12s %-40s %-12s %10s %10s %-5s %12s%n";
        if (!clones.isEmpty()) {
            table.append(line(format, HEAD.toArray()));
        }
        clones.forEach(clone -> table.append(line(format, cells(clone).toArray())));
        return table.toString();
    }
}
