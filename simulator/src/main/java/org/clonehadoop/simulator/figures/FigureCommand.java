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
package org.clonehadoop.simulator.figures;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.clonehadoop.simulator.platform.CostBook;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Draws the paper's figures from simulated jobs. */
@Command(
        name = "figure",
        description = "Simulates the paper's figures 6 to 12: SVG, JSON, and pages with all.",
        mixinStandardHelpOptions = true)
public final class FigureCommand implements Callable<Integer> {
    private static final int QUICK_SEEDS = 3;

    @Parameters(arity = "1..*", paramLabel = "FIGURE", description = "6 to 12, or all")
    private List<String> figures;

    @Option(
            names = "--costs",
            split = ",",
            defaultValue = "paper,measured",
            description = "${DEFAULT-VALUE} if none is named")
    private List<String> books;

    @Option(names = "--runs", defaultValue = "20", description = "seeds; ${DEFAULT-VALUE}")
    private int seeds;

    @Option(names = "--quick", description = "3 seeds")
    private boolean quick;

    @Option(names = "--out", defaultValue = "target/figures", paramLabel = "DIR")
    private Path out;

    @Override
    public Integer call() throws IOException {
        List<CostBook> costs = books.stream().map(CostBook::named).toList();
        Files.createDirectories(out);
        Runs runs = new Runs(quick ? QUICK_SEEDS : seeds);
        List<Panel> panels = new ArrayList<>();
        Map<String, Object> numbers = new TreeMap<>();
        for (Figure figure : wanted()) {
            for (CostBook book : costs) {
                Panel panel = Panel.of(figure, book, runs);
                panels.add(panel);
                numbers.putAll(Numbers.of(panel));
                draw(panel);
                tell(panel);
            }
        }
        Files.writeString(out.resolve("figures.html"), Page.of(panels, runs));
        Files.writeString(out.resolve("figures.md"), Tables.of(panels, runs));
        new ObjectMapper()
                .enable(SerializationFeature.INDENT_OUTPUT)
                .writeValue(out.resolve("figures.json").toFile(), numbers);
        System.out.println("simulate: " + out.resolve("figures.html"));
        return 0;
    }

    private List<Figure> wanted() throws IOException {
        List<String> known = Stream.of(Figure.values()).map(figure -> figure.number).toList();
        for (String figure : figures) {
            if (!figure.equals("all") && !known.contains(figure)) {
                throw new IOException("no figure '" + figure + "'; there are: " + known);
            }
        }
        return Stream.of(Figure.values())
                .filter(figure -> figures.contains("all") || figures.contains(figure.number))
                .toList();
    }

    private void draw(Panel panel) throws IOException {
        List<String> charts = Drawing.of(panel);
        for (int i = 0; i < charts.size(); i++) {
            String part = charts.size() == 1 ? "" : String.valueOf((char) ('a' + i));
            String name = "figure-" + panel.figure().number + part + "-" + panel.costs().name();
            Files.writeString(out.resolve(name + ".svg"), charts.get(i));
        }
    }

    private static void tell(Panel panel) {
        for (Observation observation : Observation.of(panel.figure())) {
            Verdict verdict = panel.verdict(observation, Reading.FIRST);
            System.out.printf(
                    "figure %s, costs %s: %s %s%n",
                    panel.figure().number,
                    panel.costs().name(),
                    observation.title(),
                    verdict.words(observation.cause));
        }
    }
}
