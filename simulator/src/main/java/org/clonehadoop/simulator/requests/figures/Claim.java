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
package org.clonehadoop.simulator.requests.figures;

import java.util.List;
import java.util.Locale;

/**
 * What a paper says of a figure, or this project wants of it, and whether the simulation agrees, or
 * what was measured.
 *
 * @param text whose claim it is, and what it says
 * @param holds whether it does here
 * @param because the numbers seen
 */
record Claim(String text, boolean holds, String because) {
    /** So many percent points less than a paper saw still agrees with it. */
    private static final double TOLERANCE = 5;

    static Claim of(String text, boolean holds, String because, Object... values) {
        return new Claim(text, holds, String.format(Locale.ROOT, because, values));
    }

    /**
     * How much less something is.
     *
     * @param least percent of the paper's range
     * @param most percent
     * @param seen shares from 0 to 1, point by point
     */
    static Claim reduction(String what, double least, double most, List<Double> seen) {
        double low = 100 * seen.stream().mapToDouble(x -> x).min().orElseThrow();
        double high = 100 * seen.stream().mapToDouble(x -> x).max().orElseThrow();
        boolean one = least == most;
        return of(
                one
                        ? "%s by %.1f %%".formatted(what, least)
                        : "%s by %.1f to %.1f %%".formatted(what, least, most),
                low >= least - TOLERANCE && high >= most - TOLERANCE,
                seen.size() == 1 ? "%.1f %%" : "%.1f to %.1f %%",
                low,
                high);
    }

    String words() {
        return holds ? "holds" : "doesn't, because";
    }
}
