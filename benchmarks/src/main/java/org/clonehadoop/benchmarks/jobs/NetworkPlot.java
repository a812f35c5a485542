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

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.clonehadoop.benchmarks.harness.LinePlot;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Draws what hosts have sent while jobs ran, each job a line from its submission to its end. */
@Command(name = "network-plot")
public final class NetworkPlot implements Callable<Integer> {
    private static final int WORDS = 3;

    @Option(names = "--title", required = true, paramLabel = "TEXT")
    private String title;

    @Option(names = "--svg", required = true, paramLabel = "FILE")
    private Path svg;

    @Parameters(
            arity = "3..*",
            paramLabel = "NAME SAMPLES JOB",
            description =
                    "A line's name, lines of milliseconds and bytes since any beginning, and the"
                            + " job's report.")
    private List<String> lines;

    @Override
    public Integer call() throws IOException {
        LinePlot plot = new LinePlot(title, "Seconds since submission", "MB sent by all hosts");
        for (int i = 0; i + WORDS <= lines.size(); i += WORDS) {
            JsonNode job = new ObjectMapper().readTree(Path.of(lines.get(i + 2)).toFile());
            List<Point> points =
                    points(
                            Files.readAllLines(Path.of(lines.get(i + 1))),
                            job.path("submitMillis").asLong(),
                            job.path("finishMillis").asLong());
            plot.line(
                    lines.get(i),
                    points.stream().map(Point::seconds).toList(),
                    points.stream().map(Point::megabytes).toList());
        }
        plot.write(svg);
        return 0;
    }

    record Point(double seconds, double megabytes) {}

    /**
     * @param samples each with milliseconds since the epoch and a counter of bytes
     * @return those of the time, since its beginning and from 0 bytes
     * @throws IOException if there are none
     */
    static List<Point> points(List<String> samples, long beginMillis, long endMillis)
            throws IOException {
        List<Point> points = new ArrayList<>();
        long first = 0;
        for (String sample : samples) {
            String[] words = sample.split(" ");
            long millis = Long.parseLong(words[0]);
            long bytes = Long.parseLong(words[1]);
            if (millis < beginMillis || millis > endMillis) {
                continue;
            }
            if (points.isEmpty()) {
                first = bytes;
            }
            points.add(new Point((millis - beginMillis) / 1e3, (bytes - first) / 1e6));
        }
        if (points.isEmpty()) {
            throw new IOException("no samples between the job's submission and its end");
        }
        return points;
    }

    public static void main(String[] arguments) {
        System.exit(
                new CommandLine(new NetworkPlot())
                        .setExecutionExceptionHandler(
                                (e, command, parsed) -> {
                                    System.err.println("network-plot: " + e.getMessage());
                                    return 1;
                                })
                        .execute(arguments));
    }
}
