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
package org.apache.hadoop.clone.limits;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskType;
import org.apache.hadoop.mapreduce.v2.util.MRBuilderUtils;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.junit.jupiter.api.Test;

class ExtraContainersTest {
    private final ExtraContainers extra = new ExtraContainers();

    private static TaskId task(int number) {
        return MRBuilderUtils.newTaskId(
                MRBuilderUtils.newJobId(ApplicationId.newInstance(1, 1), 1), number, TaskType.MAP);
    }

    private static TaskAttemptId attempt(int task, int number) {
        return MRBuilderUtils.newTaskAttemptId(task(task), number);
    }

    private void began(int task, long nowMillis) {
        extra.began(task(task), Set.of(attempt(task, 0), attempt(task, 1)), nowMillis);
    }

    @Test
    void theTimeWithTwoContainersCountsUntilTheFirstOfThemEnds() {
        began(1, 1000);
        assertThat(extra.millis(5000)).isEqualTo(4000);
        assertThat(extra.ended(attempt(1, 0), 7000)).isEqualTo(6000);
        assertThat(extra.ended(attempt(1, 1), 9000)).as("the other one").isZero();
        assertThat(extra.millis(20_000)).isEqualTo(6000);
    }

    @Test
    void tasksAddUp() {
        began(1, 0);
        began(2, 1000);
        assertThat(extra.millis(3000)).isEqualTo(5000);
        extra.ended(attempt(1, 0), 3000);
        assertThat(extra.millis(4000)).isEqualTo(6000);
    }

    @Test
    void aTaskMayHaveASecondOneAgain() {
        began(1, 0);
        began(1, 500);
        extra.ended(attempt(1, 0), 1000);
        began(1, 2000);
        assertThat(extra.millis(2500)).isEqualTo(1500);
    }

    /** A container's end is told when another attempt has taken its attempt's place already. */
    @Test
    void whatIsHeardOfOneThatHasEndedBeforeEndsNothing() {
        began(1, 100);
        assertThat(extra.ended(attempt(1, 1), 110)).isEqualTo(10);
        extra.began(task(1), Set.of(attempt(1, 0), attempt(1, 2)), 120);
        assertThat(extra.ended(attempt(1, 1), 130)).isZero();
        assertThat(extra.millis(140)).isEqualTo(30);
        assertThat(extra.ended(attempt(1, 2), 150)).isEqualTo(30);
    }

    @Test
    void aTaskWithoutASecondOneCostsNothing() {
        assertThat(extra.ended(attempt(1, 0), 1000)).isZero();
        assertThat(extra.millis(1000)).isZero();
    }
}
