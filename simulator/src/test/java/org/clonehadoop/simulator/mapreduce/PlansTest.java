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
package org.clonehadoop.simulator.mapreduce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.mapreduce.v2.api.records.Phase;
import org.apache.hadoop.mapreduce.v2.api.records.TaskId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskType;
import org.apache.hadoop.mapreduce.v2.util.MRApps;
import org.apache.hadoop.mapreduce.v2.util.MRBuilderUtils;
import org.clonehadoop.simulator.engine.Draws;
import org.clonehadoop.simulator.trouble.SlowSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PlansTest {
    private final Plans plans = new Plans(JobSpec.usual(), new Draws(1));

    private List<Stage> plan(TaskType type) {
        return plans.of(task(type));
    }

    private static TaskId task(TaskType type) {
        return MRBuilderUtils.newTaskId(MRApps.toJobID("job_1_0001"), 0, type);
    }

    /** No straggler's user code is slow at it, and no progress comes of it. */
    @ParameterizedTest
    @CsvSource({"MAP,MAP", "REDUCE,SHUFFLE"})
    void aJvmAsksForItsTaskBeforeItHasLoadedAllItsClasses(TaskType type, Phase first) {
        List<Stage> plan = plan(type);
        Stage afterwards = plan.get(1);

        assertThat(plan.get(0).load().plus(afterwards.load())).isEqualTo(plans.jvm());
        assertThat(afterwards.load().cpu()).isPositive();
        assertThat(afterwards.phase()).isEqualTo(first);
        assertThat(afterwards.handlesRecords()).isFalse();
        assertThat(afterwards.to()).isZero();
    }

    @Test
    void onlyWhatMovesAReducesProgressFetches() {
        List<Stage> plan = plan(TaskType.REDUCE);

        assertThat(plan.stream().filter(Stage::fetches)).containsExactly(plan.get(2));
        assertThat(plan(TaskType.MAP)).noneMatch(Stage::fetches);
    }

    /** Four of 32 maps'. */
    @Test
    void whatComesFromASlowSourceComesLastOneMapsOutputAfterTheOther() {
        JobSpec job = JobSpec.usual().withTroubles(new SlowSource(1 / 8.0, 10));
        List<Stage> fetches =
                new Plans(job, new Draws(1))
                        .of(task(TaskType.REDUCE)).stream().filter(Stage::fetches).toList();

        assertThat(fetches)
                .extracting(Stage::isFromSlowSource)
                .containsExactly(false, true, true, true, true);
        assertThat(fetches.get(4).to()).isEqualTo(1 / 3.0);
        assertThat(fetches.get(4).progress(0.9)).isEqualTo(fetches.get(3).to());
        assertThat(fetches.get(4).load().times(28).net())
                .isCloseTo(fetches.get(0).load().net(), within(1e-6));
    }

    @ParameterizedTest
    @CsvSource({"MAP", "REDUCE"})
    void halfOfItsRecordsAreSlowIfTheOnsetIsTheirMiddle(TaskType type) {
        List<Stage> plan = plan(type);
        long records = plan.stream().filter(Stage::handlesRecords).count();

        double[] brakes = Execution.brakes(plan, done -> done >= 0.5 ? 100 : 1);

        assertThat(Arrays.stream(brakes).filter(brake -> brake == 100).count())
                .isEqualTo(records / 2);
    }
}
