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
package org.clonehadoop.benchmarks.reads;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.clonehadoop.benchmarks.harness.Benchmark;
import org.clonehadoop.benchmarks.harness.Goal;
import org.clonehadoop.benchmarks.harness.Outcome;
import org.clonehadoop.benchmarks.harness.Series;
import org.clonehadoop.benchmarks.harness.Summary;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * What others' duplicates cost a client that has none: a stock one reads from the same disks as
 * others that have, or haven't.
 */
@Command(name = "reads/run --bystander", sortOptions = false, mixinStandardHelpOptions = true)
public final class BystanderReads extends Benchmark {
    private static final List<Scheme> OTHERS = List.of(Scheme.SINGLE, Scheme.DAS);

    /** Percent of all disks; together they are the medium load of the other figures. */
    private static final int LOAD = 15;

    private static final int OTHERS_LOAD = 30;

    /** The bystander is never near what the others read, which may be in the page cache. */
    private static final int AHEAD = 100;

    @Mixin private SlowDisks disks;

    @Option(
            names = "--seconds",
            paramLabel = "N",
            description = "For each of a run's two turns (60; 16 with --quick).")
    private Integer seconds;

    private final Map<Scheme, Outcome> bystander = new EnumMap<>(Scheme.class);
    private final Map<Scheme, Outcome> others = new EnumMap<>(Scheme.class);

    @Override
    protected void measure(Summary summary) throws Exception {
        progress("writing " + disks.describe());
        disks.fill();
        ExecutorService background = Executors.newSingleThreadExecutor();
        for (int run = 0; run < runs(); run++) {
            // Either is first as often.
            for (int i = 0; i < OTHERS.size(); i++) {
                Scheme scheme = OTHERS.get((i + run) % OTHERS.size());
                progress("beside " + scheme.option() + ", run " + (run + 1) + " of " + runs());
                turn(scheme, run, background);
                disks.awaitIdle();
            }
        }
        background.shutdown();
        report(summary);
    }

    @Override
    protected int runs() {
        return quick() ? 2 : 6;
    }

    private int seconds() {
        return seconds != null ? seconds : quick() ? 16 : 60;
    }

    /** The same times beside either scheme. */
    private void turn(Scheme scheme, int run, ExecutorService background) throws Exception {
        long[] theirs = disks.arrivals(OTHERS_LOAD, seconds(), 2L * run);
        long[] its = disks.arrivals(LOAD, seconds(), 2L * run + 1);
        Future<Outcome> racing = background.submit(() -> disks.ask(scheme, theirs, 0));
        bystander.merge(scheme, disks.ask(Scheme.SINGLE, its, AHEAD), Outcome::plus);
        try {
            others.merge(scheme, racing.get(), Outcome::plus);
        } catch (ExecutionException e) {
            throw (Exception) e.getCause();
        }
    }

    private void report(Summary summary) {
        OutcomeTable table = new OutcomeTable(summary, disks, seconds());
        table.heading("A stock client, " + LOAD + " % of " + disks.disks() + " disks");
        for (Scheme scheme : OTHERS) {
            table.row("beside " + scheme.key(), "beside_" + scheme.key(), bystander.get(scheme));
        }
        table.heading("The others, " + OTHERS_LOAD + " %");
        for (Scheme scheme : OTHERS) {
            table.row(scheme.key(), scheme.key(), others.get(scheme));
        }
        summary.section("The stock client beside das, over beside single");
        ratio(summary, 50);
        ratio(summary, 95);
        ratio(summary, 99);
        table.client(
                Stream.concat(bystander.values().stream(), others.values().stream())
                        .collect(Collectors.toList()));
    }

    private void ratio(Summary summary, int percentile) {
        double ratio = millis(Scheme.DAS, percentile) / millis(Scheme.SINGLE, percentile);
        if (Double.isNaN(ratio)) {
            return;
        }
        String key = "bystander_p" + percentile + "_ratio";
        String label = "p" + percentile;
        if (percentile == 99) {
            summary.add(key, label, Series.of(ratio), Goal.atMost(1.05));
        } else {
            summary.add(key, label, Series.of(ratio));
        }
    }

    private double millis(Scheme beside, int percentile) {
        return bystander.get(beside).millis(percentile, disks.disks());
    }

    public static void main(String[] arguments) {
        execute(new BystanderReads(), arguments);
    }
}
