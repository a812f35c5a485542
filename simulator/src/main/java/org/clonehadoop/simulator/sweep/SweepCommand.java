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
package org.clonehadoop.simulator.sweep;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.clonehadoop.simulator.mapreduce.JobSpec;
import org.clonehadoop.simulator.platform.CostBook;
import org.clonehadoop.simulator.regress.Scenarios;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** How job times depend on one thing or several. */
@Command(
        name = "sweep",
        description = "Simulates scenarios at all values of what is varied, and stock's beside it.",
        mixinStandardHelpOptions = true)
public final class SweepCommand implements Callable<Integer> {
    /** Far from those that are reported elsewhere: what is chosen here isn't tuned on them. */
    private static final String FIRST_SEED = "101";

    @Parameters(
            paramLabel = "SCENARIO",
            arity = "0..*",
            description =
                    "as regress names them; 'catalogue', which is all of these; or 'further', which"
                            + " aren't reported anywhere. The catalogue, if none is given")
    private List<String> names = List.of(Scenarios.CATALOGUE);

    @Option(
            names = "--vary",
            required = true,
            paramLabel = "KEY=VALUE,…",
            description =
                    "a configuration key, beta, vm-estimate or bandwidth-estimate (over the"
                            + " truth), a number of the scenario (hosts, maps, shape, factor, …),"
                            + " or rule.NAME; rule.NAME+NAME is each of these alone, and rule.all"
                            + " each of all. Values are numbers, or half, double, same, and of"
                            + " rules off")
    private List<String> varied;

    @Option(names = "--runs", defaultValue = "20", description = "${DEFAULT-VALUE}")
    private int runs;

    @Option(
            names = "--seed",
            defaultValue = FIRST_SEED,
            description = "of the first run; ${DEFAULT-VALUE}")
    private long first;

    @Option(names = "--costs", description = "paper or measured; as the scenarios have it")
    private String costs;

    @Option(names = "--json", paramLabel = "FILE", description = "a line for each run")
    private Path json;

    @Option(names = "--plot", paramLabel = "FILE.svg")
    private Path plot;

    @Option(names = "--markdown", description = "prints the table for a document")
    private boolean markdown;

    @Override
    public Integer call() throws IOException {
        Map<String, JobSpec> scenarios = Scenarios.named(names);
        if (costs != null) {
            CostBook book = CostBook.named(costs);
            scenarios.replaceAll((name, spec) -> spec.withCosts(book));
        }
        List<Axis> axes = varied.stream().map(Axis::of).toList();
        if (axes.stream().map(Axis::key).distinct().count() < axes.size()) {
            throw new IllegalArgumentException("a key is varied twice");
        }
        List<Rule> rules = axes.stream().flatMap(axis -> Rule.each(axis.key()).stream()).toList();
        if (!rules.isEmpty() && axes.size() > 1) {
            throw new IllegalArgumentException(
                    "rules one at a time can't be crossed with anything else");
        }
        if (!rules.isEmpty()) {
            RuleCurves curves = RuleCurves.of(scenarios, rules, axes.get(0).values(), first, runs);
            tell(curves.table(), curves.lines(), curves.picture());
        } else {
            Sweep sweep = Sweep.of(scenarios, axes, first, runs);
            tell(
                    sweep.table(),
                    sweep.cells().stream().flatMap(cell -> cell.lines().stream()).toList(),
                    sweep.picture());
        }
        return 0;
    }

    private void tell(Rows table, List<Map<String, Object>> lines, String picture)
            throws IOException {
        System.out.print(markdown ? table.markdown() : table.text());
        if (json != null) {
            write(lines);
        }
        if (plot != null) {
            Files.writeString(plot, picture);
        }
    }

    private void write(List<Map<String, Object>> lines) throws IOException {
        ObjectMapper mapper = new ObjectMapper();
        try (BufferedWriter out = Files.newBufferedWriter(json)) {
            for (Map<String, Object> line : lines) {
                out.write(mapper.writeValueAsString(line));
                out.newLine();
            }
        }
    }
}
