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

class ExperimentTest {
    @Test
    void anyTroubleMayBeInLongerTasks() {
        Experiment fading = Experiment.of("long-fading-host");

        assertThat(fading.isKnown()).isTrue();
        assertThat(fading.what())
                .isEqualTo("one host loses 10 % of a core every 10 s, tasks four times as long");
        assertThat(Experiment.of("long-late-map").aim()).contains(Aim.ofHadoops(0.7));
        assertThat(Experiment.of("long-even").isEven()).isTrue();
        assertThat(Experiment.of("long-slow-host").isEven()).isFalse();
    }

    @Test
    void anyTroubleMayBeInTasksThatMostlyWait() {
        Experiment paced = Experiment.of("paced-late-reduce");

        assertThat(paced.what())
                .isEqualTo(
                        "one reduce at 1/100 of its speed from the middle on, tasks that wait for 40 s of their time");
        assertThat(paced.aim()).contains(Aim.ofHadoops(0.55));
        assertThat(paced.lateTask()).contains("r_000001");
        assertThat(Experiment.of("paced-even").isEven()).isTrue();
        assertThat(Experiment.evenOf("paced-slow-host")).contains("paced-even");
    }

    @Test
    void anOnsetIsOfTheSweepUnlessItsTasksAreLonger() {
        assertThat(Experiment.of("onset-50-20").isOfSweep()).isTrue();
        Experiment longer = Experiment.of("long-onset-50-20");
        assertThat(longer.isOfSweep()).isFalse();
        assertThat(longer.what())
                .isEqualTo(
                        "one map at 1/20 of its speed after 50 % of its records, tasks four times as long");
        assertThat(longer.isKnown()).isTrue();
    }

    @Test
    void whatIsNotKnownIsLast() {
        assertThat(
                        Experiment.inOrder(
                                List.of(
                                        "long-even",
                                        "sick-host",
                                        "paced-even",
                                        "late-map",
                                        "even-full",
                                        "even")))
                .extracting(Experiment::key)
                .containsExactly(
                        "even", "even-full", "late-map", "paced-even", "long-even", "sick-host");
        assertThat(Experiment.of("sick-host").isKnown()).isFalse();
        assertThat(Experiment.of("sick-host").what()).isEqualTo("sick-host");
    }
}
