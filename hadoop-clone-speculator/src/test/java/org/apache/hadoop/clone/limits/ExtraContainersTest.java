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

    @Test
    void theTimeWithTwoContainersCountsUntilTheFirstOfThemEnds() {
        extra.began(task(1), 1000);
        assertThat(extra.millis(5000)).isEqualTo(4000);
        assertThat(extra.ended(task(1), 7000)).isEqualTo(6000);
        assertThat(extra.ended(task(1), 9000)).as("the other one").isZero();
        assertThat(extra.millis(20_000)).isEqualTo(6000);
    }

    @Test
    void tasksAddUp() {
        extra.began(task(1), 0);
        extra.began(task(2), 1000);
        assertThat(extra.millis(3000)).isEqualTo(5000);
        extra.ended(task(1), 3000);
        assertThat(extra.millis(4000)).isEqualTo(6000);
    }

    @Test
    void aTaskMayHaveASecondOneAgain() {
        extra.began(task(1), 0);
        extra.began(task(1), 500);
        extra.ended(task(1), 1000);
        extra.began(task(1), 2000);
        assertThat(extra.millis(2500)).isEqualTo(1500);
    }

    @Test
    void aTaskWithoutASecondOneCostsNothing() {
        assertThat(extra.ended(task(1), 1000)).isZero();
        assertThat(extra.millis(1000)).isZero();
    }
}
