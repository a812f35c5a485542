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
package org.clonehadoop.simulator.requests.figures;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import org.clonehadoop.simulator.requests.rpc.RpcResult;
import org.clonehadoop.simulator.requests.rpc.RpcSimulation;
import org.clonehadoop.simulator.requests.rpc.RpcSpec;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Draws the figures of the papers on requests. */
@Command(
        name = "requests",
        description = {
            "Simulates NetRS' and NetClone's figures: SVG, JSON, and a page with all.",
            "requests.md has figures that were made in the same directory before, too."
        },
        mixinStandardHelpOptions = true)
public final class RequestsCommand implements Callable<Integer> {
    /** All there are, in the page's order. */
    static final List<String> FIGURES =
            List.of(
                    "R-4", "R-5", "R-6", "R-7", "R-8", "R-9", "R-10", "C-7", "C-8", "C-9", "C-10",
                    "C-12", "C-13", "C-14", "C-15", "O-1", "O-2", "O-3", "C-16", "O-4");

    private static final Pattern STORE = Pattern.compile("R-.*|O-3");

    private static final List<String> ONLY_MEASURED = List.of("C-16", "O-4");

    /** Those that benchmarks/requests/run can play. */
    private static final Pattern MEASURABLE = Pattern.compile("C-([789]|1[02345])");

    /** From a host to the switch, in nanoseconds. */
    private static final long PAPERS_WIRE = 2_500;

    /** The same of namespaces, in a hundredth of their time. */
    private static final long TESTBEDS_WIRE = 100;

    @Parameters(
            arity = "0..*",
            paramLabel = "FIGURE",
            description =
                    "R-4 to R-10, C-7 to C-16, O-1 to O-4; all that are simulated if none is named")
    private List<String> figures = List.of();

    @Option(
            names = "--quick",
            description = "a sixth or tenth of the requests, one placement, fewer points")
    private boolean quick;

    @Option(
            names = "--requests",
            paramLabel = "N",
            description =
                    "a run of NetRS; a sixth of that of NetClone. 6000000, with --quick 1000000")
    private Long requests;

    @Option(
            names = "--measured",
            paramLabel = "DIR",
            description = "what benchmarks/requests/run measured, to stand beside the simulation")
    private Path measured;

    @Option(
            names = "--specs",
            description = "only print what would have to be measured, a line of JSON for each run")
    private boolean specs;

    @Option(names = "--out", defaultValue = "target/requests", paramLabel = "DIR")
    private Path out;

    @Override
    public Integer call() throws IOException {
        List<String> wanted =
                figures.isEmpty()
                        ? FIGURES.stream().filter(id -> !ONLY_MEASURED.contains(id)).toList()
                        : figures;
        for (String figure : wanted) {
            if (!FIGURES.contains(figure)) {
                throw new IOException("no figure '" + figure + "'; there are " + FIGURES);
            }
            if (ONLY_MEASURED.contains(figure) && measured == null) {
                throw new IOException(figure + " isn't simulated: it needs --measured");
            }
        }
        if (specs) {
            tellSpecs(wanted);
            return 0;
        }
        long many = requests != null ? requests : quick ? 1_000_000 : 6_000_000;
        Progress progress = new Progress(System.err);
        StoreFigures store = new StoreFigures(new StoreRuns(many, placements(), progress), quick);
        long wire = measured == null ? PAPERS_WIRE : TESTBEDS_WIRE;
        RpcRuns simulated =
                spec -> {
                    RpcResult result = RpcSimulation.run(spec, wire);
                    progress.ran();
                    return result;
                };
        RpcFigures rpc = new RpcFigures(simulated, many / 6, quick);
        Files.createDirectories(out);
        List<SideBySide> made = new ArrayList<>();
        for (String id : wanted) {
            progress.begin(id);
            RequestFigure figure =
                    ONLY_MEASURED.contains(id)
                            ? null
                            : STORE.matcher(id).matches() ? store.figure(id) : rpc.figure(id);
            progress.end();
            SideBySide both = SideBySide.of(figure, measured(id), simulated);
            if (both.any() == null) {
                continue;
            }
            made.add(both);
            if (figure != null) {
                write(figure, "");
            }
            if (both.measured() != null) {
                write(both.measured(), "-measured");
            }
            tell(both);
            // What is done is there, should the rest be cut off.
            Files.writeString(out.resolve("requests.html"), RequestPage.of(made, how(many, wire)));
            Files.writeString(
                    out.resolve(id + ".md"), RequestTables.section(both, how(id, many, wire)));
            writeTables();
            Files.writeString(out.resolve("requests.json"), json(made));
        }
        System.out.println("simulate: " + out.resolve("requests.html"));
        return 0;
    }

    private String how(long many, long wire) {
        return "NetRS: " + store(many) + " NetClone: " + rpc(many, wire);
    }

    private String how(String id, long many, long wire) {
        if (ONLY_MEASURED.contains(id) || id.equals("O-3")) {
            return "";
        }
        return STORE.matcher(id).matches() ? store(many) : rpc(many, wire);
    }

    private String store(long many) {
        String times = placements() == 1 ? "one placement" : placements() + " placements";
        return "%d requests a run, %s of clients and servers.".formatted(many, times);
    }

    private String rpc(long many, long wire) {
        return "%d requests a run, %.1f µs between a host and the switch."
                        .formatted(many / 6, wire / 1e3)
                + (measured == null
                        ? ""
                        : " A point is validated if measured and simulated 99 % differ by a fifth at most.");
    }

    private int placements() {
        return quick ? 1 : 3;
    }

    /** Of all figures that were ever made there: all of them take longer than many can wait. */
    private void writeTables() throws IOException {
        List<String> there =
                FIGURES.stream().filter(id -> Files.exists(out.resolve(id + ".md"))).toList();
        List<String> sections = new ArrayList<>();
        for (String id : there) {
            sections.add(Files.readString(out.resolve(id + ".md")));
        }
        boolean netRs = there.stream().anyMatch(id -> STORE.matcher(id).matches());
        boolean netClone = there.stream().anyMatch(id -> !STORE.matcher(id).matches());
        String title =
                netRs && netClone
                        ? RequestPage.TITLE
                        : netRs ? "NetRS' figures" : "NetClone's figures";
        Files.writeString(out.resolve("requests.md"), RequestTables.page(title, sections));
    }

    /** Null if nothing was measured of it, or not all. */
    private RequestFigure measured(String id) throws IOException {
        if (measured == null || !MEASURABLE.matcher(id).matches() && !ONLY_MEASURED.contains(id)) {
            return null;
        }
        try {
            return ONLY_MEASURED.contains(id)
                    ? new MeasuredFigures(measured).figure(id)
                    : new RpcFigures(new MeasuredRuns(measured.resolve("points.ndjson")), 0, quick)
                            .figure(id);
        } catch (NotMeasuredException e) {
            System.err.println("simulate: " + id + ": " + e.getMessage());
            return null;
        }
    }

    /** Draws figures of nothing, to see what they ask for. */
    private void tellSpecs(List<String> wanted) throws IOException {
        Map<RpcSpec, Double> asked = new LinkedHashMap<>();
        RpcRuns noting =
                spec -> {
                    if (!MeasuredRuns.can(spec.scheme())) {
                        return null;
                    }
                    asked.put(spec, spec.rate());
                    return new RpcResult(spec, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0);
                };
        for (String id : wanted) {
            if (MEASURABLE.matcher(id).matches()) {
                new RpcFigures(noting, 0, quick).figure(id);
            }
        }
        for (Map.Entry<RpcSpec, Double> each : asked.entrySet()) {
            System.out.println(
                    new ObjectMapper()
                            .writeValueAsString(
                                    Map.of("spec", each.getKey(), "rate", each.getValue())));
        }
    }

    private void write(RequestFigure figure, String suffix) throws IOException {
        for (Chart chart : figure.charts()) {
            Files.writeString(out.resolve(chart.name() + suffix + ".svg"), chart.svg());
        }
    }

    private static String json(List<SideBySide> figures) throws IOException {
        Map<String, Object> all = new LinkedHashMap<>();
        for (SideBySide both : figures) {
            Map<String, Object> figure = new LinkedHashMap<>();
            if (both.simulated() != null) {
                figure.put("claims", both.simulated().claims());
                figure.put("runs", both.simulated().runs());
            }
            if (both.measured() != null) {
                figure.put("measured_claims", both.measured().claims());
                figure.put("measured_runs", both.measured().runs());
                figure.put("points", both.points().size());
                figure.put("validated", both.validated());
                figure.put("may_be_chance", both.mayBeChance());
            }
            all.put(both.any().id(), figure);
        }
        return new ObjectMapper()
                .enable(SerializationFeature.INDENT_OUTPUT)
                .writeValueAsString(all);
    }

    private static void tell(SideBySide both) {
        if (both.simulated() != null) {
            tell(both.simulated(), "");
        }
        if (both.measured() != null) {
            tell(both.measured(), ", measured");
        }
        if (!both.points().isEmpty()) {
            System.out.println(both.any().id() + ": " + both.validation());
        }
    }

    private static void tell(RequestFigure figure, String side) {
        for (Claim claim : figure.claims()) {
            System.out.printf(
                    "%s%s: %s: %s %s%n",
                    figure.id(), side, claim.text(), claim.words(), claim.because());
        }
    }
}
