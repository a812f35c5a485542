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
package org.clonehadoop.simulator.replay;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.clonehadoop.benchmarks.feed.FeedReader;
import org.clonehadoop.benchmarks.harness.Table;
import org.clonehadoop.simulator.speculators.Kind;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Decides again what was decided in recorded jobs. */
@Command(
        name = "replay",
        description = "Runs today's rules over what real speculators were told.",
        mixinStandardHelpOptions = true)
public final class ReplayCommand implements Callable<Integer> {
    @Parameters(arity = "1..*", paramLabel = "FEED", description = "feed.ndjson.gz")
    private List<Path> feeds;

    @Option(
            names = "--speculator",
            defaultValue = "OURS",
            description = "${COMPLETION-CANDIDATES}; ${DEFAULT-VALUE} if none is named")
    private Kind speculator;

    @Option(names = "-D", paramLabel = "KEY=VALUE", description = "changes a job's configuration")
    private Map<String, String> changes = new HashMap<>();

    @Option(names = "--json", paramLabel = "FILE", description = "what differs where, as JSON")
    private Path json;

    @Option(
            names = "--accept",
            paramLabel = "FILE",
            description = "writes what differs first as what CorpusTest expects; keeps the reasons")
    private Path accepted;

    @Override
    public Integer call() throws IOException {
        Map<String, Object> summary = new TreeMap<>();
        Map<String, Difference> known = known();
        Map<String, Difference> differences = new TreeMap<>();
        for (Path feed : feeds) {
            Replayed replayed = Replay.of(FeedReader.read(feed), speculator, changes);
            System.out.print(table(feed, replayed));
            OptionalDouble diverged = replayed.divergedAtSeconds();
            String name = name(feed);
            replayed.firstDifference()
                    .map(difference -> difference.withReason(reason(known.get(name))))
                    .ifPresent(difference -> differences.put(name, difference));
            summary.put(
                    name + "_diverged_at_s", diverged.isPresent() ? diverged.getAsDouble() : null);
            summary.put(name + "_alike", replayed.alike());
            summary.put(name + "_orders", replayed.replayed().size());
            summary.put(name + "_recorded_orders", replayed.recorded().size());
        }
        write(json, summary);
        write(accepted, differences);
        return 0;
    }

    private Map<String, Difference> known() throws IOException {
        return accepted != null && Files.exists(accepted)
                ? new ObjectMapper().readValue(accepted.toFile(), new TypeReference<>() {})
                : Map.of();
    }

    private static String reason(Difference known) {
        return known == null ? "" : known.because();
    }

    /** A feed's name. */
    static String name(Path feed) {
        return feed.getFileName().toString().replaceFirst("\\..*", "");
    }

    private static void write(Path file, Object value) throws IOException {
        if (file != null) {
            new ObjectMapper()
                    .enable(SerializationFeature.INDENT_OUTPUT)
                    .writeValue(file.toFile(), value);
        }
    }

    private static Table table(Path feed, Replayed replayed) {
        Table table = new Table();
        table.row(feed + ": " + verdict(replayed));
        table.row("recorded", "replayed");
        int rows = Math.max(replayed.recorded().size(), replayed.replayed().size());
        for (int i = 0; i < rows; i++) {
            table.row(cell(replayed.recorded(), i), cell(replayed.replayed(), i));
        }
        return table;
    }

    private static String verdict(Replayed replayed) {
        OptionalDouble diverged = replayed.divergedAtSeconds();
        return diverged.isEmpty()
                ? "as recorded"
                : String.format(
                        Locale.ROOT,
                        "diverged_at_s %s, after %d orders; what is below that isn't exact",
                        diverged.getAsDouble(),
                        replayed.alike());
    }

    private static String cell(List<Action> actions, int index) {
        return index < actions.size() ? actions.get(index).toString() : "";
    }
}
