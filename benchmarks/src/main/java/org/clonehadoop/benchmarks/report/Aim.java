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
    /** What a time is compared with: Hadoop's with the same trouble, or with none. */
    enum Base {
        HADOOP("Hadoop's"),
        EVEN("even"),
        EVEN_MEDIAN("even, the median of " + Verdict.RUNS + " runs or more");

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
        if (measured.count() < Verdict.RUNS) {
            return word(Verdict.TOO_FEW);
        }
        return word(measured.median() <= atMost ? Verdict.REACHED : Verdict.MISSED);
    }

    /**
     * Whether not even an even cluster would reach it, as far as these tell.
     *
     * @param atBest CloneHadoop's time there, over Hadoop's here
     */
    boolean isBeyond(Optional<Ratios> atBest) {
        return base == Base.HADOOP
                && atBest.map(Ratios::mean).filter(mean -> mean.low() > atMost).isPresent();
    }

    private String text() {
        return String.format(Locale.ROOT, "≤ %.2f of %s", atMost, base.text);
    }

    private static String word(Verdict verdict) {
        return ": " + verdict.text();
    }
}
