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

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.stream.Collectors;

/** Where second attempts cost more container time than Hadoop's: one sentence. */
final class ThrownAway {
    /** As often more than Hadoop throws, before it is pointed at. */
    private static final double MUCH = 1.2;

    private static final double SOME_SECONDS = 10;

    private ThrownAway() {}

    static void write(Collection<Pairs> rows, Markdown page) {
        String much =
                rows.stream()
                        .filter(ThrownAway::isMuch)
                        .sorted(Comparator.comparingDouble(ThrownAway::overStock).reversed())
                        .map(ThrownAway::text)
                        .collect(Collectors.joining(", "));
        if (!much.isEmpty()) {
            page.paragraph(
                    "More container time is thrown away than by Hadoop: "
                            + much
                            + ". [A job's budget](limits.md#a-jobs-budget) bounds it.");
        }
    }

    private static boolean isMuch(Pairs pairs) {
        return pairs.other().thrownAwaySeconds() > SOME_SECONDS && overStock(pairs) > MUCH;
    }

    /** Infinite where Hadoop throws nothing away. */
    private static double overStock(Pairs pairs) {
        return pairs.other().thrownAwaySeconds() / pairs.stock().thrownAwaySeconds();
    }

    /** Such as "`late-reduce` 2.6 times (32 s a job, Hadoop 12 s)". */
    private static String text(Pairs pairs) {
        double times = overStock(pairs);
        return String.format(
                Locale.ROOT,
                "%s%s (%.0f s a job, Hadoop %.0f s)",
                Markdown.code(pairs.trouble()),
                Double.isInfinite(times) ? "" : String.format(Locale.ROOT, " %.1f times", times),
                pairs.other().thrownAwaySeconds(),
                pairs.stock().thrownAwaySeconds());
    }
}
