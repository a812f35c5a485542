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
package org.clonehadoop.simulator;

import org.clonehadoop.simulator.calibrate.FitCommand;
import org.clonehadoop.simulator.figures.FigureCommand;
import org.clonehadoop.simulator.goals.GoalsCommand;
import org.clonehadoop.simulator.history.HistoryCommand;
import org.clonehadoop.simulator.regress.RegressCommand;
import org.clonehadoop.simulator.replay.ReplayCommand;
import org.clonehadoop.simulator.requests.figures.RequestsCommand;
import org.clonehadoop.simulator.sweep.SweepCommand;
import org.clonehadoop.simulator.trace.TraceCommand;
import org.clonehadoop.simulator.validate.ValidateCommand;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** What {@code scripts/simulate} starts. */
@Command(
        name = "simulate",
        description = "Replays and simulates jobs around the real speculator.",
        mixinStandardHelpOptions = true,
        subcommands = {
            ReplayCommand.class,
            RunCommand.class,
            RegressCommand.class,
            FigureCommand.class,
            HistoryCommand.class,
            ScaleCommand.class,
            SweepCommand.class,
            TraceCommand.class,
            ValidateCommand.class,
            FitCommand.class,
            GoalsCommand.class,
            RequestsCommand.class
        })
public final class Simulate {
    private Simulate() {}

    public static void main(String[] arguments) {
        System.exit(
                new CommandLine(new Simulate())
                        .setCaseInsensitiveEnumValuesAllowed(true)
                        .setExecutionExceptionHandler(
                                (e, command, parsed) -> {
                                    System.err.println("simulate: " + e.getMessage());
                                    return 1;
                                })
                        .execute(arguments));
    }
}
