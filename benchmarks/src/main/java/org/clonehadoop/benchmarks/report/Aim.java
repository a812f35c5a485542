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

    /**
     * Such as "≤ 0.70 of Hadoop's: reached"; without a word if it isn't measured.
     *
     * @param pairs what was measured over Hadoop's
     * @param overEven of those rounds in which even jobs were run as well
     * @param atBest CloneHadoop's even jobs over Hadoop's with that trouble, in these rounds
     */
    String said(Pairs pairs, Optional<Ratios> overEven, Optional<Ratios> atBest) {
        return base == Base.EVEN_MEDIAN
                ? text() + overEven.map(even -> ofMedian(even, pairs)).orElse("")
                : saidOfMeans(pairs, overEven.map(Ratios::mean)) + outOfReach(pairs, atBest);
    }

    /** Where a job without that trouble takes longer than is aimed at. */
    private String outOfReach(Pairs pairs, Optional<Ratios> atBest) {
        return atBest.filter(best -> base == Base.HADOOP && pairs.isEnough())
                .filter(best -> pairs.overStock().mean().mean() > atMost)
                .map(best -> best.mean().mean())
                .filter(best -> best > atMost)
                .map(best -> String.format(Locale.ROOT, "; out of reach here (%.2f)", best))
                .orElse("");
    }

    /** As {@link #said}, where no round pairs jobs with even ones: by all of the interval. */
    String saidOfMeans(Pairs pairs, Optional<MeanRatio> overEven) {
        return text()
                + (base == Base.HADOOP ? Optional.of(pairs.overStock().mean()) : overEven)
                        .map(ratio -> word(pairs, ratio))
                        .orElse("");
    }

    private String ofMedian(Ratios measured, Pairs pairs) {
        if (!Verdict.isEnough(measured.count(), pairs.sessions())) {
            return word(Verdict.TOO_FEW);
        }
        return word(measured.median() <= atMost ? Verdict.REACHED : Verdict.MISSED);
    }

    private String text() {
        return String.format(Locale.ROOT, "≤ %.2f of %s", atMost, base.text);
    }

    private String word(Pairs pairs, MeanRatio ratio) {
        Verdict verdict = Verdict.of(pairs, ratio, atMost);
        boolean isHidden = Ratios.text(ratio.high()).equals(Ratios.text(atMost));
        return word(verdict)
                + (verdict == Verdict.OPEN && isHidden
                        ? String.format(Locale.ROOT, " (up to %.3f)", ratio.high())
                        : "");
    }

    private static String word(Verdict verdict) {
        return ": " + verdict.text();
    }
}
