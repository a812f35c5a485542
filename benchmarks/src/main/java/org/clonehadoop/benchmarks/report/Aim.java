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
        EVEN("even");

        private final String text;

        Base(String text) {
            this.text = text;
        }
    }

    static Aim ofHadoops(double atMost) {
        return new Aim(atMost, Base.HADOOP);
    }

    /**
     * Such as "≤ 0.70 of Hadoop's: reached", by all of the interval; without a word if it isn't
     * measured.
     *
     * @param pairs what was measured over Hadoop's
     * @param overEven the same jobs over Hadoop's without trouble
     */
    String said(Pairs pairs, Optional<MeanRatio> overEven) {
        return text()
                + (base == Base.HADOOP ? Optional.of(pairs.overStock().mean()) : overEven)
                        .map(ratio -> word(pairs, ratio))
                        .orElse("");
    }

    /**
     * Such as "; out of reach here (0.81)": where it isn't reached, and it is sure that a job
     * without that trouble isn't so quick either; else nothing.
     *
     * @param atBest CloneHadoop's even jobs over Hadoop's with that trouble, in the same rounds
     */
    String outOfReach(Pairs pairs, Optional<Ratios> atBest) {
        return atBest.filter(best -> base == Base.HADOOP && pairs.isEnough() && best.tellAlone())
                .filter(best -> pairs.overStock().mean().mean() > atMost)
                .map(Ratios::mean)
                .filter(best -> best.low() > atMost)
                .map(best -> String.format(Locale.ROOT, "; out of reach here (%.2f)", best.mean()))
                .orElse("");
    }

    private String text() {
        return String.format(Locale.ROOT, "≤ %.2f of %s", atMost, base.text);
    }

    private String word(Pairs pairs, MeanRatio ratio) {
        Verdict verdict = Verdict.of(pairs, ratio, atMost);
        boolean isHidden = Ratios.text(ratio.high()).equals(Ratios.text(atMost));
        return ": "
                + verdict.text()
                + (verdict == Verdict.OPEN && isHidden
                        ? String.format(Locale.ROOT, " (up to %.3f)", ratio.high())
                        : "");
    }
}
