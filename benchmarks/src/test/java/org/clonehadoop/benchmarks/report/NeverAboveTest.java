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

import static org.assertj.core.api.Assertions.assertThat;
import static org.clonehadoop.benchmarks.report.Jobs.inThreeSessions;
import static org.clonehadoop.benchmarks.report.Jobs.pairs;

import org.junit.jupiter.api.Test;

class NeverAboveTest {
    @Test
    void namesTheCellsInWhichItIsMissedOrOpen() {
        NeverAbove bound = new NeverAbove();
        bound.add(
                "",
                WholeJobs.of(
                        Jobs.all(
                                inThreeSessions("a", "even", 2, 90),
                                inThreeSessions("a", "late-map", 1, 50),
                                pairs("a", "late-reduce", "12", 5, 50),
                                inThreeSessions("a", "slow-host", 2, 50),
                                pairs("a", "slow-host", "4", 2, 200),
                                inThreeSessions("a", "onset-50-2", 2, 110))));
        bound.add("HiBench: ", WholeJobs.of(Jobs.all(inThreeSessions("a", "sort", 2, 104))));

        assertThat(bound)
                .hasToString(
                        "Never above 1.03 of Hadoop's: **missed** in `onset-50-2`, `HiBench: sort`;"
                                + " open in `slow-host`; reached in 1 of 4 cells with five runs or"
                                + " more, of three sessions or more.");
    }
}
