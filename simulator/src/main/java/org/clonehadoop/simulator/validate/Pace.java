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
package org.clonehadoop.simulator.validate;

import java.util.Collection;
import java.util.OptionalDouble;
import java.util.function.DoubleUnaryOperator;
import org.clonehadoop.benchmarks.harness.Series;
import org.clonehadoop.benchmarks.report.JobLine;

/**
 * How quick the machine was in a session: the one number that is fitted, on stock's jobs without
 * trouble and on nothing else.
 */
final class Pace {
    private static final double SLOWEST = 1 / 32.0;
    private static final double QUICKEST = 32;
    private static final int HALVINGS = 12;

    private Pace() {}

    static boolean tells(JobLine line) {
        return line.trouble().equals("even") && line.variant().equals("stock");
    }

    /**
     * @param lines of one session
     * @return empty if none of them tells, or no pace makes the simulated job as long
     */
    static OptionalDouble of(Collection<JobLine> lines) {
        double[] seconds =
                lines.stream().filter(Pace::tells).mapToDouble(JobLine::seconds).toArray();
        if (seconds.length == 0) {
            return OptionalDouble.empty();
        }
        Counterpart even =
                lines.stream()
                        .filter(Pace::tells)
                        .findFirst()
                        .flatMap(Counterpart::of)
                        .orElseThrow();
        return fit(pace -> Simulated.of(even, pace).seconds(), Series.of(seconds).median());
    }

    /**
     * @param seconds by pace, the less the quicker
     */
    static OptionalDouble fit(DoubleUnaryOperator seconds, double wanted) {
        double slow = SLOWEST;
        double quick = QUICKEST;
        if (seconds.applyAsDouble(slow) < wanted || seconds.applyAsDouble(quick) > wanted) {
            return OptionalDouble.empty();
        }
        for (int i = 0; i < HALVINGS; i++) {
            double middle = Math.sqrt(slow * quick);
            if (seconds.applyAsDouble(middle) > wanted) {
                slow = middle;
            } else {
                quick = middle;
            }
        }
        return OptionalDouble.of(Math.sqrt(slow * quick));
    }
}
