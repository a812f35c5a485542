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
package org.clonehadoop.simulator.sweep;

import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.clonehadoop.simulator.Rules;
import org.clonehadoop.simulator.Simulation;
import org.clonehadoop.simulator.mapreduce.JobSpec;
import org.clonehadoop.simulator.mapreduce.RunRecord;
import org.clonehadoop.simulator.platform.CostBook;
import org.clonehadoop.simulator.speculators.Kind;

/** A run that is asked for; two that are equal have the same result. */
public record Asked(JobSpec spec, Kind kind, long seed, Rules rules) {
    private static final String OUR_KEYS = "mapreduce.clone.";

    /** By today's rules. */
    public static Asked of(JobSpec spec, Kind kind, long seed) {
        return kind == Kind.STOCK
                ? new Asked(stocks(spec), kind, seed, Rules.PRESET)
                : new Asked(spec, kind, seed, Rules.PRESET);
    }

    /** What clones cost is all the same where there are none, and so are our keys. */
    private static JobSpec stocks(JobSpec spec) {
        return Components.with(
                spec.withCosts(CostBook.measured()),
                "conf",
                spec.conf().entrySet().stream()
                        .filter(entry -> !entry.getKey().startsWith(OUR_KEYS))
                        .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue)));
    }

    static List<Asked> each(Trial trial, long first, int runs) {
        return LongStream.range(first, first + runs)
                .mapToObj(seed -> new Asked(trial.spec(), Kind.OURS, seed, trial.rules()))
                .toList();
    }

    static List<Asked> stocks(Trial trial, long first, int runs) {
        return LongStream.range(first, first + runs)
                .mapToObj(seed -> of(trial.spec(), Kind.STOCK, seed))
                .toList();
    }

    /** Simulates them, each once, on all processors; tells on the error output how far it is. */
    public static Map<Asked, RunRecord> run(Collection<Asked> all) {
        Collection<Asked> once = new LinkedHashSet<>(all);
        AtomicInteger done = new AtomicInteger();
        int tell = Math.max(500, once.size() / 20);
        return once.parallelStream()
                .collect(
                        Collectors.toMap(
                                Function.identity(),
                                one -> {
                                    RunRecord run = one.run();
                                    if (done.incrementAndGet() % tell == 0) {
                                        System.err.println(
                                                "simulate: " + done + " of " + once.size());
                                    }
                                    return run;
                                }));
    }

    private RunRecord run() {
        return Simulation.run(spec, kind, seed, rules);
    }
}
