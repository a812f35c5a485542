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
package org.clonehadoop.command;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystemException;
import java.util.concurrent.TimeoutException;
import picocli.CommandLine;

/** What all of {@code clone-hadoop}'s commands have in common. */
public final class Commands {
    private Commands() {}

    /**
     * The command's line. What goes wrong on the way is one line on standard error, and exit code 1
     * ({@link CommandLine.ExitCode#SOFTWARE}) or the failure's own ({@link
     * CommandLine.IExitCodeGenerator}).
     *
     * @param command with picocli's annotations
     */
    public static CommandLine line(Object command) {
        return new CommandLine(command)
                .setExecutionExceptionHandler(
                        (failure, line, parsed) -> {
                            line.getErr().println(line.getCommandName() + ": " + reason(failure));
                            return failure instanceof CommandLine.IExitCodeGenerator its
                                    ? its.getExitCode()
                                    : CommandLine.ExitCode.SOFTWARE;
                        });
    }

    /**
     * One line and the usage, and exit code 2 ({@link CommandLine.ExitCode#USAGE}), unless that
     * holds.
     *
     * @param command that is being carried out
     * @throws CommandLine.ParameterException for {@link #line}
     */
    public static void require(Object command, boolean good, String otherwise) {
        if (!good) {
            throw new CommandLine.ParameterException(new CommandLine(command), otherwise);
        }
    }

    private static String reason(Exception failure) {
        if (failure instanceof UncheckedIOException unchecked) {
            return reason(unchecked.getCause());
        }
        if (failure instanceof FileSystemException file && file.getReason() == null) {
            // Its message is the file's name alone.
            return "can't read or write "
                    + file.getMessage()
                    + ": "
                    + file.getClass().getSimpleName();
        }
        boolean isForPeople =
                failure instanceof IOException
                        || failure instanceof TimeoutException
                        || failure instanceof IllegalArgumentException;
        return isForPeople && failure.getMessage() != null
                ? failure.getMessage()
                : failure.toString();
    }
}
