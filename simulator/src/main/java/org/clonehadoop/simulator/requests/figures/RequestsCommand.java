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
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Draws the figures of the papers on requests. */
@Command(
        name = "requests",
        description = "Simulates NetRS' and NetClone's figures: SVG, JSON, and a page with all.",
        mixinStandardHelpOptions = true)
public final class RequestsCommand implements Callable<Integer> {
    /** All there are, in the page's order. */
    static final List<String> FIGURES =
            List.of(
                    "R-4", "R-5", "R-6", "R-7", "R-8", "R-9", "R-10", "C-7", "C-8", "C-9", "C-10",
                    "C-12", "C-13", "C-14", "C-15", "O-1", "O-2", "O-3");

    private static final Pattern STORE = Pattern.compile("R-.*|O-3");

    @Parameters(
            arity = "0..*",
            paramLabel = "FIGURE",
            description = "R-4 to R-10, C-7 to C-15, O-1 to O-3; all if none is named")
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

    @Option(names = "--out", defaultValue = "target/requests", paramLabel = "DIR")
    private Path out;

    @Override
    public Integer call() throws IOException {
        List<String> wanted = figures.isEmpty() ? FIGURES : figures;
        for (String figure : wanted) {
            if (!FIGURES.contains(figure)) {
                throw new IOException("no figure '" + figure + "'; there are " + FIGURES);
            }
        }
        long many = requests != null ? requests : quick ? 1_000_000 : 6_000_000;
        int placements = quick ? 1 : 3;
        Progress progress = new Progress(System.err);
        StoreFigures store = new StoreFigures(new StoreRuns(many, placements, progress), quick);
        RpcFigures rpc = new RpcFigures(many / 6, quick, progress);
        Files.createDirectories(out);
        List<RequestFigure> made = new ArrayList<>();
        for (String id : wanted) {
            progress.begin(id);
            RequestFigure figure = STORE.matcher(id).matches() ? store.figure(id) : rpc.figure(id);
            progress.end();
            made.add(figure);
            write(figure);
            tell(figure);
        }
        String how =
                "NetRS: %d requests a run, %d placements. NetClone: %d requests a run."
                        .formatted(many, placements, many / 6);
        Files.writeString(out.resolve("requests.html"), RequestPage.of(made, how));
        Files.writeString(out.resolve("requests.json"), json(made));
        System.out.println("simulate: " + out.resolve("requests.html"));
        return 0;
    }

    private void write(RequestFigure figure) throws IOException {
        for (Chart chart : figure.charts()) {
            Files.writeString(out.resolve(chart.name() + ".svg"), chart.svg());
        }
    }

    private static String json(List<RequestFigure> figures) throws IOException {
        Map<String, Object> all = new LinkedHashMap<>();
        for (RequestFigure figure : figures) {
            all.put(figure.id(), Map.of("claims", figure.claims(), "runs", figure.runs()));
        }
        return new ObjectMapper()
                .enable(SerializationFeature.INDENT_OUTPUT)
                .writeValueAsString(all);
    }

    private static void tell(RequestFigure figure) {
        for (Claim claim : figure.claims()) {
            System.out.printf(
                    "%s: %s: %s %s%n", figure.id(), claim.text(), claim.words(), claim.because());
        }
    }
}
