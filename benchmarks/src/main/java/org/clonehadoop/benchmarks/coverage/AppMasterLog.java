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
package org.clonehadoop.benchmarks.coverage;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** What an AppMaster's log says of a job's clones, maps or reduces. */
final class AppMasterLog {
    private static final Pattern TRANSITION =
            Pattern.compile(
                    "clone \\d+ of (attempt_\\S+?)(?: as attempt_\\S+)?:"
                            + " ([A-Z_]+) -> ([A-Z_]+)(?:: (.*))?$");
    private static final Pattern DECISION =
            Pattern.compile("CloneSpeculator: (?:NEW|NONE) (attempt_\\S+): (.*)$");
    private static final Pattern SUCCESS =
            Pattern.compile("(attempt_\\S+) TaskAttempt Transitioned from \\S+ to SUCC\\S*");

    /**
     * What became of the clones of a kind of task.
     *
     * @param ran how many came to run
     * @param won how many of them won
     * @param died how many ended otherwise, before their originals had succeeded
     * @param inVain containers that were used for a clone that didn't come to run
     * @param why the last reason for which a clone came to nothing, or wasn't asked for
     */
    record Clones(int ran, int won, int died, int inVain, Optional<String> why) {
        Clones plus(Clones other) {
            return new Clones(
                    ran + other.ran,
                    won + other.won,
                    died + other.died,
                    inVain + other.inVain,
                    other.why.or(() -> why));
        }
    }

    static final Clones NONE = new Clones(0, 0, 0, 0, Optional.empty());

    private final String type;
    private final Set<String> succeeded = new HashSet<>();
    private int ran;
    private int won;
    private int died;
    private int inVain;
    private Optional<String> why = Optional.empty();

    private AppMasterLog(String type) {
        this.type = type;
    }

    /**
     * @param type {@code m} or {@code r}
     */
    static Clones read(List<String> lines, String type) {
        AppMasterLog log = new AppMasterLog(type);
        lines.forEach(log::line);
        return new Clones(log.ran, log.won, log.died, log.inVain, log.why);
    }

    /**
     * Of all AppMasters of a job, one after another.
     *
     * @param hosts the cluster's directory of hosts
     */
    static List<String> linesOf(Path hosts, String job) throws IOException {
        String application = job.replaceFirst("^job_", "application_");
        List<Path> logs;
        try (Stream<Path> all = Files.list(hosts)) {
            logs =
                    all.map(host -> host.resolve("logs/containers").resolve(application))
                            .filter(Files::isDirectory)
                            .flatMap(AppMasterLog::appMasters)
                            .sorted(Comparator.comparing(Path::getFileName))
                            .map(container -> container.resolve("syslog"))
                            .filter(Files::exists)
                            .toList();
        }
        List<String> lines = new ArrayList<>();
        for (Path log : logs) {
            lines.addAll(Files.readAllLines(log));
        }
        return lines;
    }

    /** Each attempt's first container. */
    private static Stream<Path> appMasters(Path containers) {
        File[] found = containers.toFile().listFiles((in, name) -> name.endsWith("_000001"));
        return Stream.of(found).map(File::toPath);
    }

    private void line(String line) {
        Matcher success = SUCCESS.matcher(line);
        Matcher transition = TRANSITION.matcher(line);
        Matcher decision = DECISION.matcher(line);
        if (success.find()) {
            succeeded.add(success.group(1));
        } else if (transition.find() && isOfType(transition.group(1))) {
            entered(transition);
        } else if (decision.find() && isOfType(decision.group(1)) && why.isEmpty()) {
            why = Optional.of(decision.group(2));
        }
    }

    private boolean isOfType(String attempt) {
        return attempt.contains("_" + type + "_");
    }

    private void entered(Matcher transition) {
        switch (transition.group(3)) {
            case "RUNNING" -> ran++;
            case "WON" -> won++;
            case "LOST" -> died += succeeded.contains(transition.group(1)) ? 0 : 1;
            case "FELL_BACK", "GIVEN_UP" -> {
                why = Optional.ofNullable(transition.group(4));
                inVain += transition.group(2).equals("ASKED") ? 0 : 1;
            }
            default -> {}
        }
    }
}
