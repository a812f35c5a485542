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

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.clonehadoop.benchmarks.harness.Goal;
import org.clonehadoop.benchmarks.harness.Outcome;
import org.clonehadoop.benchmarks.harness.Series;
import org.clonehadoop.benchmarks.harness.Summary;

/** Outcomes as rows, each number by a key of its own. */
final class OutcomeTable {
    private static final double[] PERCENTILES = {50, 95, 99, 99.9};

    private final Summary summary;
    private final SlowDisks disks;

    /** Puts down what all outcomes have in common. */
    OutcomeTable(Summary summary, SlowDisks disks, int seconds) {
        this.summary = summary;
        this.disks = disks;
        summary.put("disks", disks.disks());
        summary.put("disk_mb_per_second", disks.diskMegabytes());
        summary.put("object_kb", disks.kilobytes());
        summary.put("seconds", seconds);
    }

    void heading(String title) {
        summary.heading(title, "requests", "p50", "p95", "p99", "p99.9", "ms");
    }

    /**
     * @param key what the keys end with
     */
    void row(String label, String key, Outcome outcome) {
        String suffix = "_" + key;
        List<String> keys = new ArrayList<>(List.of("requests" + suffix));
        List<Double> numbers = new ArrayList<>(List.of((double) outcome.requests()));
        for (double percentile : PERCENTILES) {
            keys.add(
                    "p"
                            + String.valueOf(percentile).replace(".0", "").replace(".", "_")
                            + "_ms"
                            + suffix);
            numbers.add(outcome.millis(percentile, disks.disks()));
        }
        boolean unstable = outcome.isUnstable(disks.disks());
        summary.put("unstable" + suffix, unstable ? 1 : 0);
        summary.addAll(label, keys, numbers, unstable ? "unstable" : "");
    }

    /** How late the client itself was: it shares the processors with the disks' hosts. */
    void client(Collection<Outcome> outcomes) {
        summary.put("failures", outcomes.stream().mapToInt(Outcome::failures).sum());
        summary.section("The client itself");
        double late =
                outcomes.stream()
                        .filter(outcome -> !outcome.isUnstable(disks.disks()))
                        .mapToDouble(outcome -> outcome.lateMillis(99))
                        .max()
                        .orElse(0);
        summary.add(
                "client_late_p99_ms",
                "asks so much later, where stable, worst p99",
                Series.of(late),
                Goal.atMost(disks.serviceMillis() / 20));
    }
}
