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
package org.clonehadoop.simulator.calibrate;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import org.clonehadoop.benchmarks.harness.Table;
import org.clonehadoop.simulator.platform.CostSheet;
import org.clonehadoop.simulator.platform.CostSheet.Cost;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Makes the cost book {@code measured} of what benchmarks wrote. */
@Command(
        name = "fit",
        description =
                "Puts what scripts/tune, benchmarks/map-clone and benchmarks/map-cost wrote with"
                        + " --json into the cost book 'measured', with its source and date; of what"
                        + " they don't tell the book keeps what it has.",
        mixinStandardHelpOptions = true)
public final class FitCommand implements Callable<Integer> {
    @Parameters(arity = "1..*", paramLabel = "JSON", description = "of a cost the last counts")
    private List<Path> files;

    @Option(
            names = "--date",
            paramLabel = "DATE",
            description = "of the measurements; when each file was written last, if it isn't said")
    private LocalDate date;

    @Option(names = "--book", required = true, paramLabel = "FILE", description = "the book")
    private Path book;

    @Override
    public Integer call() throws IOException {
        CostSheet before = CostSheet.read(book);
        CostSheet sheet = before;
        for (Path file : files) {
            for (Map.Entry<Cost, CostSheet.Value> one : Fit.values(file, date(file)).entrySet()) {
                sheet = sheet.with(one.getKey(), one.getValue());
            }
        }
        sheet.write(book);
        System.out.print(table(before, sheet));
        return 0;
    }

    private LocalDate date(Path file) throws IOException {
        return date == null
                ? LocalDate.ofInstant(Files.getLastModifiedTime(file).toInstant(), ZoneOffset.UTC)
                : date;
    }

    private static Table table(CostSheet before, CostSheet now) {
        Table table = new Table();
        table.row("", "before", "now", "date", "source");
        for (Cost cost : Cost.values()) {
            CostSheet.Value value = now.values().get(cost);
            table.row(
                    cost.name().toLowerCase(Locale.ROOT),
                    number(before.values().get(cost).value()),
                    number(value.value()),
                    value.date(),
                    value.source());
        }
        return table;
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, "%.4g", value);
    }
}
