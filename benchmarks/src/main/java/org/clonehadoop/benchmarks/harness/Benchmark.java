package org.clonehadoop.benchmarks.harness;

import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Option;

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
    protected final int runs() {
        return quick ? QUICK_RUNS : RUNS;
    }

    /** For whoever waits for the table. */
    protected static void progress(String line) {
        System.err.println(line);
    }

    @Override
    public final Integer call() throws Exception {
        Summary summary = new Summary();
        summary.put("environment", Environment.describe());
        summary.put("runs", runs());
        measure(summary);
        System.out.print(summary.table());
        if (json != null) {
            summary.write(json);
        }
        return 0;
    }

    protected static void execute(Benchmark benchmark, String[] arguments) {
        System.exit(new CommandLine(benchmark).execute(arguments));
    }
}
