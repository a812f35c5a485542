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
package org.clonehadoop.benchmarks.report;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.clonehadoop.benchmarks.harness.Series;

/**
 * A run's time over another's of the same round: for each round, or each session's geometric mean.
 *
 * @param all at least one
 * @param tellAlone whether each tells by itself, so that all of them have an interval. Rounds of
 *     one session don't: they have its hour, its input and its cluster in common
 */
record Ratios(List<Double> all, boolean tellAlone) {
    /** More of them aren't shown one by one. */
    private static final int FEW = 6;

    /** Of rounds of which nothing is known but their order. */
    static Ratios ofRounds(List<Double> all) {
        return new Ratios(all, false);
    }

    /**
     * Session by session, if there are enough of them.
     *
     * @param rounds whose ratios these are, in the same order
     */
    static Ratios bySession(List<Round> rounds, List<Double> ratios) {
        Map<String, List<Double>> sessions = new LinkedHashMap<>();
        for (int number = 0; number < rounds.size(); number++) {
            sessions.computeIfAbsent(rounds.get(number).session(), first -> new ArrayList<>())
                    .add(ratios.get(number));
        }
        return sessions.size() < Verdict.SESSIONS
                ? ofRounds(ratios)
                : new Ratios(
                        sessions.values().stream().map(some -> MeanRatio.of(some).mean()).toList(),
                        true);
    }

    int count() {
        return all.size();
    }

    MeanRatio mean() {
        return MeanRatio.of(all);
    }

    double median() {
        return Series.of(all.stream().mapToDouble(Double::doubleValue).toArray()).median();
    }

    /** Such as 1.05. */
    String medianText() {
        return text(median());
    }

    /** Such as "4 of 10": in how many rounds it was quicker. */
    String quicker() {
        return all.stream().filter(ratio -> ratio < 1).count() + " of " + count();
    }

    double greatest() {
        return Collections.max(all);
    }

    /** Such as 1.05. */
    static String text(double ratio) {
        return String.format(Locale.ROOT, "%.2f", ratio);
    }

    /** Their mean with its interval; where they have none themselves, or the least and greatest. */
    String text() {
        if (tellAlone) {
            return mean().toString();
        }
        return count() <= FEW
                ? all.stream().map(Ratios::text).collect(Collectors.joining(", "))
                : text(Collections.min(all)) + " to " + text(greatest());
    }
}
