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
package org.apache.hadoop.mapred;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.TypeConverter;
import org.apache.hadoop.mapreduce.security.token.JobTokenSecretManager;
import org.apache.hadoop.mapreduce.split.JobSplit;
import org.apache.hadoop.mapreduce.v2.api.records.Phase;
import org.apache.hadoop.mapreduce.v2.app.AppContext;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskAttemptStatusUpdateEvent;
import org.apache.hadoop.mapreduce.v2.app.rm.RMHeartbeatHandler;
import org.apache.hadoop.mapreduce.v2.app.rm.preemption.AMPreemptionPolicy;
import org.apache.hadoop.yarn.event.Event;
import org.apache.hadoop.yarn.util.SystemClock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class StartListenerTest {
    private final List<Event<?>> events = new ArrayList<>();
    private final AppContext context = mock(AppContext.class);
    private final TaskAttemptListenerImpl listener =
            new StartListener(
                    context,
                    new JobTokenSecretManager(),
                    mock(RMHeartbeatHandler.class),
                    mock(AMPreemptionPolicy.class));

    @BeforeEach
    void init() {
        when(context.getEventHandler()).thenReturn(events::add);
        when(context.getClock()).thenReturn(SystemClock.getInstance());
        listener.registerHeartbeatHandler(new Configuration(false));
    }

    @AfterEach
    void stop() throws IOException {
        listener.close();
    }

    private JvmTask ask(TaskAttemptID attempt, int jvm) throws IOException {
        boolean isMap = attempt.getTaskType() == org.apache.hadoop.mapreduce.TaskType.MAP;
        return listener.getTask(new JvmContext(new JVMId(attempt.getJobID(), isMap, jvm), "4711"));
    }

    private void launch(Task task, int jvm) {
        WrappedJvmID id = new WrappedJvmID(task.getTaskID().getJobID(), task.isMapTask(), jvm);
        listener.registerPendingTask(task, id);
        listener.registerLaunchedTask(TypeConverter.toYarn(task.getTaskID()), id);
    }

    @Test
    void aTaskIsHeardOfOnceItsJvmHasAskedForIt() throws IOException {
        TaskAttemptID map = TaskAttemptID.forName("attempt_1_0001_m_000003_0");
        launch(new MapTask("job.xml", map, 3, new JobSplit.TaskSplitIndex(), 1), 7);
        assertThat(events).isEmpty();

        assertThat(ask(map, 7).getTask().getTaskID()).isEqualTo(map);

        assertThat(events)
                .singleElement()
                .isInstanceOfSatisfying(
                        TaskAttemptStatusUpdateEvent.class,
                        update -> {
                            var status = update.getTaskAttemptStatusRef().get();
                            assertThat(update.getTaskAttemptID())
                                    .isEqualTo(TypeConverter.toYarn(map));
                            assertThat(status.id).isEqualTo(TypeConverter.toYarn(map));
                            assertThat(status.progress).isZero();
                            assertThat(status.phase).isEqualTo(Phase.MAP);
                            assertThat(status.counters.countCounters()).isZero();
                        });
    }

    @Test
    void aReduceBeginsToFetch() throws IOException {
        TaskAttemptID reduce = TaskAttemptID.forName("attempt_1_0001_r_000000_0");
        launch(new ReduceTask("job.xml", reduce, 0, 5, 1), 8);

        ask(reduce, 8);

        assertThat(events)
                .singleElement()
                .isInstanceOfSatisfying(
                        TaskAttemptStatusUpdateEvent.class,
                        update ->
                                assertThat(update.getTaskAttemptStatusRef().get().phase)
                                        .isEqualTo(Phase.SHUFFLE));
    }

    @Test
    void aJvmThatIsGivenNoTaskTellsOfNone() throws IOException {
        TaskAttemptID map = TaskAttemptID.forName("attempt_1_0001_m_000003_0");
        listener.registerPendingTask(
                new MapTask("job.xml", map, 3, new JobSplit.TaskSplitIndex(), 1),
                new WrappedJvmID(map.getJobID(), true, 7));

        assertThat(ask(map, 7)).as("not yet launched").isNull();
        assertThat(ask(map, 9).shouldDie()).as("nobody's").isTrue();
        assertThat(events).isEmpty();
    }
}
