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
package org.clonehadoop.simulator.regress;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import org.clonehadoop.benchmarks.harness.Table;
import org.clonehadoop.simulator.speculators.Kind;

/**
 * Whether today's rules are as good as they were, and whether what they are compared with is what
 * it was.
 *
 * @param before what was accepted last
 */
record Comparison(Results before, Results now) {
    /**
     * Ours over stock's in one scenario, over the ratio that was accepted. Nothing is drawn by
     * chance, so this is no room for noise. It is for the order of what happens at one moment,
     * which another JVM or another Hadoop may have otherwise: a second attempt then gets its
     * container a heartbeat sooner or later, and that second is about 3 % of the shortest job's 36.
     */
    static final double WORSE = 1.03;

    /** Ours over stock's in any scenario. */
    private static final double WORST = 1.02;

    /** Of the geometric mean over the one before: heartbeats of many jobs cancel out. */
    private static final double WORSE_MEAN = 1.01;

    static final String ACCEPT = "run with --accept, and say why in the commit";

    /** What is wrong, each in one line; empty if nothing is. */
    List<String> failures() {
        List<String> failures = new ArrayList<>();
        failures.addAll(lacking(before, now, "was accepted and isn't in the catalogue now"));
        failures.addAll(lacking(now, before, "is in the catalogue and wasn't accepted"));
        for (Kind kind : Results.OTHERS) {
            failures.addAll(changes(kind));
        }
        for (String scenario : common()) {
            double most = most(scenario);
            if (now.ratio(scenario, Kind.STOCK) > most) {
                failures.add(
                        String.format(
                                Locale.ROOT,
                                "%s: ours takes %.4f times stock's time, and may take %.4f",
                                scenario,
                                now.ratio(scenario, Kind.STOCK),
                                most));
            }
        }
        if (meanRatio(now, Kind.STOCK) > WORSE_MEAN * meanRatio(before, Kind.STOCK)) {
            failures.add(
                    String.format(
                            Locale.ROOT,
                            "the geometric mean of ours over stock's is %.3f, and was %.3f",
                            meanRatio(now, Kind.STOCK),
                            meanRatio(before, Kind.STOCK)));
        }
        return failures;
    }

    /** Of stock's time, that ours may take. What was accepted last is no excuse for a loss. */
    private double most(String scenario) {
        return Math.min(WORST, WORSE * before.ratio(scenario, Kind.STOCK));
    }

    private static List<String> lacking(Results from, Results in, String what) {
        Set<String> lacking = new TreeSet<>(from.scenarios());
        lacking.removeAll(in.scenarios());
        return lacking.stream().map(name -> name + ": " + what + ": " + ACCEPT).toList();
    }

    /**
     * No change of ours' rules moves another's time, but for the oracle's, whose clones the same
     * coordinator makes. So even the least difference says that the model is another: beside a
     * slower stock ours would only seem to have gained.
     */
    private List<String> changes(Kind kind) {
        List<String> changed =
                common().stream()
                        .filter(name -> now.of(name, kind) != before.of(name, kind))
                        .toList();
        if (changed.isEmpty()) {
            return List.of();
        }
        String first = changed.get(0);
        return List.of(
                String.format(
                        Locale.ROOT,
                        "the model has changed: with %s %s takes %.1f s instead of %.1f (%d of %d"
                                + " scenarios differ): %s",
                        Results.name(kind),
                        first,
                        now.of(first, kind),
                        before.of(first, kind),
                        changed.size(),
                        common().size(),
                        ACCEPT));
    }

    /** Only what both have can be compared. */
    private SortedSet<String> common() {
        SortedSet<String> common = new TreeSet<>(now.scenarios());
        common.retainAll(before.scenarios());
        return common;
    }

    private double meanRatio(Results results, Kind other) {
        return results.meanRatio(common(), other);
    }

    Table table() {
        Table table = new Table();
        table.row("", "stock", "paper", "ours", "oracle", "ours/oracle", "ours/stock", "before");
        for (String scenario : Scenarios.all().keySet()) {
            table.row(
                    scenario,
                    seconds(scenario, Kind.STOCK),
                    seconds(scenario, Kind.PAPER),
                    seconds(scenario, Kind.OURS),
                    seconds(scenario, Kind.ORACLE),
                    ratio(now.ratio(scenario, Kind.ORACLE)),
                    ratio(now.ratio(scenario, Kind.STOCK)),
                    ratio(before.ratio(scenario, Kind.STOCK)));
        }
        table.row(
                "geometric mean",
                "",
                "",
                "",
                "",
                ratio(meanRatio(now, Kind.ORACLE)),
                ratio(meanRatio(now, Kind.STOCK)),
                ratio(meanRatio(before, Kind.STOCK)));
        return table;
    }

    private String seconds(String scenario, Kind kind) {
        return String.format(Locale.ROOT, "%.1f s", now.of(scenario, kind));
    }

    private static String ratio(double ratio) {
        return String.format(Locale.ROOT, "%.3f", ratio);
    }
}
