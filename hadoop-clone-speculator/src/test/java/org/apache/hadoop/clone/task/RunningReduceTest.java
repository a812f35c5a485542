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
package org.apache.hadoop.clone.task;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.apache.hadoop.mapred.JobConf;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.mockito.Mockito;

@Timeout(60)
class RunningReduceTest {
    @Test
    void fetchesOnWhateverElseGoesWrong() throws Exception {
        RunningReduce reduce =
                new RunningReduce(TaskJvm.reduce(1), new JobConf(), Thread.currentThread(), null);
        TaskOutput broken = Mockito.mock(TaskOutput.class);
        Mockito.doThrow(IllegalStateException.class).when(broken).release();
        Fields.set(reduce, "output", broken);
        // It doesn't reduce, and so isn't parked; but its fetches are held.
        assertThat(reduce.park(1000, new Patience(1000))).isPresent();

        assertThatThrownBy(reduce::release).isInstanceOf(IllegalStateException.class);
        assertThat(TaskHooks.FETCHES.close(0)).as("it was open").isTrue();
        TaskHooks.FETCHES.open();
        assertThatThrownBy(TaskHooks.FETCHES::open)
                .isInstanceOf(IllegalMonitorStateException.class);
    }
}
