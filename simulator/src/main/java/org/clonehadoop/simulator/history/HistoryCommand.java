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
package org.clonehadoop.simulator.history;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.IOException;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.apache.hadoop.fs.Path;
import org.clonehadoop.benchmarks.harness.Table;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Tells an operator what clones would have gained for a job of theirs. */
@Command(
        name = "history",
        description =
                "Tells what clones would have gained for a job that is over, from its JobHistory"
                        + " file.",
        mixinStandardHelpOptions = true)
public final class HistoryCommand implements Callable<Integer> {
    @Parameters(paramLabel = "FILE", description = "job_....jhist, of a job that succeeded")
    private String file;

    @Option(names = "--json", description = "as JSON")
    private boolean json;

    @Option(names = "--runs", defaultValue = "5", description = "seeds; ${DEFAULT-VALUE}")
    private int seeds;

    @Override
    public Integer call() throws IOException {
        Gain gain = Gain.of(PastJob.read(new Path(file)), seeds);
        System.out.print(
                json
                        ? new ObjectMapper()
                                        .enable(SerializationFeature.INDENT_OUTPUT)
                                        .writeValueAsString(gain)
                                + "\n"
                        : text(gain));
        return 0;
    }

    private static String text(Gain gain) {
        StringBuilder text = new StringBuilder();
        line(text, "%s (%s) took %.0f s.", gain.job(), gain.name(), gain.jobSeconds());
        line(text, "With clones it would have taken about %.0f s.", gain.withClonesSeconds());
        if (gain.backups() > 0) {
            line(
                    text,
                    "Backups: %d, of which %d won. Without them it would have taken about %.0f s.",
                    gain.backups(),
                    gain.backupsWon(),
                    gain.aloneSeconds());
        }
        line(text, "Attempts that won nothing took %.0f s.", gain.thrownAwaySeconds());
        line(
                text,
                "This is simulated, and not validated. The job's work took %.0f s; simulated as it"
                        + " was, it takes %.0f s. The further these are apart, the less the"
                        + " estimate is worth.",
                gain.workSeconds(),
                gain.simulatedSeconds());
        return text + stragglers(gain);
    }

    private static void line(StringBuilder text, String format, Object... values) {
        text.append(String.format(Locale.ROOT, format, values)).append('\n');
    }

    private static String stragglers(Gain gain) {
        if (gain.stragglers().isEmpty()) {
            return "No attempt straggled.\n";
        }
        Table table = new Table();
        table.row("straggler", "host", "s", "time/usual", "input/usual", "overtaken");
        for (Gain.Straggler one : gain.stragglers()) {
            table.row(
                    one.attempt(),
                    one.host(),
                    String.format(Locale.ROOT, "%.0f", one.seconds()),
                    String.format(Locale.ROOT, "%.1f", one.timesUsual()),
                    String.format(Locale.ROOT, "%.1f", one.timesInput()),
                    one.overtaken() ? "yes" : "no");
        }
        return table.toString();
    }
}
