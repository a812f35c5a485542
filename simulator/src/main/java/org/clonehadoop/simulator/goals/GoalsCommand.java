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
package org.clonehadoop.simulator.goals;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.clonehadoop.simulator.mapreduce.JobSpec;
import org.clonehadoop.simulator.platform.CostBook;
import org.clonehadoop.simulator.regress.Scenarios;
import org.clonehadoop.simulator.sweep.Rows;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Prints what is to be reached, and what is. */
@Command(
        name = "goals",
        description = "Simulates what clones are to bring; fails if not all of it is reached.",
        mixinStandardHelpOptions = true)
public final class GoalsCommand implements Callable<Integer> {
    private static final String MEASURED = "measured";

    @Option(names = "--runs", defaultValue = "20", description = "seeds from 1; ${DEFAULT-VALUE}")
    private int runs;

    @Option(
            names = "--costs",
            split = ",",
            defaultValue = "measured,paper",
            description = "${DEFAULT-VALUE}")
    private List<String> costs;

    @Option(
            names = "--scenarios",
            split = ",",
            defaultValue = Scenarios.CATALOGUE,
            description = "which of the catalogue count")
    private List<String> scenarios;

    @Option(names = "--json", paramLabel = "FILE")
    private Path json;

    @Option(names = "--markdown", description = "prints the tables for a document")
    private boolean markdown;

    @Override
    public Integer call() throws IOException {
        Map<String, JobSpec> catalogue = Scenarios.named(scenarios);
        Map<String, List<Goal>> byBook = new LinkedHashMap<>();
        Map<String, Waste> wasteByBook = new LinkedHashMap<>();
        for (String book : costs) {
            Goals goals = new Goals(catalogue, CostBook.named(book), runs);
            byBook.put(book, goals.all());
            wasteByBook.put(book, goals.waste());
        }
        print(table(byBook));
        if (wasteByBook.containsKey(MEASURED)) {
            System.out.println();
            print(wasteByBook.get(MEASURED).table());
        }
        if (json != null) {
            new ObjectMapper()
                    .enable(SerializationFeature.INDENT_OUTPUT)
                    .writeValue(json.toFile(), numbers(byBook, wasteByBook));
        }
        boolean all = byBook.values().stream().flatMap(List::stream).allMatch(Goal::isReached);
        return all ? 0 : 1;
    }

    private void print(Rows table) {
        System.out.print(markdown ? table.markdown() : table.text());
    }

    private static Rows table(Map<String, List<Goal>> byBook) {
        Rows rows = new Rows();
        List<String> heading = new ArrayList<>(List.of("", "goal"));
        byBook.keySet().forEach(book -> heading.addAll(List.of("costs: " + book, "reached")));
        rows.add(heading);
        List<Goal> first = byBook.values().iterator().next();
        for (int i = 0; i < first.size(); i++) {
            List<String> row =
                    new ArrayList<>(List.of(first.get(i).name(), first.get(i).boundText()));
            for (List<Goal> goals : byBook.values()) {
                row.add(goals.get(i).valueText());
                row.add(goals.get(i).isReached() ? "yes" : "**no**");
            }
            rows.add(row);
        }
        return rows;
    }

    /** Flat names, as the benchmarks' JSON has them. */
    private static Map<String, Object> numbers(
            Map<String, List<Goal>> byBook, Map<String, Waste> wasteByBook) {
        Map<String, Object> numbers = new LinkedHashMap<>();
        byBook.forEach(
                (book, goals) -> {
                    for (Goal goal : goals) {
                        String name = key(book, goal.name());
                        numbers.put(name, goal.value().value());
                        numbers.put(name + "_low", goal.value().low());
                        numbers.put(name + "_high", goal.value().high());
                        numbers.put(name + "_bound", goal.bound());
                        numbers.put(name + "_reached", goal.isReached());
                    }
                });
        wasteByBook.forEach(
                (book, waste) ->
                        waste.numbers()
                                .forEach((name, value) -> numbers.put(key(book, name), value)));
        return numbers;
    }

    private static String key(String book, String name) {
        return book + "_" + name.replaceAll("[^a-z0-9]+", "_");
    }
}
