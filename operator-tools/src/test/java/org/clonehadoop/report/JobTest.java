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
package org.clonehadoop.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class JobTest {
    private static Attempt attempt(String task, int number, long start, long finish) {
        return attempt(task, number, start, finish, "SUCCEEDED", null);
    }

    /**
     * @param clonedFrom number of its original; null if it began at zero
     */
    private static Attempt attempt(
            String task, int number, long start, long finish, String state, Integer clonedFrom) {
        String prefix = "attempt_1_0002_" + task + "_";
        return new Attempt(
                prefix + number,
                "task_1_0002_" + task,
                task.startsWith("m") ? "MAP" : "REDUCE",
                "h1",
                start,
                finish,
                state,
                clonedFrom == null ? null : prefix + clonedFrom);
    }

    private static Job job(Attempt... attempts) {
        return new Job(
                "job_1_0002",
                "TeraSort",
                "SUCCEEDED",
                0,
                100_000,
                Map.of(),
                Map.of(),
                1,
                List.of(attempts));
    }

    @Test
    void tasksOfWhichTwoAttemptsRanAtOnceWereSpeculated() {
        Job job =
                job(
                        attempt("m_000000", 0, 10, 50),
                        attempt("m_000001", 0, 10, 20),
                        attempt("m_000001", 1, 20, 60), // begun again
                        attempt("m_000002", 0, 10, 70),
                        attempt("m_000002", 1, 30, 70),
                        attempt("r_000002", 0, 60, 90),
                        attempt("r_000002", 1, 65, 80),
                        attempt("r_000002", 2, 85, 90));

        assertThat(job.speculated()).containsExactly("m_000002", "r_000002");
    }

    @Test
    void anAttemptThatDidNotWinIsThrownAway() {
        Job job =
                job(
                        attempt("m_000000", 0, 10_000, 50_000, "KILLED", null),
                        attempt("m_000000", 1, 20_000, 50_000));

        assertThat(job.thrownAwaySeconds()).isEqualTo(40);
    }

    /** The second is a clone of the first, and the third, which won, one of the second. */
    @Test
    void whatLivesOnInAWinnerIsNotThrownAway() {
        Job job =
                job(
                        attempt("m_000000", 0, 10_000, 50_000, "KILLED", null),
                        attempt("m_000000", 1, 20_000, 49_000, "FAILED", 0),
                        attempt("m_000000", 2, 45_000, 50_000, "SUCCEEDED", 1));

        assertThat(job.thrownAwaySeconds()).isEqualTo(30 + 4);
    }

    @Test
    void aCloneThatDidNotWinIsThrownAway() {
        Job job =
                job(
                        attempt("m_000000", 0, 10_000, 50_000),
                        attempt("m_000000", 1, 20_000, 50_000, "KILLED", 0));

        assertThat(job.thrownAwaySeconds()).isEqualTo(30);
    }
}
