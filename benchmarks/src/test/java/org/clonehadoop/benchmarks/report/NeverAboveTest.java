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
                                pairs("a", "even", "1", 5, 90),
                                pairs("a", "late-map", "1", 4, 50),
                                pairs("a", "slow-host", "1", 5, 50),
                                pairs("a", "slow-host", "2", 1, 200),
                                pairs("a", "onset-50-2", "1", 5, 110)),
                        1));
        bound.add("HiBench: ", WholeJobs.of(Jobs.all(pairs("a", "sort", "1", 5, 104)), 1));

        assertThat(bound)
                .hasToString(
                        "Never above 1.03 of Hadoop's: **missed** in `onset-50-2`, `HiBench: sort`;"
                                + " open in `slow-host`; reached in 1 of 4 cells with five runs or"
                                + " more.");
    }
}
