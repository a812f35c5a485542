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
package org.clonehadoop.simulator.trace;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import org.clonehadoop.simulator.speculators.Kind;
import org.clonehadoop.simulator.yarn.Sharing;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** A day of jobs, with no speculator, stock's and ours. */
@Command(
        name = "trace",
        description =
                "Simulates the jobs of a trace on one cluster without speculation, with stock's"
                        + " and with ours, and prints their times over stock's.",
        mixinStandardHelpOptions = true)
public final class TraceCommand implements Callable<Integer> {
    private static final List<Kind> KINDS = List.of(Kind.NONE, Kind.STOCK, Kind.OURS);
    private static final int SECONDS_OF_HOUR = 3600;

    @Option(
            names = "--swim",
            required = true,
            paramLabel = "FILE",
            description =
                    "of SWIM's form: id, submission (s), gap (s), bytes of map input, shuffle and"
                            + " output")
    private Path swim;

    @Option(names = "--hosts", defaultValue = "600", description = "${DEFAULT-VALUE}")
    private int hosts;

    @Option(
            names = "--hours",
            defaultValue = "24",
            description = "${DEFAULT-VALUE}: jobs that are submitted later are left out")
    private double hours;

    @Option(names = "--seed", defaultValue = "1")
    private long seed;

    @Option(
            names = "--sharing",
            defaultValue = "FAIR",
            description = "${COMPLETION-CANDIDATES}: who gets the next container")
    private Sharing sharing;

    @Option(
            names = "--slow-hosts",
            defaultValue = "0.01",
            paramLabel = "SHARE",
            description = "${DEFAULT-VALUE}: of the hosts, with a quarter of their processors")
    private double slowHosts;

    @Option(
            names = "--scale",
            defaultValue = "0.1",
            description = "${DEFAULT-VALUE}: of attempts' delays, the median over their work")
    private double scale;

    @Option(
            names = "--shape",
            defaultValue = "2",
            description = "${DEFAULT-VALUE}: of attempts' delays, sigma")
    private double shape;

    @Option(names = "--json", paramLabel = "FILE", description = "the same as one object")
    private Path json;

    @Override
    public Integer call() throws IOException {
        if (hosts < 1 || !(slowHosts >= 0 && slowHosts < 1)) {
            throw new IOException("there must be hosts, and some that aren't slow");
        }
        List<SwimJob> jobs = SwimTrace.read(swim, hours * SECONDS_OF_HOUR);
        Day day =
                new Day(
                        jobs,
                        hosts,
                        sharing,
                        (int) Math.round(slowHosts * hosts),
                        scale,
                        shape,
                        seed);
        Map<Kind, List<DayJob>> days = new LinkedHashMap<>();
        for (Kind kind : KINDS) {
            days.put(
                    kind,
                    day.run(
                            kind,
                            new Progress(
                                    DayComparison.name(kind),
                                    jobs.size(),
                                    System.err,
                                    System::nanoTime)));
        }
        DayComparison comparison = new DayComparison(days);
        System.out.print(comparison.table());
        if (json != null) {
            write(jobs, comparison);
        }
        return 0;
    }

    private void write(List<SwimJob> jobs, DayComparison comparison) throws IOException {
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("trace", swim.getFileName().toString());
        all.put("validated", false);
        all.put("hosts", hosts);
        all.put("hours", hours);
        all.put("seed", seed);
        all.put("sharing", sharing.name().toLowerCase(Locale.ROOT));
        all.put("slow_hosts", slowHosts);
        all.put("scale", scale);
        all.put("shape", shape);
        all.put("jobs", jobs.size());
        all.put("maps", jobs.stream().mapToLong(SwimJob::maps).sum());
        all.put("reduces", jobs.stream().mapToLong(SwimJob::reduces).sum());
        all.putAll(comparison.flat());
        new ObjectMapper()
                .enable(SerializationFeature.INDENT_OUTPUT)
                .writeValue(json.toFile(), all);
    }
}
