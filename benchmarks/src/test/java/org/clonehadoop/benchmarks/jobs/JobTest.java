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
package org.clonehadoop.benchmarks.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class JobTest {
    private static Attempt attempt(String task, int number, long start, long finish) {
        return new Attempt(
                "attempt_1_0002_" + task + "_" + number,
                "task_1_0002_" + task,
                task.startsWith("m") ? "MAP" : "REDUCE",
                "h1",
                start,
                finish,
                "SUCCEEDED",
                null);
    }

    @Test
    void tasksOfWhichTwoAttemptsRanAtOnceWereSpeculated() {
        Job job =
                new Job(
                        "job_1_0002",
                        "TeraSort",
                        "SUCCEEDED",
                        0,
                        100,
                        Map.of(),
                        Map.of(),
                        1,
                        List.of(
                                attempt("m_000000", 0, 10, 50),
                                attempt("m_000001", 0, 10, 20),
                                attempt("m_000001", 1, 20, 60), // begun again
                                attempt("m_000002", 0, 10, 70),
                                attempt("m_000002", 1, 30, 70),
                                attempt("r_000002", 0, 60, 90),
                                attempt("r_000002", 1, 65, 80),
                                attempt("r_000002", 2, 85, 90)));

        assertThat(job.speculated()).containsExactly("m_000002", "r_000002");
    }
}
