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
package org.clonehadoop.benchmarks.harness;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeoutException;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParseResult;

/** What every benchmark is from outside: {@code run [--quick] [--json FILE]}. */
public abstract class Benchmark implements Callable<Integer> {
    private static final int RUNS = 5;
    private static final int QUICK_RUNS = 3;

    @Option(names = "--quick", description = "Fewer runs, and only what is quick to measure.")
    private boolean quick;

    @Option(names = "--json", paramLabel = "FILE", description = "Write one flat JSON object.")
    private Path json;

    protected abstract void measure(Summary summary) throws Exception;

    protected final boolean quick() {
        return quick;
    }

    /** How often each thing is measured. */
    protected int runs() {
        return quick ? QUICK_RUNS : RUNS;
    }

    /** How often each thing was measured in the end. */
    protected int measuredRuns() {
        return runs();
    }

    /** For whoever waits for the table. */
    protected static void progress(String line) {
        System.err.println(line);
    }

    @Override
    public final Integer call() throws Exception {
        Summary summary = new Summary();
        Map<String, Object> environment = Environment.describe();
        ProcessorTime before = ProcessorTime.now();
        summary.put("environment", environment);
        measure(summary);
        summary.put("runs", measuredRuns());
        environment.put("stolen_percent", ProcessorTime.now().stolenPercentSince(before));
        System.out.print(summary.table());
        if (json != null) {
            summary.write(json);
        }
        return 0;
    }

    protected static void execute(Benchmark benchmark, String[] arguments) {
        System.exit(
                new CommandLine(benchmark)
                        .setExecutionExceptionHandler(Benchmark::explain)
                        .execute(arguments));
    }

    /** What went wrong outside of this program needs no stack trace. */
    private static int explain(Exception e, CommandLine command, ParseResult parsed)
            throws Exception {
        if (!(e instanceof IOException || e instanceof TimeoutException)) {
            throw e;
        }
        System.err.println(command.getCommandName() + ": " + e.getMessage());
        return 1;
    }
}
