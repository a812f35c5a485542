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

import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.clonehadoop.benchmarks.harness.Series;

/**
 * A run's time over another's of the same round, for each round.
 *
 * @param all at least one
 */
record Ratios(List<Double> all) {
    private static final int LEAST = 3;

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

    /** Their mean with its interval, which says nothing of fewer than three: those themselves. */
    String text() {
        return count() < LEAST
                ? all.stream().map(Ratios::text).collect(Collectors.joining(", "))
                : mean().toString();
    }
}
