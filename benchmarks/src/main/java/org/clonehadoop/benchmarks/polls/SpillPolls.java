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
package org.clonehadoop.benchmarks.polls;

import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.clone.appmaster.SpillServer;
import org.apache.hadoop.clone.protocol.SpillNotice;
import org.apache.hadoop.clone.protocol.SpillProtocol;
import org.apache.hadoop.clone.protocol.SpillUpdates;
import org.apache.hadoop.ipc.ThreadlessConnection;
import org.apache.hadoop.mapred.TaskAttemptID;
import org.apache.hadoop.mapreduce.TaskType;
import org.clonehadoop.benchmarks.harness.Benchmark;
import org.clonehadoop.benchmarks.harness.Goal;
import org.clonehadoop.benchmarks.harness.Programs;
import org.clonehadoop.benchmarks.harness.Series;
import org.clonehadoop.benchmarks.harness.Summary;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** What it costs an AppMaster that all reduces wait for spills, and are told of each. */
@Command(name = "spill-polls/run", sortOptions = false, mixinStandardHelpOptions = true)
public final class SpillPolls extends Benchmark {
    private static final int WARM_UP = 10;
    private static final int SPILLS_A_RUN = 10;

    /**
     * More than the AppMaster lets pass between two answers, so that each spill is told by itself.
     */
    private static final long PAUSE_MILLIS = 1500;

    /** As many as one answer has at most. */
    private static final int UPDATES_AT_ONCE = 10_000;

    private static final Method SPILL_UPDATES =
            ThreadlessConnection.method(
                    SpillProtocol.class, "spillUpdates", TaskAttemptID.class, int.class);
    private static final Method SPILL_FINISHED =
            ThreadlessConnection.method(
                    SpillProtocol.class, "spillFinished", TaskAttemptID.class, SpillNotice.class);

    @Option(names = "--reduces", paramLabel = "N", description = "Running reduces (2000).")
    private int count = 2000;

    @Option(names = "--scratch", paramLabel = "DIR", required = true)
    private Path scratch;

    private final List<Reduce> reduces = new ArrayList<>();
    private AppMasterProcess server;
    private ThreadlessConnection maps;
    private int spills;

    /** A running reduce, as far as the AppMaster's spill service knows it. */
    private final class Reduce {
        private final TaskAttemptID attempt;
        private final ThreadlessConnection connection = server.connect(SpillProtocol.class);
        private int seen;

        Reduce(int index) throws IOException {
            attempt = new TaskAttemptID("1", 1, TaskType.REDUCE, index, 0);
            ask();
        }

        void ask() throws IOException {
            connection.call(SPILL_UPDATES, attempt, seen);
        }

        /** Waits until it knows so many spills, and asks for more. */
        void learn(int known) throws IOException {
            while (seen < known) {
                seen += ((SpillUpdates) connection.answer()).list().size();
                ask();
            }
        }
    }

    @Override
    protected void measure(Summary summary) throws Exception {
        server = new AppMasterProcess(new Programs(), SpillServer.class, scratch);
        maps = server.connect(SpillProtocol.class);
        long heapBefore = server.liveHeapBytes();
        long threadsBefore = server.threads();
        progress("connecting " + count + " reduces");
        for (int i = 0; i < count; i++) {
            reduces.add(new Reduce(i));
        }
        for (int i = 0; i < WARM_UP; i++) {
            tell();
        }
        summary.put("reduces", count);
        summary.put("threads_added", server.threads() - threadsBefore);
        Series heap = Series.of(server.liveHeapBytes() - heapBefore);
        Series told = new Series();
        Series cpu = new Series();
        for (int run = 0; run < runs(); run++) {
            progress("run " + (run + 1) + " of " + runs());
            for (int i = 0; i < SPILLS_A_RUN; i++) {
                Thread.sleep(PAUSE_MILLIS);
                long before = server.cpuMillis();
                told.add(tell());
                cpu.add(server.cpuMillis() - before);
            }
        }
        summary.section("the AppMaster, with " + count + " reduces waiting");
        summary.add("heap_bytes", "heap they take", heap);
        summary.add("told_ms", "from a spill's notice until all know it", told);
        summary.add("spill_cpu_ms", "CPU for that, and for their next questions", cpu);
        measureRegistry(summary);
    }

    private void measureRegistry(Summary summary) throws IOException {
        progress("a registry of very many spills");
        double before = LargeRegistry.liveHeapBytes();
        LargeRegistry registry = new LargeRegistry();
        Series heap = Series.of(LargeRegistry.liveHeapBytes() - before);
        Series answer = new Series();
        for (int run = 0; run < runs(); run++) {
            answer.add(answerMillis(registry));
        }
        int spills = LargeRegistry.MAPS * LargeRegistry.SPILLS_OF_A_MAP;
        summary.put("registry_spills", spills);
        summary.put("registry_reduces", LargeRegistry.REDUCES);
        summary.section(spills + " spills for " + LargeRegistry.REDUCES + " reduces");
        summary.add("registry_heap_bytes", "heap that they take", heap, Goal.atMost(100e6));
        summary.add(
                "registry_answer_ms", "what the longest answer takes to be put together", answer);
    }

    /** The mean for a reduce that is told all. */
    private static double answerMillis(LargeRegistry registry) {
        long before = System.nanoTime();
        for (int from = 0; from < LargeRegistry.UPDATES; from += UPDATES_AT_ONCE) {
            registry.updates(from, UPDATES_AT_ONCE);
        }
        return (System.nanoTime() - before) / 1e6 * UPDATES_AT_ONCE / LargeRegistry.UPDATES;
    }

    /**
     * Another map publishes a spill that has something for every reduce.
     *
     * @return milliseconds from the call until the last reduce has heard of it and asked again
     */
    private double tell() throws IOException {
        TaskAttemptID map = new TaskAttemptID("1", 1, TaskType.MAP, spills, 0);
        long[] bytes = new long[count];
        Arrays.fill(bytes, 1 << 20);
        long before = System.nanoTime();
        maps.call(
                SPILL_FINISHED, map, new SpillNotice(0, SpillNotice.NO_CHAIN, ++spills, 0, bytes));
        maps.answer();
        for (Reduce reduce : reduces) {
            reduce.learn(spills);
        }
        return (System.nanoTime() - before) / 1e6;
    }

    public static void main(String[] arguments) {
        execute(new SpillPolls(), arguments);
    }
}
