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

/** Whether a ratio is as small as it is aimed to be. */
enum Verdict {
    REACHED("reached"),
    OPEN("open"),
    MISSED("**missed**"), // to be seen
    TOO_FEW("too few runs or sessions");

    /** As many runs as a verdict needs. */
    static final int RUNS = 5;

    /**
     * As many sessions: rounds of one have its hour and its cluster in common, and don't tell
     * alone.
     */
    static final int SESSIONS = 3;

    private final String text;

    Verdict(String text) {
        this.text = text;
    }

    /** Whether so many rounds of so many sessions tell anything. */
    static boolean isEnough(long runs, long sessions) {
        return runs >= RUNS && sessions >= SESSIONS;
    }

    /**
     * Reached if all of the interval is, missed if nothing of it is, else open.
     *
     * @param pairs that were measured
     * @param ratio of them
     */
    static Verdict of(Pairs pairs, MeanRatio ratio, double atMost) {
        if (!pairs.isEnough()) {
            return TOO_FEW;
        }
        if (ratio.high() <= atMost) {
            return REACHED;
        }
        return ratio.low() > atMost ? MISSED : OPEN;
    }

    String text() {
        return text;
    }
}
