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
import org.clonehadoop.benchmarks.harness.Table;
import org.clonehadoop.simulator.speculators.Kind;

/**
 * Whether today's rules are as good as they were.
 *
 * @param before what was accepted last
 */
record Comparison(Results before, Results now) {
    /** Ours over stock's in one scenario: so much is noise. */
    private static final double WORST = 1.02;

    /** Of the geometric mean over the one before. */
    private static final double WORSE = 1.01;

    /** What is wrong; empty if nothing is. */
    List<String> failures() {
        List<String> failures = new ArrayList<>();
        for (String scenario : Scenarios.all().keySet()) {
            // What was accepted as worse than stock's may stay so, and mustn't become worse.
            double accepted = before.ratio(scenario, Kind.STOCK);
            double most = Double.isNaN(accepted) ? WORST : Math.max(WORST, accepted * WORSE);
            if (now.ratio(scenario, Kind.STOCK) > most) {
                failures.add(
                        String.format(
                                Locale.ROOT,
                                "%s: ours takes %.3f times stock's time, and may take %.3f",
                                scenario,
                                now.ratio(scenario, Kind.STOCK),
                                most));
            }
        }
        if (now.meanRatio(Kind.STOCK) > WORSE * before.meanRatio(Kind.STOCK)) {
            failures.add(
                    String.format(
                            Locale.ROOT,
                            "the geometric mean of ours over stock's is %.3f, and was %.3f",
                            now.meanRatio(Kind.STOCK),
                            before.meanRatio(Kind.STOCK)));
        }
        return failures;
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
                ratio(now.meanRatio(Kind.ORACLE)),
                ratio(now.meanRatio(Kind.STOCK)),
                ratio(before.meanRatio(Kind.STOCK)));
        return table;
    }

    private String seconds(String scenario, Kind kind) {
        return String.format(Locale.ROOT, "%.1f s", now.of(scenario, kind));
    }

    private static String ratio(double ratio) {
        return String.format(Locale.ROOT, "%.3f", ratio);
    }
}
