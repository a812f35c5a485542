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
package org.clonehadoop.selection.controller;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.clonehadoop.selection.placement.Adaptive;
import org.clonehadoop.selection.placement.Counted;
import org.clonehadoop.selection.placement.Failure;
import org.clonehadoop.selection.placement.Placement;
import org.clonehadoop.selection.placement.Plan;
import org.clonehadoop.selection.placement.Problem;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** What {@code scripts/replica-plan} starts. */
@Command(
        name = "replica-plan",
        description = "Says at which switches replicas are selected for which groups of hosts.",
        mixinStandardHelpOptions = true)
public final class ReplicaPlan {
    private static final int MOST_SECONDS = 86_400;

    @Spec private CommandSpec command;

    private ReplicaPlan() {}

    @Command(
            description = "As few nodes as there can be: NetRS' integer program, solved exactly.",
            mixinStandardHelpOptions = true)
    int ilp(
            @Mixin Asked asked,
            @Option(
                            names = "--seconds",
                            paramLabel = "N",
                            defaultValue = "10",
                            description =
                                    "after which the best plan so far has to do; ${DEFAULT-VALUE}")
                    double seconds)
            throws IOException {
        if (!(seconds >= 0 && seconds <= MOST_SECONDS)) {
            throw new IOException("--seconds is to be from 0 to " + MOST_SECONDS);
        }
        Problem problem = asked.problem();
        Placement placement = Counted.solve(problem, Duration.ofMillis((long) (seconds * 1000)));
        Map<String, Object> more = new LinkedHashMap<>();
        more.put("optimal", placement.optimal());
        if (placement.least() != Placement.UNKNOWN) {
            more.put("least", placement.least());
        }
        more.put("seconds", placement.seconds());
        print(asked, problem, placement.plan(), more);
        if (!asked.json()) {
            System.out.printf(
                    Locale.ROOT, "%s, found in %.3f s%n", proof(placement), placement.seconds());
        }
        return 0;
    }

    private static String proof(Placement placement) {
        if (placement.least() == Placement.UNKNOWN) {
            return "Algorithm 1's plan, for nothing could be proven in time; see --seconds";
        }
        String proven =
                placement.optimal()
                        ? "proven optimal"
                        : "at least " + placement.least() + " nodes are needed";
        return placement.plan().degradesAny()
                ? proven + ", of plans that degrade the same groups"
                : proven;
    }

    @Command(
            description =
                    "NetRS' Algorithm 1, from the plan in force, or from every rack's own switch.",
            mixinStandardHelpOptions = true)
    int adaptive(
            @Mixin Asked asked,
            @Option(
                            names = "--plan",
                            paramLabel = "FILE",
                            description = "the rules in force, as --json wrote them")
                    Path plan)
            throws IOException {
        Problem problem = asked.problem();
        Plan begin =
                plan == null
                        ? problem.atTors()
                        : Failure.replan(problem, Rules.read(problem, plan), asked.failed());
        Adaptive adaptive = new Adaptive(problem, begin, Adaptive.Patience.DEFAULT);
        print(asked, problem, adaptive.settle(), Map.of());
        return 0;
    }

    @Command(
            description = "NetRS' Algorithm 2: another plan at once, when accelerators fail.",
            mixinStandardHelpOptions = true)
    int failure(
            @Mixin Asked asked,
            @Option(
                            names = "--plan",
                            required = true,
                            paramLabel = "FILE",
                            description = "the rules in force, as --json wrote them")
                    Path plan)
            throws IOException {
        List<Integer> failed = asked.failed();
        if (failed.isEmpty()) {
            throw new ParameterException(
                    command.subcommands().get("failure"),
                    "Missing required option: '--failed=SWITCH'");
        }
        Problem problem = asked.problem();
        Plan other = Failure.replan(problem, Rules.read(problem, plan), failed);
        print(asked, problem, other, Map.of());
        return 0;
    }

    private static void print(Asked asked, Problem problem, Plan plan, Map<String, Object> more)
            throws IOException {
        System.out.print(
                asked.json()
                        ? Report.json(problem, plan, more) + "\n"
                        : Report.table(problem, plan));
    }

    /** Exit codes: 0, 1 for what can't be read or solved, 2 for a command line that is wrong. */
    static CommandLine commandLine() {
        return new CommandLine(new ReplicaPlan())
                .setExecutionExceptionHandler(
                        (e, command, parsed) -> {
                            command.getErr().println("replica-plan: " + e.getMessage());
                            return 1;
                        });
    }

    public static void main(String[] arguments) {
        System.exit(commandLine().execute(arguments));
    }
}
