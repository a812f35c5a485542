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
package org.clonehadoop.shadow;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.clonehadoop.command.Commands;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * {@code clone-hadoop shadow}. Exit code 0: told, be it of nothing; 1: a log can't be read, or a
 * file written; 2: wrong usage.
 */
@Command(
        name = "clone-hadoop shadow",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Tells what clones would have gained, from the logs of AppMasters whose jobs had"
                    + " mapreduce.clone.mode=shadow.",
            "By hindsight: when an attempt did end, less when its clone was estimated to."
        })
public final class ShadowCommand implements Callable<Integer> {
    @Parameters(
            arity = "1..*",
            paramLabel = "LOG",
            description =
                    "a syslog of an AppMaster, what `yarn logs` has written, or a directory with"
                            + " such files")
    private List<Path> logs;

    @Option(names = "--json", paramLabel = "FILE", description = "writes all figures of all jobs")
    private Path json;

    /** As {@code clone-hadoop shadow} starts it. */
    public static void main(String[] arguments) {
        System.exit(Commands.line(new ShadowCommand()).execute(arguments));
    }

    @Override
    public Integer call() throws IOException {
        List<Path> files = files();
        AtomicInteger read = new AtomicInteger();
        Progress progress = new Progress(files.size());
        ShadowLog log =
                ShadowLog.read(
                        files.stream()
                                .peek(file -> progress.at(read.getAndIncrement()))
                                .flatMap(ShadowCommand::lines));
        List<ShadowGain> gains = ShadowGain.of(log);
        System.out.print(text(gains, log, files.size()));
        if (json != null) {
            write(gains, log);
        }
        return CommandLine.ExitCode.OK;
    }

    /** Every two seconds a line, for whoever waits. */
    private static final class Progress {
        private static final long SAY_NANOS = TimeUnit.SECONDS.toNanos(2);

        private final int files;
        private long said = System.nanoTime();

        Progress(int files) {
            this.files = files;
        }

        void at(int file) {
            if (System.nanoTime() - said > SAY_NANOS) {
                said = System.nanoTime();
                System.err.printf("read %d of %d logs%n", file, files);
            }
        }
    }

    private List<Path> files() throws IOException {
        List<Path> files = new ArrayList<>();
        for (Path log : logs) {
            try (Stream<Path> below = Files.walk(log)) {
                below.filter(Files::isRegularFile).sorted().forEach(files::add);
            }
        }
        return files;
    }

    /** Whatever bytes are there: aggregated logs have binary ones between their lines. */
    private static Stream<String> lines(Path file) {
        try {
            return Files.lines(file, StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void write(List<ShadowGain> gains, ShadowLog log) throws IOException {
        ObjectMapper mapper = new ObjectMapper();
        ObjectNode all = mapper.createObjectNode();
        all.set("jobs", mapper.valueToTree(gains));
        all.set("left_alone", mapper.valueToTree(log.reasons()));
        all.set("jobs_seen", mapper.valueToTree(log.jobs()));
        all.set("speculated_by_stock", mapper.valueToTree(log.speculated()));
        Files.writeString(
                json, mapper.writerWithDefaultPrettyPrinter().writeValueAsString(all) + "\n");
    }

    static String text(List<ShadowGain> gains, ShadowLog log, int files) {
        StringBuilder text = new StringBuilder();
        String format = "%-28s %8s %9s %12s %12s %12s %8s%n";
        if (!gains.isEmpty()) {
            line(
                    text,
                    format,
                    "job",
                    "clones",
                    "restarts",
                    "estimated s",
                    "hindsight s",
                    "largest s",
                    "known");
        }
        for (ShadowGain gain : gains) {
            line(
                    text,
                    format,
                    gain.job(),
                    gain.clones(),
                    gain.restarts(),
                    number(gain.estimatedSeconds()),
                    number(gain.hindsightSeconds()),
                    number(gain.largestSeconds()),
                    gain.known() + "/" + (gain.clones() + gain.restarts()));
        }
        line(
                text,
                "Logs: %d, of %d jobs with stragglers; %d attempts would have been cloned and %d started again; of their"
                        + " tasks' time %s s would have been gained by the estimates, %s s by"
                        + " hindsight%n",
                files,
                log.jobs().size(),
                gains.stream().mapToInt(ShadowGain::clones).sum(),
                gains.stream().mapToInt(ShadowGain::restarts).sum(),
                number(gains.stream().mapToDouble(ShadowGain::estimatedSeconds).sum()),
                number(gains.stream().mapToDouble(ShadowGain::hindsightSeconds).sum()));
        log.reasons()
                .forEach(
                        (reason, times) ->
                                line(text, "Decisions to leave alone: %d, %s%n", times, reason));
        if (!log.speculated().isEmpty()) {
            line(
                    text,
                    "Tasks with a second attempt by stock's speculator: %d; of these nothing later"
                            + " is known%n",
                    log.speculated().size());
        }
        return text.toString();
    }

    private static String number(double seconds) {
        return String.format(Locale.ROOT, "%.1f", seconds);
    }

    private static void line(StringBuilder text, String format, Object... values) {
        text.append(String.format(Locale.ROOT, format, values));
    }
}
