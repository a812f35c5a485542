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

import java.util.Locale;
import java.util.Optional;

/**
 * What a ratio is aimed to be at most.
 *
 * @param atMost such as 0.7
 */
record Aim(double atMost, Base base) {
    /** Runs that a median needs to count. */
    static final int MEDIAN_RUNS = 5;

    /** What a time is compared with: Hadoop's with the same trouble, or with none. */
    enum Base {
        HADOOP("Hadoop's"),
        EVEN("even"),
        EVEN_MEDIAN("even, the median of " + MEDIAN_RUNS + " runs or more");

        private final String text;

        Base(String text) {
            this.text = text;
        }
    }

    static Aim ofHadoops(double atMost) {
        return new Aim(atMost, Base.HADOOP);
    }

    /** Such as "≤ 0.70 of Hadoop's: reached"; without a word if it isn't measured. */
    String said(Optional<Ratios> overStock, Optional<Ratios> overEven) {
        return base == Base.EVEN_MEDIAN
                ? text() + overEven.map(this::ofMedian).orElse("")
                : saidOfMeans(overStock.map(Ratios::mean), overEven.map(Ratios::mean));
    }

    /** By all of the interval. */
    String saidOfMeans(Optional<MeanRatio> overStock, Optional<MeanRatio> overEven) {
        return text()
                + (base == Base.HADOOP ? overStock : overEven)
                        .map(ratio -> word(Verdict.of(ratio, atMost)))
                        .orElse("");
    }

    private String ofMedian(Ratios measured) {
        if (measured.count() < MEDIAN_RUNS) {
            return word(Verdict.OPEN);
        }
        return word(measured.median() <= atMost ? Verdict.REACHED : Verdict.MISSED);
    }

    private String text() {
        return String.format(Locale.ROOT, "≤ %.2f of %s", atMost, base.text);
    }

    private static String word(Verdict verdict) {
        return ": " + verdict.text();
    }
}
