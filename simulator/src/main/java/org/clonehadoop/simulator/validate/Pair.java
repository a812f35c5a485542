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

/** A real job, and the same simulated. */
record Pair(JobLine real, Simulated simulated) {
    /** Of the job's time, over the real one; below 0 if the simulated job is shorter. */
    double error() {
        return simulated.seconds() / real.seconds() - 1;
    }

    /**
     * The share of all tasks that either speculated which both did; 1 if neither did. Empty if the
     * line doesn't tell.
     */
    OptionalDouble alike() {
        if (real.speculated() == null) {
            return OptionalDouble.empty();
        }
        Set<String> both = new HashSet<>(real.speculated());
        Set<String> either = new HashSet<>(real.speculated());
        both.retainAll(simulated.speculated());
        either.addAll(simulated.speculated());
        return OptionalDouble.of(either.isEmpty() ? 1 : (double) both.size() / either.size());
    }
}
