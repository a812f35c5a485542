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

import java.util.HashSet;
import java.util.OptionalDouble;
import java.util.Set;
import org.clonehadoop.benchmarks.report.JobLine;

/**
 * A real job, and the same simulated.
 *
 * @param byName whether tasks differ by name; else any task of a kind may stand for another
 */
record Pair(JobLine real, Simulated simulated, boolean byName) {
    private static final char[] KINDS = {'m', 'r'};

    /** Of the job's time, over the real one; below 0 if the simulated job is shorter. */
    double error() {
        return simulated.seconds() / real.seconds() - 1;
    }

    /**
     * The share of all tasks that either speculated which both did. Empty if neither speculated
     * any, so that there is nothing to agree on, or if the line doesn't tell.
     *
     * <p>Whether it was by a clone or by an attempt from zero isn't compared: a line tells how many
     * of each a job had, and not of which tasks.
     */
    OptionalDouble alike() {
        if (real.speculated() == null) {
            return OptionalDouble.empty();
        }
        return byName ? alikeByName() : alikeByNumber();
    }

    /** Whether the line tells that the real job gave nobody a second attempt. */
    boolean isQuiet() {
        return real.speculated() != null && real.speculated().isEmpty();
    }

    private OptionalDouble alikeByNumber() {
        int both = 0;
        int either = 0;
        for (char kind : KINDS) {
            int really = Simulated.count(real.speculated(), kind);
            int here = simulated.speculated(kind);
            both += Math.min(really, here);
            either += Math.max(really, here);
        }
        return share(both, either);
    }

    private OptionalDouble alikeByName() {
        Set<String> both = new HashSet<>(real.speculated());
        Set<String> either = new HashSet<>(real.speculated());
        both.retainAll(simulated.speculated());
        either.addAll(simulated.speculated());
        return share(both.size(), either.size());
    }

    private static OptionalDouble share(int both, int either) {
        return either == 0 ? OptionalDouble.empty() : OptionalDouble.of((double) both / either);
    }
}
