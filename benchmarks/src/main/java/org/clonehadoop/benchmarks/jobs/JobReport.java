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
package org.clonehadoop.benchmarks.jobs;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeoutException;
import org.clonehadoop.report.History;
import org.clonehadoop.report.Job;
import org.clonehadoop.report.SwimLanes;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Writes what became of a job's attempts: as JSON, and as swim-lanes. */
@Command(name = "job-report")
public final class JobReport implements Callable<Integer> {
    @Option(names = "--history", required = true, description = "e.g. http://h0:19888")
    private URI history;

    @Option(names = "--job", required = true, paramLabel = "ID", description = "job_..._...")
    private String job;

    @Option(names = "--title", paramLabel = "TEXT", description = "Of the swim-lanes.")
    private String title;

    @Option(names = "--json", required = true, paramLabel = "FILE")
    private Path json;

    @Option(names = "--svg", paramLabel = "FILE")
    private Path svg;

    @Override
    public Integer call() throws IOException, InterruptedException, TimeoutException {
        Job found = new History(history).job(job);
        new ObjectMapper().writerWithDefaultPrettyPrinter().writeValue(json.toFile(), found);
        if (svg != null) {
            Files.writeString(svg, SwimLanes.svg(title == null ? found.name() : title, found));
        }
        return 0;
    }

    public static void main(String[] arguments) {
        System.exit(
                new CommandLine(new JobReport())
                        .setExecutionExceptionHandler(
                                (e, command, parsed) -> {
                                    System.err.println("job-report: " + e.getMessage());
                                    return 1;
                                })
                        .execute(arguments));
    }
}
