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

import java.util.List;
import org.junit.jupiter.api.Test;

class CloneTimesTest {
    private static String of(JobLine... lines) {
        Markdown page = new Markdown();
        CloneTimes.write(WholeJobs.of(List.of(lines)), page);
        return page.toString();
    }

    private static JobLine cloned(String round, double freezeMillis) {
        return Jobs.cloned(Jobs.job("v", "late-map", "all", round, 50), freezeMillis, 9440.0);
    }

    @Test
    void whatJobsSayIsToldByMachine() {
        assertThat(
                        of(
                                cloned("20261125T10-1", 70),
                                cloned("20261130T10-1", 90),
                                cloned("20261130T10-2", 300),
                                cloned("20261130T11-1", 120)))
                .contains(
                        "| an original's freeze | first | 1 | 70 ms | 70 ms | 70 ms |\n"
                                + "| an original's freeze | second | 3 | 120 ms | 90 ms | 300 ms |\n"
                                + "| from a clone's order until it runs | first | 1 | 9.4 s | 9.4 s | 9.4 s |\n");
    }

    @Test
    void ofJobsWithoutACloneNothingIsSaid() {
        JobLine none = Jobs.job("v", "even", "all", "20261130T10-1", 50);

        assertThat(of(Jobs.cloned(none, null, null))).isEmpty();
        assertThat(of(Jobs.cloned(none, 0.0, null))).isEmpty();
        assertThat(of(Jobs.cloned(none, 0.0, null), cloned("20261130T10-2", 90)))
                .contains("| an original's freeze | second | 1 | 90 ms | 90 ms | 90 ms |");
    }
}
