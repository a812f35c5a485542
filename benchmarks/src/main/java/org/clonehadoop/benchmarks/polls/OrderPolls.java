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
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.clone.appmaster.OrderServer;
import org.apache.hadoop.clone.protocol.CloneOrder;
import org.apache.hadoop.mapred.TaskAttemptID;
import org.apache.hadoop.mapreduce.TaskType;
import org.clonehadoop.benchmarks.harness.Benchmark;
import org.clonehadoop.benchmarks.harness.Programs;
import org.clonehadoop.benchmarks.harness.Series;
import org.clonehadoop.benchmarks.harness.Summary;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** What it costs an AppMaster that each of its maps waits for orders. */
@Command(name = "order-polls/run", sortOptions = false, mixinStandardHelpOptions = true)
public final class OrderPolls extends Benchmark {
    /** In which every map's poll ends once without an order. */
    private static final Duration WINDOW = Duration.ofSeconds(60);

    private static final Duration LOOK = Duration.ofMillis(100);
    private static final int DELIVERIES = 100;

    @Option(names = "--pollers", paramLabel = "N", description = "Running maps (10000).")
    private int count = 10_000;

    @Option(names = "--scratch", paramLabel = "DIR", required = true)
    private Path scratch;

    private final List<Poller> pollers = new ArrayList<>();
    private final Random random = new Random(1);
    private AppMasterProcess server;

    @Override
    protected void measure(Summary summary) throws Exception {
        server = new AppMasterProcess(new Programs(), OrderServer.class, scratch);
        long heapBefore = server.liveHeapBytes();
        long threadsBefore = server.threads();
        long cpuBefore = server.cpuMillis();
        progress("connecting " + count + " maps");
        connect();
        Poller control = pollers.get(0);
        deliver(control, pollers.get(count - 1));
        double connectMillis = server.cpuMillis() - cpuBefore;
        summary.put("maps", count);
        summary.put("threads_added", server.threads() - threadsBefore);
        summary.section("the AppMaster, with " + count + " maps waiting");
        summary.add("heap_bytes", "heap they take", Series.of(server.liveHeapBytes() - heapBefore));
        summary.add("connect_cpu_ms", "CPU to connect one", Series.of(connectMillis / count));
        Series idle = new Series();
        Series delivery = new Series();
        for (int run = 0; run < runs(); run++) {
            progress("window " + (run + 1) + " of " + runs());
            idle.add(idleCpuMillis() / WINDOW.toSeconds());
            for (int i = 0; i < DELIVERIES; i++) {
                Poller any = pollers.get(1 + random.nextInt(count - 1));
                delivery.add(deliver(control, any));
            }
        }
        summary.add("idle_cpu_ms_per_s", "CPU in a second", idle);
        summary.add("delivery_ms", "an order's way, with its call", delivery);
        summary.add("resident_bytes", "process in memory", Series.of(server.residentBytes()));
    }

    private void connect() throws IOException {
        // The first speaks for the others, and waits for no orders.
        for (int i = 0; i < count; i++) {
            TaskAttemptID attempt = new TaskAttemptID("1", 1, TaskType.MAP, i, 0);
            Poller poller = new Poller(attempt, server);
            pollers.add(poller);
            if (i > 0) {
                poller.ask();
            }
        }
    }

    /** How long an order takes to reach a map, from the call that causes it, in milliseconds. */
    private static double deliver(Poller control, Poller to) throws IOException {
        long before = System.nanoTime();
        control.answerFor(to.attempt());
        CloneOrder order = to.takeAndAsk();
        while (order.kind() == CloneOrder.Kind.NONE) {
            order = to.takeAndAsk(); // its poll had just ended
        }
        return (System.nanoTime() - before) / 1e6;
    }

    /** The server's CPU time in a window in which nothing happens but that polls end. */
    private double idleCpuMillis() throws IOException, InterruptedException {
        long end = System.nanoTime() + WINDOW.toNanos();
        long before = server.cpuMillis();
        int again = 0;
        while (System.nanoTime() < end) {
            for (Poller poller : pollers) {
                if (poller.isAnswered()) {
                    poller.takeAndAsk();
                    again++;
                }
            }
            Thread.sleep(LOOK.toMillis());
        }
        progress(again + " polls ended and began again");
        return server.cpuMillis() - before;
    }

    public static void main(String[] arguments) {
        execute(new OrderPolls(), arguments);
    }
}
