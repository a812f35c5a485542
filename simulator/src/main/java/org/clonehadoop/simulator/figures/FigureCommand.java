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
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.clonehadoop.simulator.mapreduce.JobSpec;
import org.clonehadoop.simulator.platform.CostBook;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Draws the paper's figures from simulated jobs. */
@Command(
        name = "figure",
        description = "Simulates the paper's figures 6 to 11: SVG, JSON, and a page with all.",
        mixinStandardHelpOptions = true)
public final class FigureCommand implements Callable<Integer> {
    @Parameters(arity = "1..*", paramLabel = "FIGURE", description = "6 to 11, or all")
    private List<String> figures;

    @Option(
            names = "--costs",
            split = ",",
            defaultValue = "paper,measured",
            description = "${DEFAULT-VALUE} if none is named")
    private List<String> books;

    @Option(
            names = "--caps",
            split = ",",
            defaultValue = "LITERAL",
            description = "${COMPLETION-CANDIDATES}; ${DEFAULT-VALUE} if none is named")
    private List<Caps> caps;

    @Option(names = "--runs", defaultValue = "20", description = "seeds; ${DEFAULT-VALUE}")
    private int runs;

    @Option(names = "--out", defaultValue = "target/figures", paramLabel = "DIR")
    private Path out;

    private final Map<String, Object> summary = new TreeMap<>();
    private final StringBuilder page = new StringBuilder();

    @Override
    public Integer call() throws IOException {
        Files.createDirectories(out);
        page.append(
                "<!DOCTYPE html><meta charset=\"utf-8\"><title>The paper's figures,"
                        + " simulated</title><body style=\"font-family: sans-serif\">"
                        + "<h1>The paper's figures, simulated</h1><p>Not validated: no real runs"
                        + " stand beside these.</p>\n");
        for (Figure figure : Figure.values()) {
            if (figures.contains("all") || figures.contains(figure.number)) {
                draw(figure);
            }
        }
        Files.writeString(out.resolve("figures.html"), page);
        new ObjectMapper()
                .enable(SerializationFeature.INDENT_OUTPUT)
                .writeValue(out.resolve("figures.json").toFile(), summary);
        System.out.println("simulate: figures in " + out);
        return 0;
    }

    private void draw(Figure figure) throws IOException {
        page.append("<h2>Figure ").append(figure.number).append("</h2><p>The paper: ");
        page.append(figure.claim).append(".</p>\n");
        for (String book : books) {
            for (Caps reading : caps) {
                draw(figure, CostBook.named(book), reading);
            }
        }
    }

    private void draw(Figure figure, CostBook book, Caps reading) throws IOException {
        JobSpec base = JobSpec.ofThePaper().withCosts(book).withConf(reading.conf);
        Grid grid = Grid.run(figure.points(base), runs);
        String title =
                "Figure " + figure.number + ", costs " + book.name() + ", caps " + name(reading);
        Bars bars = new Bars(title, figure.xTitle, "job time over Hadoop's");
        for (Variant variant : Variant.values()) {
            bars.add(variant.title, grid.points(), grid.normalised(variant));
        }
        String verdict = figure.verdict(grid);
        String svg = bars.svg();
        String file = "figure-" + figure.number + "-" + book.name() + "-" + name(reading);
        Files.writeString(out.resolve(file + ".svg"), svg);
        page.append(svg.substring(svg.indexOf("<svg"))).append("<p>With the costs ");
        page.append(book.name()).append(", the paper's claim ").append(verdict).append(".</p>\n");
        System.out.println(title + ": " + verdict);
        sum(figure, book, reading, grid);
    }

    private void sum(Figure figure, CostBook book, Caps reading, Grid grid) {
        for (String point : grid.points()) {
            for (Variant variant : Variant.values()) {
                Outcome outcome = grid.at(point, variant);
                String key =
                        String.join(
                                "_",
                                "fig" + figure.number,
                                book.name(),
                                name(reading),
                                point.replace(" ", ""),
                                name(variant));
                double[] jobs =
                        outcome.runs().stream().mapToDouble(run -> run.jobSeconds()).toArray();
                summary.put(key + "_s", outcome.jobSeconds());
                summary.put(key + "_s_min", Arrays.stream(jobs).min().orElseThrow());
                summary.put(key + "_s_max", Arrays.stream(jobs).max().orElseThrow());
                summary.put(key + "_maps_end_s", outcome.mapsEndSeconds());
                summary.put(key + "_over_hadoop", grid.normalised(point, variant));
                summary.put(key + "_ordered_new", outcome.mean(run -> run.orderedNew()));
                summary.put(key + "_ordered_clones", outcome.mean(run -> run.orderedClones()));
                summary.put(key + "_won_new", outcome.mean(run -> run.wonNew()));
                summary.put(key + "_won_clones", outcome.mean(run -> run.wonClones()));
                summary.put(key + "_thrown_away_s", outcome.mean(run -> run.thrownAwaySeconds()));
            }
        }
    }

    private static String name(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }
}
