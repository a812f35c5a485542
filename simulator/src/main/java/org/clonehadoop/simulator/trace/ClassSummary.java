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
package org.clonehadoop.simulator.trace;

import java.util.List;
import java.util.function.ToDoubleFunction;

/** What became of all jobs of about one size. */
record ClassSummary(List<DayJob> jobs) {
    double meanSeconds() {
        return sum(DayJob::seconds) / jobs.size();
    }

    /**
     * @param share of all jobs that take no longer, from 0 to 1
     */
    double seconds(double share) {
        return jobs.stream()
                .mapToDouble(DayJob::seconds)
                .sorted()
                .skip((long) Math.ceil(share * jobs.size()) - 1)
                .findFirst()
                .orElseThrow();
    }

    double sum(ToDoubleFunction<DayJob> value) {
        return jobs.stream().mapToDouble(value).sum();
    }
}
