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
package org.apache.hadoop.clone.task;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What a JVM, with all that it starts, costs. */
enum CostMeter {
    /** Milliseconds of processors, user and system. */
    CPU_MS(
            List.of(
                    "bash",
                    "-c",
                    "TIMEFORMAT='%U %S'; { time \"$@\" 2>&3; } 3>&2 2>processor-seconds",
                    "timed"),
            List.of()) {
        @Override
        double read(Path work) throws IOException {
            String[] seconds =
                    Files.readString(work.resolve("processor-seconds")).strip().split(" ");
            return 1e3 * (Double.parseDouble(seconds[0]) + Double.parseDouble(seconds[1]));
        }
    },

    /**
     * Instructions, which are nearly the same in each run on an idle machine; takes twenty times as
     * long. Compilers that run beside the map would make them differ.
     */
    INSTRUCTIONS(
            List.of(
                    "valgrind",
                    "--tool=cachegrind",
                    "--cache-sim=no",
                    "--cachegrind-out-file=/dev/null",
                    "--trace-children=yes",
                    "--log-file=instructions-%p",
                    // A JVM changes its own code, and looks where a null pointer trapped.
                    "--smc-check=all-non-file",
                    "--vex-iropt-register-updates=allregs-at-mem-access"),
            List.of("-Xbatch")) {
        @Override
        double read(Path work) throws IOException {
            double sum = 0;
            try (DirectoryStream<Path> logs = Files.newDirectoryStream(work, "instructions-*")) {
                for (Path log : logs) {
                    Matcher count = COUNT.matcher(Files.readString(log));
                    while (count.find()) {
                        sum += Long.parseLong(count.group(1).replace(",", ""));
                    }
                }
            }
            return sum;
        }
    };

    private static final Pattern COUNT = Pattern.compile("I +refs: +([0-9,]+)");

    /** The command that runs its arguments and measures them. */
    final List<String> command;

    final List<String> jvmOptions;

    CostMeter(List<String> command, List<String> jvmOptions) {
        this.command = command;
        this.jvmOptions = jvmOptions;
    }

    static CostMeter of(String key) {
        return valueOf(key.toUpperCase(Locale.ROOT));
    }

    /** What it has measured. */
    abstract double read(Path work) throws IOException;

    String key() {
        return name().toLowerCase(Locale.ROOT);
    }
}
